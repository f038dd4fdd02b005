//! Routes of Spring's controllers.

use super::{Java, Kind};
use crate::ScopeId;
use crate::builder::{Joins, verb};
use tree_sitter::Node;

/// Where the annotations come from.
const PACKAGE: &str = "org.springframework.web.bind.annotation";

impl<'s> Java<'s> {
    /// `@GetMapping("/{id}")` on a method, behind what `@RequestMapping("/users")` on its class says.
    pub(super) fn routes_of_method(&mut self, node: Node<'_>, method: ScopeId, name: Node<'_>) {
        for annotation in self.annotations(node) {
            let Some((methods, paths)) = self.mapping(annotation) else { continue };
            let class = node.parent().and_then(|body| body.parent());
            let outer = class.map(|class| self.annotations(class)).unwrap_or_default();
            let outer = outer.into_iter().find_map(|found| self.mapping(found));
            let prefixes = outer.map_or_else(|| vec![Some("")], |(_, paths)| paths);
            for prefix in &prefixes {
                for path in &paths {
                    let Some(path) = path else { continue };
                    for verb in &methods {
                        let router = prefix.map(|prefix| self.b.routes.router(prefix));
                        let route = self.b.route(annotation, router, verb, path, Joins::Whole);
                        self.b.handled_by(route, method, name);
                    }
                }
            }
        }
    }

    fn annotations<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let Some(modifiers) = self.child_of(node, Kind::Modifiers) else { return Vec::new() };
        let mut cursor = modifiers.walk();
        let is_annotation =
            |child: &Node<'_>| matches!(self.kind(*child), Kind::MarkerAnnotation | Kind::Annotation);
        modifiers.named_children(&mut cursor).filter(is_annotation).collect()
    }

    /// The methods and paths of a mapping; a path that is not a literal is `None`.
    fn mapping(&self, annotation: Node<'_>) -> Option<(Vec<String>, Vec<Option<&'s str>>)> {
        let f = &self.t.fields;
        let name = self.b.text(annotation.child_by_field_id(f.name)?);
        let name = name.rsplit('.').next().unwrap_or(name);
        let own = name.strip_suffix("Mapping")?;
        if own != "Request" && verb(own).is_none() || !self.imports_spring(name) {
            return None;
        }
        let (mut methods, mut paths) = (Vec::new(), Vec::new());
        methods.extend(verb(own).map(str::to_owned));
        if let Some(arguments) = annotation.child_by_field_id(f.arguments) {
            let mut cursor = arguments.walk();
            for argument in arguments.named_children(&mut cursor) {
                let key = argument.child_by_field_id(f.key).map(|key| self.b.text(key));
                let value = argument.child_by_field_id(f.value).filter(|_| key.is_some()).unwrap_or(argument);
                match key {
                    None | Some("value" | "path") if !argument.is_extra() => {
                        paths.extend(items(value).into_iter().map(|item| self.path_literal(item)));
                    }
                    Some("method") => methods.extend(items(value).into_iter().map(|item| {
                        let text = self.b.text(item);
                        text.rsplit('.').next().unwrap_or(text).to_owned()
                    })),
                    _ => {}
                }
            }
        }
        if methods.is_empty() {
            methods.push("ANY".to_owned());
        }
        if paths.is_empty() {
            paths.push(Some(""));
        }
        Some((methods, paths))
    }

    fn path_literal(&self, node: Node<'_>) -> Option<&'s str> {
        let text = self.b.text(node);
        (node.kind() == "string_literal").then(|| text.trim_matches('"'))
    }

    fn imports_spring(&self, name: &str) -> bool {
        self.b.file.imports.iter().any(|import| {
            let module = self.b.file.names.get(import.module);
            let symbol = import.symbol.map_or("", |symbol| self.b.file.names.get(symbol));
            module.starts_with(PACKAGE)
                && (import.kind == crate::ImportKind::Glob || symbol == name || module.ends_with(name))
        })
    }
}

/// One value, or those between braces.
fn items(value: Node<'_>) -> Vec<Node<'_>> {
    if value.kind() != "element_value_array_initializer" {
        return vec![value];
    }
    let mut cursor = value.walk();
    value.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}
