//! `omnigraph policy`

use crate::args::{PolicyAsk, PolicyCommand, PolicyFile};
use crate::failure::Failure;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph::{Action, Ask, Guard, Scope};
use omnigraph_compiler::did_you_mean;
use omnigraph_policy::{Cases, Policy, PolicyError};
use serde_json::json;
use std::path::PathBuf;

/// Beside the policy, unless omnigraph.yaml says otherwise.
const TESTS: &str = "policy.tests.yaml";

pub(super) fn run(session: &Session, command: &PolicyCommand) -> Result<(), Failure> {
    match command {
        PolicyCommand::Validate(file) => validate(session, file),
        PolicyCommand::Test(file) => test(session, file),
        PolicyCommand::Explain(ask) => explain(session, ask),
    }
}

/// The file that was named, or that of the configuration.
fn path(session: &Session, file: &PolicyFile) -> Result<PathBuf, Failure> {
    file.policy.clone().or_else(|| session.config.policy()).ok_or_else(|| {
        Failure::usage("no policy is named").hint("give --policy, or set `policy.file` in omnigraph.yaml")
    })
}

fn failed(error: PolicyError) -> Failure {
    Failure::new("bad_policy", error.to_string())
}

fn validate(session: &Session, file: &PolicyFile) -> Result<(), Failure> {
    let path = path(session, file)?;
    let policy = Policy::load(&path).map_err(failed)?;
    if session.json {
        return render::json(&json!({ "valid": true, "file": path, "actors": policy.actors() }));
    }
    render::line(&format!("policy valid: {} [{}]", path.display(), counted(policy.actors() as u64, "actor")))
}

fn test(session: &Session, file: &PolicyFile) -> Result<(), Failure> {
    let path = path(session, file)?;
    let policy = Policy::load(&path).map_err(failed)?;
    let tests = session.config.policy_tests().filter(|_| file.policy.is_none());
    let tests = tests.unwrap_or_else(|| path.with_file_name(TESTS));
    let cases = Cases::load(&tests).map_err(failed)?;
    let verdicts = cases.run(&policy);
    let is_bad = verdicts.iter().any(|verdict| !verdict.holds());
    let word = |allowed: bool| if allowed { "allow" } else { "deny" };
    if session.json {
        let cases: Vec<_> = verdicts
            .iter()
            .map(|verdict| {
                json!({
                    "id": verdict.id,
                    "expected": word(verdict.expected),
                    "decided": word(verdict.allowed),
                    "matched_rule": verdict.rule,
                    "passed": verdict.holds(),
                })
            })
            .collect();
        render::json(&json!({ "passed": !is_bad, "cases": cases }))?;
    } else if !is_bad {
        render::line(&format!("policy tests passed: {}", counted(verdicts.len() as u64, "case")))?;
    }
    if !is_bad {
        return Ok(());
    }
    if session.json {
        return Err(Failure::reported());
    }
    let wrong = verdicts.iter().filter(|verdict| !verdict.holds()).map(|verdict| {
        let by = verdict.rule.as_ref().map_or(String::new(), |rule| format!(" by rule '{rule}'"));
        let (expected, decided) = (word(verdict.expected), word(verdict.allowed));
        format!("case '{}': expected {expected}, decided {decided}{by}", verdict.id)
    });
    Err(Failure::new("policy_tests_failed", wrong.collect::<Vec<_>>().join("\n")))
}

fn explain(session: &Session, args: &PolicyAsk) -> Result<(), Failure> {
    let Some(actor) = session.actor.name() else {
        return Err(Failure::usage("no actor is named").hint("give --actor"));
    };
    let action: Action = args.action.parse().map_err(|()| {
        let failure = Failure::usage(format!("there is no action `{}`", args.action));
        let known = Action::ALL.map(Action::as_str);
        failure.hint(did_you_mean(&args.action, known).unwrap_or_else(|| known.join(", ")))
    })?;
    let policy = Policy::load(&path(session, &args.file)?).map_err(failed)?;
    let (branch, target_branch) = (args.branch.as_deref(), args.target_branch.as_deref());
    let type_name = args.type_name.as_deref();
    if type_name.is_some() && !action.has_rows() {
        return Err(Failure::usage(format!("`{action}` is about no rows")).hint("leave --type out"));
    }
    let ask = Ask { actor, action, branch, target_branch, type_name };
    let scoped = ask.scoped_branch();
    match action.scope() {
        Scope::Branch if scoped.is_none() => {
            return Err(Failure::usage(format!("`{action}` is about a branch")).hint("give --branch"));
        }
        Scope::TargetBranch if scoped.is_none() => {
            let failure = Failure::usage(format!("`{action}` is about a target branch"));
            return Err(failure.hint("give --target-branch"));
        }
        _ => {}
    }
    let decision = policy.decide(&ask);
    if session.json {
        return render::json(&json!({
            "actor": actor,
            "action": action.as_str(),
            "branch": branch,
            "target_branch": target_branch,
            "type": type_name,
            "decision": if decision.allowed { "allow" } else { "deny" },
            "matched_rule": decision.rule,
        }));
    }
    let of = type_name.map_or(String::new(), |name| format!(" of type '{name}'"));
    let place = scoped.map_or(String::new(), |branch| format!("{of} on branch '{branch}'"));
    let (word, why) = match &decision.rule {
        Some(rule) => ("allow", format!("rule '{rule}'")),
        None => ("deny", "no rule allows it".to_owned()),
    };
    render::line(&format!("{word}: {actor} {action}{place} ({why})"))
}
