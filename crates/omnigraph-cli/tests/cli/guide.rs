//! Pages of the guide, run line by line. A test fails when its page differs from what is printed; `UPDATE_EXPECT=1` writes
//! it anew.

use crate::guide_server::Served;
use crate::program::Place;
use expect_test::expect_file;

/// The files that blocks of these languages stand for, unless a name is written behind the language.
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

#[test]
fn the_guide_to_serving_is_true() {
    let page = include_str!("../../../../docs/guide/serving.md");
    expect_file!["../../../../docs/guide/serving.md"].assert_eq(&run(page));
}

#[test]
fn the_page_for_those_who_come_from_elsewhere_is_true() {
    let page = include_str!("../../../../docs/guide/coming-from.md");
    expect_file!["../../../../docs/guide/coming-from.md"].assert_eq(&run(page));
}

/// The page with what its commands print.
fn run(page: &str) -> String {
    let place = Place::new();
    let mut server = None;
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.extend([line, "\n"]);
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let (language, name) = info.split_once(' ').unwrap_or((info, ""));
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let known = FILES.iter().find(|(known, _)| *known == language).map(|(_, file)| *file);
        if let Some(file) = Some(name).filter(|name| !name.is_empty()).or(known) {
            place.write(file, &format!("{}\n", block.join("\n")));
        }
        if language == "text" {
            let commands = block.iter().filter_map(|line| line.strip_prefix("$ "));
            out.extend(commands.map(|command| transcript(&place, &mut server, command)));
        } else {
            out.extend(block.iter().flat_map(|line| [line, "\n"]));
        }
        out.push_str("```\n");
    }
    out
}

/// A command with what it prints. One that ends with `&` is a server, which stays until the next one or the end of the page.
fn transcript(place: &Place, server: &mut Option<Served>, command: &str) -> String {
    if let Some(line) = command.strip_suffix(" &") {
        *server = None; // ends before its place is taken
        let (started, said) = Served::start(place, line);
        *server = Some(started);
        return format!("$ {command}\n{said}");
    }
    let said = match server {
        Some(server) => server.shown(&place.transcript(&[&server.meant(command)])),
        None => place.transcript(&[command]),
    };
    let said = said.replace("\n! ", "\n");
    if said.ends_with('\n') { said } else { said + "\n" }
}
