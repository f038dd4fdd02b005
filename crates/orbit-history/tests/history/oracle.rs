//! The commits of a symbol against those that `git log -L` finds for its lines.

use super::repo::Repo;
use std::collections::BTreeSet;

/// A small generator of numbers: the same ones in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Functions with bodies of a few lines, changed one line at a time.
#[test]
fn commits_of_a_symbol_are_those_of_its_lines() {
    let repo = Repo::new();
    let mut numbers = Numbers(7);
    let mut bodies: Vec<Vec<usize>> = (0..6).map(|_| vec![0, 0, 0]).collect();
    let render = |bodies: &[Vec<usize>]| -> String {
        let function = |(at, body): (usize, &Vec<usize>)| {
            let lines: Vec<String> =
                body.iter().enumerate().map(|(n, value)| format!("    step_{n}_{at}({value})")).collect();
            format!("def function_{at}():\n{}\n    return {at}\n", lines.join("\n"))
        };
        bodies.iter().enumerate().map(function).collect::<Vec<_>>().join("\n\n")
    };
    repo.write("a.py", &render(&bodies)).commit("C0");
    for n in 1..40 {
        let which = numbers.below(bodies.len());
        let line = numbers.below(3);
        bodies[which][line] += 1;
        repo.write("a.py", &render(&bodies)).commit(&format!("C{n}"));
    }
    repo.sync();
    for at in 0..bodies.len() {
        let ours: BTreeSet<String> = repo
            .history(&format!("a.py#function_{at}:function"))
            .commits
            .iter()
            .map(|row| row.sha.clone())
            .collect();
        let range = format!("-L/def function_{at}():/,/return {at}/:a.py");
        let git = repo.git(&["log", "--format=%H", "-s", &range]);
        let theirs: BTreeSet<String> = git.lines().map(str::to_owned).collect();
        assert_eq!(ours, theirs, "function_{at}");
        assert!(theirs.len() > 1);
    }
}
