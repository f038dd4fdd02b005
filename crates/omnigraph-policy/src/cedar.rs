//! Rules as Cedar policies.

use crate::PolicyError;
use crate::file::{BranchScope, PolicyFile, Rule};
use crate::pattern::Pattern;
use cedar_policy::{
    Authorizer, Context, Decision as CedarDecision, Entities, Entity, EntityId, EntityTypeName, EntityUid,
    Policy, PolicyId, PolicySet, Request, RestrictedExpression, Schema, ValidationMode, Validator,
};
use omnigraph::{Action, Ask, Decision, Scope};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::str::FromStr;

/// The branch of requests about the graph as a whole. No branch can have this name.
const WHOLE: &str = "";

/// What Cedar decides with.
#[derive(Debug)]
pub(crate) struct Compiled {
    authorizer: Authorizer,
    policies: PolicySet,
    schema: Schema,
    /// Actors and their groups.
    members: BTreeMap<String, BTreeSet<String>>,
    protected: BTreeSet<Pattern>,
    /// Rules that are about some branches or types only.
    places: Vec<Place>,
}

/// What a rule is about; all, where there is no list.
#[derive(Debug)]
struct Place {
    rule: String,
    branches: Option<Vec<Pattern>>,
    types: Option<Vec<Pattern>>,
}

impl Place {
    fn of(rule: &Rule) -> Option<Place> {
        let (branches, types) = (rule.allow.branches.clone(), rule.allow.types.clone());
        (branches.is_some() || types.is_some()).then(|| Place { rule: rule.id.clone(), branches, types })
    }

    /// Whether it is meant. An ask about no rows is answered by rules for any type.
    fn holds(&self, branch: &str, ask: &Ask<'_>) -> bool {
        let means = |patterns: &Option<Vec<Pattern>>, name: &str| {
            patterns.as_ref().is_none_or(|some| some.iter().any(|pattern| pattern.matches(name, ask.actor)))
        };
        means(&self.branches, branch) && ask.type_name.is_none_or(|name| means(&self.types, name))
    }
}

impl Compiled {
    pub(crate) fn new(file: &PolicyFile) -> Result<Compiled, PolicyError> {
        let (schema, _) = Schema::from_cedarschema_str(&schema_source()).map_err(broken)?;
        let mut policies = PolicySet::new();
        for rule in &file.rules {
            let id = PolicyId::new(&rule.id);
            policies.add(Policy::parse(Some(id), source(rule)).map_err(broken)?).map_err(broken)?;
        }
        let checked = Validator::new(schema.clone()).validate(&policies, ValidationMode::Strict);
        if let Some(error) = checked.validation_errors().next() {
            return Err(broken(error));
        }
        let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (group, actors) in &file.groups {
            for actor in actors {
                members.entry(actor.clone()).or_default().insert(group.clone());
            }
        }
        let protected = file.protected_branches.clone();
        let places = file.rules.iter().filter_map(Place::of).collect();
        Ok(Compiled { authorizer: Authorizer::new(), policies, schema, members, protected, places })
    }

    pub(crate) fn tells_types_apart(&self) -> bool {
        self.places.iter().any(|place| place.types.is_some())
    }

    pub(crate) fn decide(&self, ask: &Ask<'_>) -> Decision {
        // Nothing that Cedar cannot be asked is allowed.
        self.ask(ask).unwrap_or(Decision { allowed: false, rule: None })
    }

    fn ask(&self, ask: &Ask<'_>) -> Option<Decision> {
        let branch = ask.scoped_branch();
        if branch.is_none() && ask.action.scope() != Scope::Graph {
            return None;
        }
        let branch = branch.unwrap_or(WHOLE);
        let principal = uid("Actor", ask.actor);
        let resource = uid("Branch", branch);
        let request = Request::new(
            principal.clone(),
            uid("Action", ask.action.as_str()),
            resource.clone(),
            Context::empty(),
            Some(&self.schema),
        );
        let entities = self.entities(ask, principal, branch, resource)?;
        let response = self.authorizer.is_authorized(&request.ok()?, &self.policies, &entities);
        let allowed = response.decision() == CedarDecision::Allow;
        let rule = response.diagnostics().reason().map(|id| AsRef::<str>::as_ref(id).to_owned()).min();
        Some(Decision { allowed, rule: rule.filter(|_| allowed) })
    }

    /// Those two that a request is about.
    fn entities(&self, ask: &Ask<'_>, who: EntityUid, branch: &str, what: EntityUid) -> Option<Entities> {
        let groups = self.members.get(ask.actor).into_iter().flatten();
        let groups: HashSet<EntityUid> = groups.map(|group| uid("Group", group)).collect();
        let is_protected = self.protected.iter().any(|pattern| pattern.matches(branch, ask.actor));
        let named = self.places.iter().filter(|place| place.holds(branch, ask));
        let named = named.map(|place| RestrictedExpression::new_entity_uid(uid("Rule", &place.rule)));
        let attributes = HashMap::from([
            ("protected".to_owned(), RestrictedExpression::new_bool(is_protected)),
            ("named_by".to_owned(), RestrictedExpression::new_set(named)),
        ]);
        let branch = Entity::new(what, attributes, HashSet::new()).ok()?;
        let actor = Entity::new_no_attrs(who, groups);
        Entities::from_entities([actor, branch], None).ok()
    }
}

fn uid(kind: &str, name: &str) -> EntityUid {
    let kind = EntityTypeName::from_str(kind).expect("kinds are identifiers of this file");
    EntityUid::from_type_name_and_id(kind, EntityId::new(name))
}

fn broken(error: impl std::fmt::Display) -> PolicyError {
    PolicyError::new(format!("Cedar does not take it: {error}"))
}

/// What there is to speak of.
fn schema_source() -> String {
    let actions = Action::ALL.map(|action| format!("\"{action}\"")).join(", ");
    format!(
        "entity Group;\nentity Actor in [Group];\nentity Rule;\n\
         entity Branch {{ protected: Bool, named_by: Set<Rule> }};\n\
         action {actions} appliesTo {{ principal: [Actor], resource: [Branch] }};\n"
    )
}

/// A rule in Cedar's words.
fn source(rule: &Rule) -> String {
    let group = uid("Group", &rule.allow.actors.group);
    let actions: Vec<_> =
        rule.allow.actions.iter().map(|action| uid("Action", action.0.as_str()).to_string()).collect();
    let condition = match rule.allow.scope() {
        BranchScope::Any => "",
        BranchScope::Protected => " when { resource.protected }",
        BranchScope::Unprotected => " when { !resource.protected }",
    };
    let named = Place::of(rule);
    let named = named.map(|_| format!(" when {{ resource.named_by.contains({}) }}", uid("Rule", &rule.id)));
    let named = named.unwrap_or_default();
    format!("permit(principal in {group}, action in [{}], resource){condition}{named};", actions.join(", "))
}
