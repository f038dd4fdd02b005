//! Packs stay below their budget and say what is missing.

use super::program::{column, export, json, orbit};
use super::worktree::Worktree;
use serde_json::Value;

/// A few modules that call each other, with small and large functions.
fn worktree() -> Worktree {
    let worktree = Worktree::new();
    for module in 0..12 {
        let mut parts = vec![format!("from mod_{} import run_0", (module + 1) % 12)];
        for function in 0..8 {
            parts.push(format!("\n\ndef run_{function}(first, second={module}):"));
            parts.extend((0..=function * module).map(|n| format!("    step_{n}('value {n}', \u{e4} + {n})")));
            parts.push("    return run_0(first)".into());
        }
        let class = "limit = 1\n\n    def work(self):\n        return";
        parts.push(format!("\n\nclass Worker{module}:\n    {class} run_{}(self, 1)\n", module % 8));
        worktree.write(&format!("mod_{module}.py"), parts.join("\n"));
    }
    orbit(worktree.root(), &["sync"]).success();
    worktree
}

fn levels(pack: &Value) -> Vec<String> {
    let entries = pack["entries"].as_array().expect("a list").iter();
    entries
        .map(|entry| {
            format!("{} {}", entry["level"].as_str().unwrap_or(""), entry["selector"].as_str().unwrap_or(""))
        })
        .collect()
}

#[test]
fn sources_come_first_then_neighbours() {
    let worktree = worktree();
    let pack = json(worktree.root(), &["pack", "symbol:mod_3.py#run_1:function", "Nowhere", "dir:."]);
    let keys: Vec<&str> = pack.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["entries", "unresolved", "budget", "auto_refresh", "timed_out", "left_out"]);
    let levels = levels(&pack);
    assert_eq!(levels[0], "source symbol:mod_3.py#run_1:function");
    assert_eq!(levels[1], "signature dir:.");
    assert!(levels[2..].iter().any(|row| row == "signature symbol:mod_3.py#run_0:function"), "{levels:?}");
    assert_eq!(pack["unresolved"][0]["selector"], "Nowhere");
    assert!(pack["unresolved"][0]["reason"].as_str().unwrap().starts_with("not_found"));
    assert_eq!(pack["auto_refresh"]["status"], "skipped");
    let refreshed = json(worktree.root(), &["pack", "Worker3", "--refresh"]);
    assert_eq!(refreshed["auto_refresh"], Value::Null);
}

#[test]
fn a_short_budget_gives_signatures_and_says_what_is_left_out() {
    let worktree = worktree();
    let large = "symbol:mod_11.py#run_7:function";
    let pack = json(worktree.root(), &["pack", large, "Worker3", "--max-tokens", "400"]);
    assert_eq!(levels(&pack)[0], format!("signature {large}"));
    assert!(pack["entries"][0]["text"].as_str().unwrap().contains("def run_7(first, second=11)"));
    assert_eq!(levels(&pack)[1], "source symbol:mod_3.py#Worker3:class");
    let modules: Vec<String> = (0..12).map(|module| format!("file:mod_{module}.py")).collect();
    let mut args = vec!["pack", "--max-tokens", "200"];
    args.extend(modules.iter().map(String::as_str));
    let pack = json(worktree.root(), &args);
    assert!(pack["left_out"].as_u64().unwrap() > 0, "{pack}");
}

#[test]
fn ambiguous_names_and_no_time_are_told() {
    let worktree = worktree();
    let pack = json(worktree.root(), &["pack", "run_3"]);
    assert!(pack["unresolved"][0]["reason"].as_str().unwrap().starts_with("ambiguous"), "{pack}");
    let pack = json(worktree.root(), &["pack", "Worker3", "--timeout-ms", "0"]);
    assert_eq!((pack["timed_out"].as_bool(), pack["unresolved"].as_array().unwrap().len()), (Some(true), 1));
}

/// Two hundred sets of selectors and budgets: never above, and the same twice.
#[test]
fn no_pack_is_above_its_budget() {
    let worktree = worktree();
    let symbols = column(&export(worktree.root()), "symbol", "qualified");
    let mut seed = 11u64;
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % limit
    };
    for round in 0..200 {
        let max = 200 + below(3000);
        let names: Vec<String> = (0..=below(12)).map(|_| symbols[below(symbols.len())].clone()).collect();
        let max_text = max.to_string();
        let mut args = vec!["pack", "--json", "--max-tokens", &max_text];
        args.extend(names.iter().map(String::as_str));
        let text = orbit(worktree.root(), &args).success();
        let pack: Value = serde_json::from_str(&text).unwrap();
        let used = pack["budget"]["used"].as_u64().unwrap() as usize;
        assert!(used <= max, "round {round}: {used} of {max}");
        // Byte-level tokenizers need at most a token for two bytes of code; what is counted is not less than that.
        assert!(text.len() / 4 <= used, "round {round}: {} bytes counted as {used}", text.len());
        if round % 20 == 0 {
            assert_eq!(orbit(worktree.root(), &args).success(), text, "the same input, the same answer");
        }
    }
}
