//! What was measured, as Markdown: a table of ratios over all repositories, then each with its figures.

use super::edits::Edited;
use super::stats::{median, percentile, ratio, typical};
use super::subject::{Measured, Row};
use crate::child::Cost;
use std::fmt::Write as _;
use std::time::Duration;

const HEAD: &str = "# The code index, measured

Written by `cargo xtask bench code --write`. Figures are of one machine and one run; compare them with each
other, not with those of another day.

";

const TERMS: &str = "
- **Parse floor**: every indexable file read and parsed with the same grammars on as many threads, nothing kept.
- **Walk floor**: the same walk with the same ignore rules and stats, as a process of its own.
- **Peak**: the most memory that one process had. **CPU**: of the process and those it started and waited for.
- **Index**: the database, the tags file, or what a peer leaves in the repository.
- **One file changed**: a function is appended to a file, then taken away again, file after file. *By call* is a
  whole `orbit graph sync` process, *warm* the same sync in a process that has the graph open.

";

/// The whole summary.
pub(super) fn markdown(setting: &[String], measured: &[Measured]) -> String {
    let mut out = String::from(HEAD);
    for line in setting {
        let _ = writeln!(out, "- {line}");
    }
    out.push_str(TERMS);
    overview(&mut out, measured);
    for subject in measured {
        detail(&mut out, subject);
    }
    out
}

fn overview(out: &mut String, measured: &[Measured]) {
    out.push_str(
        "| repository | files | lines | cold CPU / parse floor | peak | index / source | no change / walk floor \
         | one file by call, p95 | one file warm, p95 | least peer CPU / ours |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for subject in measured {
        let (cold, floor) = (typical(&subject.cold.costs), typical(&subject.parse.costs));
        let size = subject.cold.index_bytes.unwrap_or(0) as f64 / subject.floor.bytes as f64;
        let unchanged = ratio(typical(&subject.unchanged).wall, typical(&subject.walk).wall);
        let peers =
            subject.others.iter().filter(|row| !row.name.starts_with("ctags") && !row.costs.is_empty());
        let least = peers.map(|row| typical(&row.costs).cpu).min();
        let least = least.map_or("-".to_owned(), |least| format!("{:.1}", ratio(least, cold.cpu)));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.2} | {} MB | {size:.1} | {unchanged:.2} | {} ms | {} ms | {least} |",
            subject.title,
            subject.floor.files,
            subject.floor.lines,
            ratio(cold.cpu, floor.cpu),
            megabytes(cold.peak),
            millis(percentile(subject.by_call.iter().map(|edited| edited.wall), 95)),
            millis(percentile(subject.warm.iter().map(|edited| edited.wall), 95)),
        );
    }
}

fn detail(out: &mut String, subject: &Measured) {
    let _ = writeln!(out, "\n## {}\n", subject.title);
    let _ = writeln!(
        out,
        "{} files to index, {} lines, {} MB; {} in the index, {} left out.\n",
        subject.floor.files,
        subject.floor.lines,
        megabytes(subject.floor.bytes),
        subject.indexed,
        subject.skipped
    );
    cold_table(out, subject);
    unchanged_table(out, subject);
    edit_table(out, subject);
}

fn cold_table(out: &mut String, subject: &Measured) {
    out.push_str(
        "| from nothing | wall ms | CPU ms | peak MB | index MB | index / source | CPU / parse floor | CPU / ours \
         | wall / ours |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let (floor, ours) = (typical(&subject.parse.costs), typical(&subject.cold.costs));
    for row in [&subject.parse, &subject.cold].into_iter().chain(&subject.others) {
        let _ = writeln!(out, "| {} | {} |", row.name, cold_cells(row, subject.floor.bytes, floor, ours));
    }
}

fn cold_cells(row: &Row, source_bytes: u64, floor: Cost, ours: Cost) -> String {
    if row.costs.is_empty() {
        let why = row.failed.as_deref().unwrap_or("did not run").replace('|', "/");
        return format!("failed: {why} | | | | | | |");
    }
    let cost = typical(&row.costs);
    let (index, share) = match row.index_bytes {
        Some(bytes) => (megabytes(bytes), format!("{:.1}", bytes as f64 / source_bytes as f64)),
        None => ("-".to_owned(), "-".to_owned()),
    };
    let cells = [
        millis(cost.wall),
        millis(cost.cpu),
        megabytes(cost.peak),
        index,
        share,
        format!("{:.2}", ratio(cost.cpu, floor.cpu)),
        format!("{:.2}", ratio(cost.cpu, ours.cpu)),
        format!("{:.2}", ratio(cost.wall, ours.wall)),
    ];
    cells.join(" | ")
}

fn unchanged_table(out: &mut String, subject: &Measured) {
    let (walk, unchanged) = (typical(&subject.walk), typical(&subject.unchanged));
    out.push_str("\n| nothing changed | wall ms | CPU ms | wall / walk floor | CPU / walk floor |\n|---|--:|--:|--:|--:|\n");
    for (name, cost) in [("walk floor", walk), ("**orbit graph sync**", unchanged)] {
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {:.2} | {:.2} |",
            millis(cost.wall),
            millis(cost.cpu),
            ratio(cost.wall, walk.wall),
            ratio(cost.cpu, walk.cpu)
        );
    }
}

fn edit_table(out: &mut String, subject: &Measured) {
    out.push_str(
        "\n| one file changed | files tried | p50 ms | p95 ms | other files resolved again, p50 | p95 | most |\n|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for (name, edited) in [("by call", &subject.by_call), ("warm", &subject.warm)] {
        let wall = |percent| millis(percentile(edited.iter().map(|edited| edited.wall), percent));
        let again = |edited: &[Edited]| edited.iter().map(|edited| edited.reresolved).collect::<Vec<_>>();
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} | {} |",
            edited.len(),
            wall(50),
            wall(95),
            median(again(edited)),
            percentile(again(edited), 95),
            percentile(again(edited), 100)
        );
    }
}

fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    if millis < 100.0 { format!("{millis:.1}") } else { format!("{millis:.0}") }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}
