//! Random rules of a policy, and a plain reading of them that shares nothing with the program's own.

use omnigraph::{Action, Scope};
use std::fmt::Write as _;

pub(crate) const ACTORS: [&str; 5] = ["a", "b", "c", "a/b", "nobody"];
pub(crate) const BRANCHES: [&str; 6] = ["agent/a/b/y", "agent/a/x", "agent/b/x", "dev", "main", "release/1"];
const PATTERNS: [&str; 8] =
    ["main", "release/*", "*", "agent/${actor}/*", "agent/a/*", "*/x", "dev", "agent/*/x"];
pub(crate) const TYPES: [&str; 4] = ["Company", "Knows", "Person", "WorksAt"];
const TYPE_PATTERNS: [&str; 6] = ["*", "*s", "Company", "Knows", "Person", "W*"];
const SCOPES: [&str; 3] = ["any", "protected", "unprotected"];

/// A stream of numbers that is the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    /// From a seed, which must not be 0.
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    pub(crate) fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    fn some<T: Copy>(&mut self, all: &[T]) -> Vec<T> {
        let mut some: Vec<T> = all.iter().filter(|_| self.below(2) == 0).copied().collect();
        if some.is_empty() {
            some.push(*self.of(all));
        }
        some
    }
}

/// A rule as somebody reads it.
struct Rule {
    actors: Vec<&'static str>,
    actions: Vec<Action>,
    scope: Option<&'static str>,
    branches: Option<Vec<&'static str>>,
    types: Option<Vec<&'static str>>,
}

pub(crate) struct Rules {
    protected: Vec<&'static str>,
    rules: Vec<Rule>,
}

impl Rules {
    pub(crate) fn random(dice: &mut Dice) -> Rules {
        let protected = if dice.below(3) == 0 { Vec::new() } else { vec![*dice.of(&["main", "release/*"])] };
        let rules = (0..3 + dice.below(6)).map(|_| Rule::random(dice)).collect();
        Rules { protected, rules }
    }

    pub(crate) fn yaml(&self) -> String {
        let list =
            |words: &[&str]| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
        let mut text = format!("version: 1\nprotected_branches: [{}]\ngroups:\n", list(&self.protected));
        for (at, rule) in self.rules.iter().enumerate() {
            let _ = writeln!(text, "  g{at}: [{}]", list(&rule.actors));
        }
        text += "rules:\n";
        for (at, rule) in self.rules.iter().enumerate() {
            let actions: Vec<&str> = rule.actions.iter().map(|action| action.as_str()).collect();
            let word =
                if rule.actions[0].scope() == Scope::Branch { "branch_scope" } else { "target_branch_scope" };
            let scope = rule.scope.map_or(String::new(), |scope| format!(", {word}: {scope}"));
            let patterns = |word: &str, some: &Option<Vec<&str>>| {
                some.as_ref().map_or(String::new(), |some| format!(", {word}: [{}]", list(some)))
            };
            let (branches, types) = (patterns("branches", &rule.branches), patterns("types", &rule.types));
            let _ = writeln!(
                text,
                "  - {{ id: r{at}, allow: {{ actors: {{ group: g{at} }}, actions: [{}]{scope}{branches}{types} }} }}",
                actions.join(", ")
            );
        }
        text
    }

    /// Whether an actor may, on a branch where it is about one.
    pub(crate) fn may(&self, actor: &str, action: Action, branch: &str) -> bool {
        self.may_of(actor, action, branch, None)
    }

    /// Whether an actor may with rows of a type; without a type, whether there is any type of which it may.
    pub(crate) fn may_of(&self, actor: &str, action: Action, branch: &str, type_name: Option<&str>) -> bool {
        let is_protected = self.protected.iter().any(|pattern| means(pattern, branch, actor));
        self.rules.iter().any(|rule| {
            let is_placed = action.scope() == Scope::Graph
                || (match rule.scope {
                    None | Some("any") => true,
                    Some(scope) => (scope == "protected") == is_protected,
                } && rule
                    .branches
                    .as_ref()
                    .is_none_or(|some| some.iter().any(|pattern| means(pattern, branch, actor))));
            let is_of_type = type_name.is_none_or(|name| {
                let some = rule.types.as_ref();
                some.is_none_or(|some| some.iter().any(|pattern| means(pattern, name, actor)))
            });
            rule.actors.contains(&actor) && rule.actions.contains(&action) && is_placed && is_of_type
        })
    }
}

impl Rule {
    fn random(dice: &mut Dice) -> Rule {
        let scope = *dice.of(&[Scope::Branch, Scope::TargetBranch, Scope::Graph]);
        let fitting: Vec<Action> = Action::ALL.into_iter().filter(|action| action.scope() == scope).collect();
        let is_placed = scope != Scope::Graph;
        let branches = (is_placed && dice.below(2) == 0).then(|| dice.some(&PATTERNS));
        let with_scope = is_placed && (branches.is_none() || dice.below(2) == 0);
        Rule {
            actors: dice.some(&ACTORS[..4]),
            actions: dice.some(&fitting),
            scope: with_scope.then(|| *dice.of(&SCOPES)),
            branches,
            types: (scope == Scope::Branch && dice.below(2) == 0).then(|| dice.some(&TYPE_PATTERNS)),
        }
    }
}

/// Whether a pattern means a branch: which beginnings of the pattern fit which beginnings of the name.
fn means(pattern: &str, branch: &str, actor: &str) -> bool {
    if pattern.contains("${actor}") && actor.contains('/') {
        return false;
    }
    let pattern: Vec<u8> = pattern.replace("${actor}", actor).into_bytes();
    let mut fits = vec![false; branch.len() + 1];
    fits[0] = true;
    for letter in pattern {
        let before = fits.clone();
        for at in 0..fits.len() {
            fits[at] = match letter {
                b'*' => before[..=at].contains(&true),
                letter => at > 0 && before[at - 1] && branch.as_bytes()[at - 1] == letter,
            };
        }
    }
    fits[branch.len()]
}

/// The token of an actor.
pub(crate) fn token(actor: &str) -> String {
    format!("tok-{}", actor.replace('/', "-"))
}

/// Whether the rules allow an action on a branch and on all types that the call touches.
pub(crate) fn expected(rules: &Rules, (actor, action, branch): (&str, Action, &str)) -> bool {
    let may_of = |type_name: Option<&str>| {
        rules.may_of(actor, action, branch, type_name)
            || (action == Action::InvokeQuery && rules.may_of(actor, Action::Read, branch, type_name))
    };
    let touched: &[&str] = match action {
        Action::Export => &TYPES,
        Action::Read | Action::Change | Action::InvokeQuery => &["Person"],
        _ => &[],
    };
    may_of(None) && touched.iter().all(|name| may_of(Some(name)))
}
