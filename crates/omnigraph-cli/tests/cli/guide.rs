//! Pages of the guide, run line by line. A test fails when its page differs from what is printed; `UPDATE_EXPECT=1` writes
//! it anew.

use crate::program::Place;
use expect_test::expect_file;

/// The files that blocks of these languages stand for.
const FILES: [(&str, &str); 3] = [("pg", "schema.pg"), ("jsonl", "people.jsonl"), ("gq", "people.gq")];

#[test]
fn the_guide_is_true() {
    let page = include_str!("../../../../docs/guide/a-shared-graph.md");
    expect_file!["../../../../docs/guide/a-shared-graph.md"].assert_eq(&run(page));
}

#[test]
fn the_page_about_keeping_a_graph_is_true() {
    let page = include_str!("../../../../docs/guide/keeping-a-graph.md");
    expect_file!["../../../../docs/guide/keeping-a-graph.md"].assert_eq(&run(page));
}

#[test]
fn the_guide_to_branches_is_true() {
    let page = include_str!("../../../../docs/guide/branches.md");
    expect_file!["../../../../docs/guide/branches.md"].assert_eq(&run(page));
}

/// The page with what its commands print.
fn run(page: &str) -> String {
    let place = Place::new();
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.extend([line, "\n"]);
        let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some((_, file)) = FILES.iter().find(|(known, _)| *known == language) {
            place.write(file, &format!("{}\n", block.join("\n")));
        }
        if language == "text" {
            let commands: Vec<&str> = block.iter().filter_map(|line| line.strip_prefix("$ ")).collect();
            out.push_str(&place.transcript(&commands).replace("\n! ", "\n"));
        } else {
            out.extend(block.iter().flat_map(|line| [line, "\n"]));
        }
        out.push_str("```\n");
    }
    out
}
