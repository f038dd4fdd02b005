//! Four agents in two clones with two worktrees each, over random operations (atoms, tasks that travel, claims, code, renames,
//! rebases, export, merge, import), against a model: nothing is lost, nothing comes back, no verdict is wrong, no claim is
//! broken.

use crate::program::outcome;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const OPERATIONS: usize = 300;
const FILES: usize = 8;

/// An atom as the model knows it: what was said about it, and of which code.
#[derive(Default)]
struct Said {
    file: usize,
    /// Everything that was ever appended, with the atom it was appended to being alive where it was.
    tokens: BTreeSet<String>,
    /// Values of the code that it was ever affirmed of.
    affirmed: BTreeSet<u64>,
    /// What whoever deleted it had seen; `None` while nobody did.
    deleted: Option<BTreeSet<String>>,
}

struct World {
    dir: TempDir,
    places: Vec<PathBuf>,
    seed: u64,
    atoms: BTreeMap<String, Said>,
    /// Who holds which task, per clone.
    claims: [BTreeMap<String, usize>; 2],
    tasks: [Vec<String>; 2],
    /// Everything that was said about a task, by its title.
    comments: BTreeMap<String, BTreeSet<String>>,
    /// The parts of every task that has any, by title.
    parts: BTreeMap<String, BTreeSet<String>>,
    count: u64,
}

impl World {
    fn new(seed: u64) -> World {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path().canonicalize().expect("it is there");
        let places = ["a1", "a2", "b1", "b2"].map(|name| root.join(name)).to_vec();
        let mut world = World {
            dir,
            places,
            seed,
            atoms: BTreeMap::new(),
            claims: Default::default(),
            tasks: Default::default(),
            comments: BTreeMap::new(),
            parts: BTreeMap::new(),
            count: 0,
        };
        world.begin(&root);
        world
    }

    fn begin(&mut self, root: &Path) {
        git(root, &["init", "-q", "--bare", "-b", "main", "origin.git"]);
        git(root, &["clone", "-q", "origin.git", "a1"]);
        let a1 = self.places[0].clone();
        git(&a1, &["checkout", "-q", "-B", "main"]);
        std::fs::create_dir_all(a1.join("src")).expect("it can be made");
        for file in 0..FILES {
            std::fs::write(a1.join(path(file)), code(0)).expect("it can be written");
        }
        self.ok(0, &["project", "create", "Shop"]);
        self.ok(0, &["task", "create", "work"]);
        self.install(0);
        self.ok(0, &["knowledge", "export", "--dir", ".orbit/knowledge", "--tasks"]);
        self.save(0);
        git(&a1, &["push", "-q", "origin", "main"]);
        git(&a1, &["worktree", "add", "-q", "-b", "side-a", "../a2"]);
        git(root, &["clone", "-q", "origin.git", "b1"]);
        let b1 = self.places[2].clone();
        self.install(2);
        self.ok(2, &["knowledge", "import", "--dir", ".orbit/knowledge"]);
        git(&b1, &["worktree", "add", "-q", "-b", "side-b", "../b2"]);
        for clone in 0..2 {
            for number in 0..3 {
                let title = format!("task {} {number}", ["a", "b"][clone]);
                self.ok(clone * 2, &["task", "create", &title]);
                self.tasks[clone].push(title);
            }
        }
    }

    fn install(&self, place: usize) {
        self.ok(place, &["knowledge", "merge-driver", "--install"]);
        let driver = format!("{} knowledge merge-driver %O %A %B %P", env!("CARGO_BIN_EXE_orbit"));
        git(&self.places[place], &["config", "merge.orbit-knowledge.driver", &driver]);
    }

    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    fn ok(&self, place: usize, args: &[&str]) -> String {
        self.run(place, args).success()
    }

    fn run(&self, place: usize, args: &[&str]) -> crate::program::Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_orbit"));
        command.args(args).current_dir(&self.places[place]).stdin(Stdio::null());
        command.env("HOME", self.dir.path()).env("ORBIT_ACTOR", format!("agent {place}"));
        for (key, value) in [("NAME", "Ada"), ("EMAIL", "ada@example.org")] {
            command.env(format!("GIT_AUTHOR_{key}"), value).env(format!("GIT_COMMITTER_{key}"), value);
        }
        outcome(command.env_remove("ORBIT_KNOWLEDGE_DB").output().expect("the program runs"))
    }

    fn show(&self, place: usize, atom: &str) -> Option<Value> {
        let shown = self.run(place, &["knowledge", "atom", "show", atom, "--json"]);
        (shown.code == Some(0)).then(|| shown.json()["atom"].clone())
    }

    fn value(&self, place: usize, file: usize) -> u64 {
        let text = std::fs::read_to_string(self.places[place].join(path(file))).expect("it is there");
        let number: String = text.chars().filter(char::is_ascii_digit).collect();
        number.parse().expect("a number")
    }

    /// Exports, and commits everything.
    fn save(&self, place: usize) {
        self.ok(place, &["knowledge", "export", "--dir", ".orbit/knowledge"]);
        let root = &self.places[place];
        git(root, &["add", "-A"]);
        git(root, &["commit", "-q", "--allow-empty", "-m", "save"]);
    }

    fn merge(&self, place: usize, from: &str) {
        let root = &self.places[place];
        let merged = command(root, &["merge", "-q", "--no-edit", from]).output().expect("git runs");
        if !merged.status.success() {
            // Deleted here and changed there: whoever changed it last is believed.
            let text = run_git_text(root, &["status", "--porcelain"]);
            for line in text.lines() {
                let (state, file) = line.split_at(3);
                match state.trim() {
                    "DU" | "UD" => git(root, &["add", file]),
                    "UU" | "AA" | "DD" | "AU" | "UA" => {
                        panic!("{file} does not merge: {text}{}", String::from_utf8_lossy(&merged.stderr))
                    }
                    _ => {}
                }
            }
            git(root, &["commit", "-q", "--no-edit"]);
        }
        self.ok(place, &["knowledge", "import", "--dir", ".orbit/knowledge"]);
    }

    /// Brings everything that one place has to another.
    fn carry(&self, from: usize, to: usize) {
        self.save(from);
        self.save(to);
        let branch = ["main", "side-a", "main", "side-b"][from];
        if from / 2 == to / 2 {
            self.merge(to, branch);
        } else {
            let name = format!("from-{from}");
            git(&self.places[from], &["push", "-q", "-f", "origin", &format!("HEAD:refs/heads/{name}")]);
            git(&self.places[to], &["fetch", "-q", "origin"]);
            self.merge(to, &format!("origin/{name}"));
        }
    }

    fn verdicts(&self, atom: &str) -> Vec<Option<String>> {
        let one =
            |place| self.show(place, atom).map(|it| it["freshness"].as_str().unwrap_or_default().to_owned());
        (0..4).map(one).collect()
    }

    /// What must hold after anything was done.
    fn check(&self, atom: &str) {
        let said = &self.atoms[atom];
        for (place, verdict) in self.verdicts(atom).into_iter().enumerate() {
            let value = self.value(place, said.file);
            if verdict.as_deref() == Some("fresh") {
                assert!(said.affirmed.contains(&value), "{atom} is fresh at {place}, never said of {value}");
            }
        }
    }

    fn pick(&mut self) -> Option<String> {
        let known: Vec<String> = self.atoms.keys().cloned().collect();
        let at = self.random(known.len().max(1));
        known.get(at).cloned()
    }
}

fn path(file: usize) -> String {
    format!("src/f{file}.py").replace(char::is_numeric, &letter(file))
}

fn letter(file: usize) -> String {
    char::from(b'a' + file as u8).to_string()
}

fn code(value: u64) -> String {
    format!("def rate():\n    return {value}\n")
}

fn run_git_text(dir: &Path, args: &[&str]) -> String {
    String::from_utf8_lossy(&command(dir, args).output().expect("git runs").stdout).into_owned()
}

fn git(dir: &Path, args: &[&str]) {
    let done = command(dir, args).output().expect("git runs");
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(args).current_dir(dir);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

impl World {
    fn step(&mut self) {
        self.count += 1;
        let place = self.random(4);
        match self.random(16) {
            0 => self.create(place),
            1..=3 => self.append(place),
            4 => self.reaffirm(place),
            5 if self.random(3) == 0 => self.delete(place),
            5..=6 => self.edit(place),
            7..=8 => {
                let to = (place + 1 + self.random(3)) % 4;
                self.carry(place, to);
            }
            9..=10 => self.travel(place),
            11 => self.rename(place),
            12 => self.rewrite(place),
            _ => self.work(place),
        }
    }

    /// Says something about a task, or finds a part of one: both go wherever its file goes.
    fn travel(&mut self, place: usize) {
        let clone = self.random(2);
        let at = self.random(3);
        let task = self.tasks[clone][at].clone();
        if self.run(place, &["task", "show", &task]).code != Some(0) {
            return;
        }
        let token = format!("token-{}-said", self.count);
        if self.random(3) > 0 {
            self.ok(place, &["task", "comment", &task, &token]);
            self.comments.entry(task).or_default().insert(token);
        } else {
            self.ok(place, &["task", "create", &token, "--parent", &task]);
            self.parts.entry(task).or_default().insert(token);
        }
    }

    /// Renames a function of a file of one's own: what is known about it goes along.
    fn rename(&mut self, place: usize) {
        let file = place + 4 * self.random(FILES / 4);
        git(&self.places[place], &["commit", "-q", "--allow-empty", "-am", "before"]);
        let text = std::fs::read_to_string(self.places[place].join(path(file))).expect("it is there");
        let name = text.split(['(', ' ']).nth(1).expect("a function").to_owned();
        let new: String = format!("rate_{}", self.count).chars().map(undigit).collect();
        let about: Vec<String> =
            self.atoms.iter().filter(|(_, said)| said.file == file).map(|(name, _)| name.clone()).collect();
        let before: Vec<_> = about.iter().map(|name| self.verdicts(name)).collect();
        self.ok(place, &["refactor", "rename", &format!("{}#{name}", path(file)), &new]);
        self.ok(place, &["refactor", "commit", "-m", "renamed"]);
        for (name, before) in about.iter().zip(before) {
            let after = self.verdicts(name);
            let is_kept = |(before, after): (&Option<String>, &Option<String>)| {
                before.as_deref() != Some("fresh") || after.as_deref() == Some("fresh")
            };
            assert!(
                before.iter().zip(&after).all(is_kept),
                "{name}: {before:?}, renamed at {place}: {after:?}"
            );
            self.check(name);
        }
    }

    /// The last commit gets another id, by itself or with what it stands upon.
    fn rewrite(&mut self, place: usize) {
        self.save(place);
        let known: Vec<String> = self.atoms.keys().cloned().collect();
        let here = |world: &World, name: &String| Some(world.show(place, name)?["freshness"].clone());
        let before: Vec<Option<Value>> = known.iter().map(|name| here(self, name)).collect();
        let root = &self.places[place];
        let message = format!("said otherwise {}", self.count);
        git(root, &["commit", "-q", "--allow-empty", "--amend", "-m", &message]);
        git(root, &["rebase", "-q", "--no-ff", "--keep-empty", "HEAD~1"]);
        for (name, before) in known.iter().zip(before) {
            assert_eq!(here(self, name), before, "{name}: a rebase at {place} changed what holds");
        }
    }

    fn create(&mut self, place: usize) {
        let file = self.random(FILES);
        let (name, token) = (format!("atom {}", self.count), format!("token-{}-begin", self.count));
        let globs = path(file);
        self.ok(
            place,
            &[
                "knowledge",
                "atom",
                "create",
                &name,
                "--task",
                "work",
                "--path",
                &globs,
                "--knowledge",
                &token,
            ],
        );
        let affirmed = BTreeSet::from([self.value(place, file)]);
        self.atoms
            .insert(name.clone(), Said { file, tokens: BTreeSet::from([token]), affirmed, deleted: None });
        assert_eq!(self.verdicts(&name)[place].as_deref(), Some("fresh"));
        self.check(&name);
    }

    fn append(&mut self, place: usize) {
        let Some(name) = self.pick() else { return };
        if self.show(place, &name).is_none() {
            return;
        }
        let token = format!("token-{}-more", self.count);
        self.ok(place, &["knowledge", "atom", "update", &name, "--append", &token, "--task", "work"]);
        let value = self.value(place, self.atoms[&name].file);
        let said = self.atoms.get_mut(&name).expect("it was picked");
        said.tokens.insert(token);
        said.affirmed.insert(value);
        assert_eq!(self.verdicts(&name)[place].as_deref(), Some("fresh"));
        self.check(&name);
    }

    fn reaffirm(&mut self, place: usize) {
        let Some(name) = self.pick() else { return };
        if self.show(place, &name).is_none() {
            return;
        }
        let before = self.verdicts(&name);
        self.ok(place, &["knowledge", "atom", "reaffirm", &name]);
        let value = self.value(place, self.atoms[&name].file);
        self.atoms.get_mut(&name).expect("it was picked").affirmed.insert(value);
        let after = self.verdicts(&name);
        assert_eq!(after[place].as_deref(), Some("fresh"));
        for other in 0..4 {
            let is_kept =
                before[other].as_deref() != Some("fresh") || after[other].as_deref() == Some("fresh");
            assert!(is_kept, "{name}: said again at {place}, was fresh at {other}: {after:?}");
        }
        self.check(&name);
    }

    fn delete(&mut self, place: usize) {
        let Some(name) = self.pick() else { return };
        let Some(shown) = self.show(place, &name) else { return };
        let text = shown["knowledge"].as_str().unwrap_or_default().to_owned();
        self.ok(place, &["knowledge", "atom", "delete", &name]);
        let said = self.atoms.get_mut(&name).expect("it was picked");
        let seen = said.tokens.iter().filter(|token| text.contains(*token)).cloned().collect();
        said.deleted = Some(seen);
        assert!(self.show(place, &name).is_none());
    }

    /// Each place has files of its own, so that code always merges.
    fn edit(&mut self, place: usize) {
        let file = place + 4 * self.random(FILES / 4);
        let about: Vec<String> =
            self.atoms.iter().filter(|(_, said)| said.file == file).map(|(name, _)| name.clone()).collect();
        let before: Vec<_> = about.iter().map(|name| self.verdicts(name)).collect();
        let now = std::fs::read_to_string(self.places[place].join(path(file))).expect("it is there");
        let head = now.split_inclusive('\n').next().expect("a function");
        let text = format!("{head}    return {}\n", 1_000 + self.count);
        std::fs::write(self.places[place].join(path(file)), text).expect("it can be written");
        if self.random(2) == 0 {
            git(&self.places[place], &["commit", "-qam", "edit"]);
        }
        for (name, before) in about.iter().zip(before) {
            let after = self.verdicts(name);
            for other in (0..4).filter(|other| *other != place) {
                assert_eq!(
                    after[other], before[other],
                    "{name}: work at {place} changed what holds at {other}"
                );
            }
            self.check(name);
            if self.atoms[name].affirmed.len() == 1 && before[place].as_deref() == Some("fresh") {
                assert_eq!(after[place].as_deref(), Some("body_drifted"), "{name} at {place}");
            }
        }
    }

    fn work(&mut self, place: usize) {
        let clone = place / 2;
        let at = self.random(3);
        let task = self.tasks[clone][at].clone();
        let holder = self.claims[clone].get(&task).copied();
        let is_mine = holder.is_none_or(|holder| holder == place);
        let what = self.random(3);
        let args: Vec<&str> = match what {
            0 => vec!["task", "claim", &task, "--ttl", "86400"],
            1 => vec!["task", "unclaim", &task],
            _ => vec!["task", "update", &task, "--summary", "changed"],
        };
        let done = self.run(place, &args);
        assert_eq!(done.code == Some(0), is_mine, "{args:?} at {place}, held by {holder:?}: {done:?}");
        if !is_mine {
            let name = format!("agent {}", holder.expect("somebody holds it"));
            assert!(done.stderr.contains(&name), "{done:?}");
        } else if what == 0 {
            self.claims[clone].insert(task, place);
        } else if what == 1 {
            self.claims[clone].remove(&task);
        }
    }

    /// Everybody gets everything, and then all say the same.
    fn end(&self) {
        for _ in 0..2 {
            for (from, to) in [(1, 0), (3, 2), (0, 2), (2, 0), (0, 1), (2, 3)] {
                self.carry(from, to);
            }
        }
        self.end_of_tasks();
        for (name, said) in &self.atoms {
            let texts: Vec<Option<String>> = (0..4)
                .map(|place| {
                    self.show(place, name).map(|it| it["knowledge"].as_str().unwrap_or_default().to_owned())
                })
                .collect();
            assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{name} differs: {texts:#?}");
            match (&texts[0], &said.deleted) {
                (None, None) => panic!("{name} is lost"),
                // Whoever deleted it had seen all of it: it must not come back.
                (Some(_), Some(seen)) => assert_ne!(*seen, said.tokens, "{name} came back"),
                (None, Some(_)) => {}
                (Some(_), None) => {}
            }
            if let (Some(text), None) = (&texts[0], &said.deleted) {
                for token in &said.tokens {
                    assert_eq!(text.matches(token.as_str()).count(), 1, "{name}: {token} in {text}");
                }
            }
            self.check(name);
        }
    }
}

impl World {
    /// What was said and found is in both clones, once.
    fn end_of_tasks(&self) {
        for place in [0, 2] {
            for (task, said) in &self.comments {
                let shown = self.run(place, &["task", "show", task, "--json"]).json();
                let texts = shown["comments"].as_array().expect("a list").iter();
                let texts: Vec<&str> = texts.map(|it| it["text"].as_str().unwrap_or_default()).collect();
                assert_eq!(texts.len(), said.len(), "{task} at {place}: {texts:?}, said {said:?}");
                assert!(
                    said.iter().all(|token| texts.contains(&token.as_str())),
                    "{task} at {place}: {texts:?}"
                );
            }
            for (task, parts) in &self.parts {
                let shown = self.run(place, &["task", "show", task, "--json"]).json();
                let found = shown["subtasks"].as_array().cloned().unwrap_or_default();
                let found: BTreeSet<String> =
                    found.iter().map(|it| it["title"].as_str().unwrap_or_default().to_owned()).collect();
                assert_eq!(found, *parts, "{task} at {place}");
            }
        }
    }
}

/// Digits stand for values in the files of the model.
fn undigit(letter: char) -> char {
    letter.to_digit(10).map_or(letter, |digit| char::from(b'a' + digit as u8))
}

#[test]
fn four_agents_lose_nothing_and_bring_nothing_back() {
    let mut world = World::new(0x0b17);
    for _ in 0..OPERATIONS {
        world.step();
    }
    world.end();
    assert!(world.atoms.len() > 10, "the run said something");
}
