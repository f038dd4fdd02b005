//! What was scored, as Markdown: a table over all repositories, then the largest classes of each.

use super::predictions::Level;
use super::score::{Class, Scored, Share};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEAD: &str = "# The code index against compilers

Written by `cargo xtask accuracy --truth DIR --repo DIR… --write`. The truth is what a compiler, or a tool built on
one, says of every name at the same commit; places it cannot judge are not counted.

- **Symbols**: functions, methods, macros, constructors and types that the index has.
- **Recall**: references to them that the index resolves to the right definition at `same_module` or better; of all,
  of calls, of types, of imports.
- **Places**: recall with every place counted once. Where a name stands for several declarations (a type and a value, an
  interface and what augments it), the truth lists each, and the index the one that the place asks for.
- **Precision**: of the edges of a confidence level that the truth can judge, those that lead to the right definition;
  **visible** for the three levels together.
- **Through**: the same for visible edges, with those counted as right that lead to the definition where the truth names
  what stands for it: a shorthand property of `module.exports = { f }` that the truth itself leads on to `f`, a local
  that `const { f } = require(…)` binds, the entry of a declaration file beside a script.

Percent.

";

/// How many classes of misses and errors are listed.
const CLASSES: usize = 6;

pub(super) fn markdown(scored: &[Scored]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("| repository | language | symbols | recall | calls | types | imports | places | exact | import_resolved | same_module | visible | through |\n");
    out.push_str("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for repo in scored {
        let _ = write!(out, "| {} | {} |", repo.repo, repo.language);
        for share in [repo.symbols, repo.core, repo.calls, repo.types, repo.imports, repo.places] {
            let _ = write!(out, " {} |", percent(share));
        }
        for level in Level::VISIBLE {
            let _ = write!(out, " {} |", percent(repo.precision.get(&level).copied().unwrap_or_default()));
        }
        let _ = write!(out, " {} | {} |", percent(repo.visible()), percent(repo.through()));
        out.push('\n');
    }
    if scored.len() > 1 {
        total(&mut out, scored);
    }
    for repo in scored {
        detail(&mut out, repo);
    }
    out
}

fn total(out: &mut String, scored: &[Scored]) {
    let sum = |pick: &dyn Fn(&Scored) -> Share| {
        scored.iter().map(pick).fold(Share::default(), |sum, share| Share {
            hits: sum.hits + share.hits,
            total: sum.total + share.total,
        })
    };
    let _ = write!(out, "| all | |");
    let columns: [&dyn Fn(&Scored) -> Share; 6] = [
        &|repo| repo.symbols,
        &|repo| repo.core,
        &|repo| repo.calls,
        &|repo| repo.types,
        &|repo| repo.imports,
        &|repo| repo.places,
    ];
    for column in columns {
        let _ = write!(out, " {} |", percent(sum(column)));
    }
    for level in Level::VISIBLE {
        let share = sum(&|repo: &Scored| repo.precision.get(&level).copied().unwrap_or_default());
        let _ = write!(out, " {} |", percent(share));
    }
    let _ = write!(out, " {} | {} |", percent(sum(&Scored::visible)), percent(sum(&Scored::through)));
    out.push('\n');
}

fn detail(out: &mut String, repo: &Scored) {
    let judged: usize = repo.precision.values().map(|share| share.total).sum();
    let _ = writeln!(
        out,
        "\n## {}\n\n{}; {} references to find, {judged} edges judged.",
        repo.repo, repo.tool, repo.core.total
    );
    for (stand_in, count) in &repo.stand_ins {
        let _ = writeln!(out, "\nAt {count} places the truth names {}.", stand_in.what());
    }
    classes(out, "Missed", &repo.misses);
    classes(out, "Wrong", &repo.errors);
}

fn classes(out: &mut String, title: &str, classes: &BTreeMap<String, Class>) {
    let total: usize = classes.values().map(|class| class.count).sum();
    if total == 0 {
        return;
    }
    let mut largest: Vec<(&String, &Class)> = classes.iter().collect();
    largest.sort_by_key(|(name, class)| (std::cmp::Reverse(class.count), name.as_str()));
    let _ = writeln!(out, "\n{title}, {total} in all:\n");
    for (name, class) in largest.into_iter().take(CLASSES) {
        let examples: Vec<String> = class.examples.iter().map(|example| format!("`{example}`")).collect();
        let _ = writeln!(out, "- {} × {name}: {}", class.count, examples.join(", "));
    }
}

fn percent(share: Share) -> String {
    if share.total == 0 {
        return "-".to_owned();
    }
    format!("{:.2}", 100.0 * share.hits as f64 / share.total as f64)
}
