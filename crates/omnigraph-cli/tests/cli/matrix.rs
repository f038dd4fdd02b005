//! Every command, on files and on a server: the same output, the same errors, the same exit codes.
//!
//! A command or an option that is in the reference and not in these lists fails a test.

use crate::twins::Twins;
use std::collections::{BTreeMap, BTreeSet};

/// Commands that cannot be the same in both places, and have tests of their own.
const APART: [&str; 7] = [
    "omnigraph init",
    "omnigraph doctor",
    "omnigraph mcp",
    "omnigraph clone",
    "omnigraph graph list",
    "omnigraph request list",
    "omnigraph request stop",
];

/// Options that are not tried with every command: `--uri` and `--target` are where `--branch` is tried too.
const ONCE: [&str; 2] = ["--uri", "--target"];

fn strings(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// Queries in all formats, at all states.
fn queries() -> Vec<String> {
    let mut lines = Vec::new();
    for query in [
        "--query all.gq --name all {T}",
        "--query all.gq --name counted {T}",
        "--query all.gq --name none {T}",
        "--query queries.gq --name adults {G}",
        "--query queries.gq --name friend_counts --branch main {G}",
    ] {
        lines.push(format!("omnigraph read {query}"));
        lines.push(format!("omnigraph read --json {query}"));
        for format in ["json", "jsonl", "csv", "kv", "table"] {
            lines.push(format!("omnigraph read --format {format} {query}"));
        }
        lines.push(format!("omnigraph read --format arrow {query} | cksum"));
    }
    lines.extend(strings(&[
        "keep head /graph_commit_id: omnigraph snapshot --json {G}",
        "omnigraph read --query queries.gq --name get_person --params '{\"name\":\"Alice\"}' --uri {G}",
        "omnigraph read --query queries.gq --name get_person --params-file params.json --target team",
        "omnigraph read --query one.gq",
        "omnigraph read --alias friends Alice",
        "omnigraph read --alias friends Alice {G}",
        "omnigraph friends Alice --json",
        "omnigraph read --query one.gq --snapshot {head} --json {G}",
        "omnigraph read --inline 'query all() { match { $p: Person } return { $p.name } order { $p.name asc } }' --json {G}",
        "omnigraph read --query one.gq --snapshot manifest:main:v1 {G}",
        "omnigraph read --query one.gq --at 2999-01-01 --json {G}",
        "! omnigraph read --query one.gq --at 2001-01-01 {G}",
        "! omnigraph read --query one.gq --at yesterday {G}",
        "! omnigraph read --query one.gq --snapshot nothing {G}",
        "! omnigraph read --query one.gq --snapshot manifest:main:v99 {G}",
        "! omnigraph read --query one.gq --branch nowhere {G}",
        "! omnigraph read --query one.gq --branch nowhere --json {G}",
        "! omnigraph read --query nowhere.gq {G}",
        "! omnigraph read --query queries.gq {G}",
        "! omnigraph read --query queries.gq --name adlts {G}",
        "! omnigraph read --query queries.gq --name get_person {G}",
        "! omnigraph read --query queries.gq --name get_person --params '{\"name\":3}' {G}",
        "! omnigraph read --query queries.gq --name get_person --params '[1]' {G}",
        "! omnigraph read --query queries.gq --name insert_person --params '{\"name\":\"x\"}' {G}",
        "! omnigraph read --query wrong.gq {G}",
        "! omnigraph read --query wrong.gq --json {G}",
        "! omnigraph read --query broken.gq {G}",
        "omnigraph explain --query queries.gq --name friends_of {G}",
        "omnigraph explain --query queries.gq --name friends_of --branch main --json {G}",
        "omnigraph explain --query one.gq --snapshot {head} {G}",
        "omnigraph explain --inline 'query all() { match { $p: Person } return { $p.name } order { $p.name asc } }' {G}",
        "omnigraph explain --query one.gq --at 2999-01-01 {G}",
        "omnigraph explain --query queries.gq --name friends_of --params '{\"name\":\"Alice\"}' --analyze {G}",
        "omnigraph explain --query queries.gq --name get_person --params-file params.json --analyze {G}",
        "omnigraph explain --query queries.gq --name friends_of --schema schema.pg",
        "omnigraph explain --alias friends {G}",
        "! omnigraph explain --query wrong.gq {G}",
    ]));
    lines
}

/// Whatever else is looked at.
fn looks() -> Vec<String> {
    strings(&[
        "keep head /graph_commit_id: omnigraph snapshot --json {G}",
        "omnigraph snapshot {G}",
        "omnigraph snapshot --json {G}",
        "omnigraph snapshot --json {T}",
        "omnigraph snapshot --branch main --at 2999-01-01 {G}",
        "omnigraph snapshot --snapshot {head} {G}",
        "! omnigraph snapshot --branch nowhere --json {G}",
        "! omnigraph snapshot --branch '' {G}",
        "! omnigraph snapshot --snapshot '' --json {G}",
        "omnigraph export {G}",
        "omnigraph export {T}",
        "omnigraph export --json --branch main --type Person --type Knows {G}",
        "omnigraph export --table node:Company --snapshot {head} {G}",
        "omnigraph export --at 2999-01-01 --type Company {G}",
        "! omnigraph export --type Persn {G}",
        "! omnigraph export --branch nowhere --json {G}",
        "omnigraph entity Person Bob {G}",
        "omnigraph entity node:Person Bob --branch main --json {G}",
        "omnigraph entity Person Bob --snapshot {head} {G}",
        "omnigraph entity Person Bob --at 2999-01-01 {G}",
        "omnigraph entity Thing empty --json {T}",
        "omnigraph entity Thing 'ünï 🦀' --json {T}",
        "! omnigraph entity Person Nobody {G}",
        "! omnigraph entity Persn Bob {G}",
        "! omnigraph entity Person '' {G}",
        "omnigraph blob get Thing 'ünï 🦀' bytes {T} | od -An -tx1",
        "omnigraph blob get node:Thing 'ünï 🦀' bytes --branch main --at 2999-01-01 --json {T}",
        "omnigraph blob get Thing 'ünï 🦀' bytes --branch main --out bytes.bin {T} && od -An -tx1 bytes.bin",
        "! omnigraph blob get Thing empty bytes --snapshot {head} {T}",
        "! omnigraph blob get Thing empty bytes {T}",
        "! omnigraph blob get Thing 'ünï 🦀' name {T}",
        "! omnigraph blob get Thing 'ünï 🦀' byte {T}",
        "! omnigraph blob get Thing nobody bytes --json {T}",
        "! omnigraph blob get Thing 'ünï 🦀' bytes --out nowhere/bytes.bin {T}",
        "omnigraph query lint --query queries.gq {G}",
        r#"echo 'match { $p: Person } return { $p.name } order { $p.name }' | omnigraph shell --branch main --format csv {G}"#,
        r#"printf '%s\n' '\branch' '\explain match { $p: Person } return { $p.name }' | omnigraph shell --snapshot {head} {G}"#,
        r#"echo 'match { $p: Persn } return { $p.name }' | omnigraph shell --branch main --at 2999-01-01 {G} || true"#,
        "omnigraph lint --query queries.gq {G}",
        "omnigraph lint --query queries.gq --branch main --json {G}",
        "omnigraph lint --query queries.gq --schema schema.pg",
        "omnigraph lint --query one.gq --snapshot {head} {G}",
        "omnigraph lint --query one.gq --at 2999-01-01 {G}",
        "omnigraph query lint --query queries.gq --branch main --json {G}",
        "omnigraph query lint --query queries.gq --schema schema.pg",
        "omnigraph query lint --query one.gq --snapshot {head} {G}",
        "omnigraph query lint --query one.gq --at 2999-01-01 {G}",
        "! omnigraph query lint --query wrong.gq {G}",
        "omnigraph query check --query queries.gq --uri {G}",
        "omnigraph query check --query queries.gq --schema schema.pg",
        "omnigraph query check --query one.gq --snapshot {head} --json {G}",
        "omnigraph query check --query one.gq --branch main --at 2999-01-01 {G}",
        "! omnigraph query check --query wrong.gq --json {G}",
    ])
}

fn writes() -> Vec<String> {
    strings(&[
        "keep first /graph_commit_id: omnigraph snapshot --json {G}",
        "omnigraph load --data more.jsonl --mode append {G}",
        "! omnigraph load --data more.jsonl --mode append {G}",
        "! omnigraph load --data more.jsonl --mode append --json {G}",
        "omnigraph load --data gone.jsonl --mode merge {G}",
        "printf '{\"edge\":\"Knows\",\"from\":\"Alice\",\"to\":\"Diana\",\"data\":{\"since\":19000}}' | omnigraph load --data - --mode merge --numeric-dates {G}",
        "! printf '{\"edge\":\"Knows\",\"from\":\"Alice\",\"to\":\"Diana\",\"data\":{\"since\":19000}}' | omnigraph load --data - --mode merge --json {G}",
        "printf '{\"type\":\"Person\",\"id\":\"Ida\",\"data\":{\"name\":\"Ida\"}}' | omnigraph ingest --data - --numeric-dates --branch ida {G}",
        "omnigraph load --data people.csv --type Person --mode merge --json {G}",
        "cat people.csv | omnigraph load --data - --format csv --type Person --mode merge {G}",
        "! printf '{\"type\":\"Person\"\\n' | omnigraph load --data - --mode append {G}",
        "printf '' | omnigraph load --data - --mode merge {G}",
        "! omnigraph load --data bad.jsonl --mode merge {G}",
        "! omnigraph load --data bad.jsonl --mode merge --max-errors 1 --json {G}",
        "! omnigraph load --data people.csv --type Persn --mode merge {G}",
        "! omnigraph load --data people.csv --mode merge {G}",
        "! omnigraph load --data nowhere.jsonl --mode merge {G}",
        "! omnigraph load --data more.jsonl --mode merge --branch nowhere {G}",
        "! omnigraph load --data more.jsonl --mode merge --if-commit {first} {G}",
        "! omnigraph load --data more.jsonl --mode merge --if-commit nonsense --json {G}",
        "! omnigraph load --data more.jsonl --mode merge --if-commit '' {G}",
        "! omnigraph load --data more.jsonl --mode merge --branch '' {G}",
        "keep head /graph_commit_id: omnigraph snapshot --json {G}",
        "omnigraph load --data more.jsonl --mode merge --if-commit {head} {G}",
        "omnigraph load --data more.jsonl --mode merge --branch made/here --from main --json {G}",
        "omnigraph load --data seed.jsonl --mode overwrite --branch made/here {G}",
        "omnigraph ingest --data more.jsonl --branch work {G}",
        "omnigraph ingest --data more.jsonl --branch work --mode merge --from main --json {G}",
        "omnigraph ingest --data people.csv --format csv --type Person --branch other {G}",
        "! omnigraph ingest --data bad.jsonl --branch never --max-errors 5 --json {G}",
        "! omnigraph ingest --data more.jsonl --branch never --from nowhere {G}",
        "! omnigraph ingest --data more.jsonl --branch work --if-commit {first} {G}",
        "omnigraph branch list {G}",
        "omnigraph change --query queries.gq --name insert_person --params '{\"name\":\"Eve\",\"age\":29}' {G}",
        "omnigraph change --query queries.gq --name set_age --params '{\"name\":\"Eve\",\"age\":30}' --branch main --json {G}",
        "omnigraph change --query queries.gq --name remove_person --params-file params.json --json --target team",
        "omnigraph change --query queries.gq --name remove_person --params-file params.json {G}",
        "omnigraph change --alias hire Ann 20",
        "omnigraph change --inline 'query hire() { insert Person { name: \"Zoe\" } }' {G}",
        "omnigraph hire Ben 21 --json",
        "! omnigraph change --query queries.gq --name insert_person --params '{\"name\":\"x\"}' --if-commit {first} {G}",
        "! omnigraph change --query queries.gq --name insert_person --params '{\"name\":\"x\"}' --if-commit {first} --json {G}",
        "! omnigraph change --query queries.gq --name insert_person --params '{\"name\":\"x\"}' --if-commit newest {G}",
        "! omnigraph change --query queries.gq --name add_friend --params '{\"from\":\"Alice\",\"to\":\"Nobody\"}' {G}",
        "! omnigraph change --query queries.gq --name add_friend --params '{\"from\":\"Alice\",\"to\":\"Nobody\"}' --json {G}",
        "! omnigraph change --query queries.gq --name adults {G}",
        "! omnigraph change --query queries.gq {G}",
        "! omnigraph change --query broken.gq {G}",
        "! omnigraph change --query one.gq --branch nowhere {G}",
        "omnigraph export {G}",
        "omnigraph export --branch work {G}",
    ])
}

fn set_age(branch: &str, name: &str, age: u32) -> String {
    format!(
        "omnigraph change --query queries.gq --name set_age --params '{{\"name\":\"{name}\",\"age\":{age}}}' --branch {branch} {{G}}"
    )
}

fn branches() -> Vec<String> {
    let mut lines = strings(&[
        "keep first /graph_commit_id: omnigraph snapshot --json {G}",
        "omnigraph branch create --from main review/monday {G}",
        "omnigraph branch create other --json {G}",
        "omnigraph branch create --from manifest:main:v1 empty {G}",
        "omnigraph branch create --from main --at 2999-01-01 then {G}",
        "! omnigraph branch create --from main --at noon then {G}",
        "! omnigraph branch create --from {first} --at 2999-01-01 never {G}",
        "! omnigraph branch create --from main review/monday {G}",
        "! omnigraph branch create --from nowhere x --json {G}",
        "! omnigraph branch create 'a b' {G}",
        "omnigraph branch list {G}",
        "omnigraph branch list --json {G}",
        "omnigraph branch rename then later/on {G}",
        "omnigraph branch rename later/on merge --json {G}",
        "! omnigraph branch rename nowhere x {G}",
        "omnigraph branch delete merge --json {G}",
        "omnigraph branch delete empty {G}",
        "! omnigraph branch delete nowhere/at/all {G}",
        "! omnigraph branch delete main --json {G}",
        "! omnigraph branch delete 'ä?#%' {G}",
        "! omnigraph branch delete '' {G}",
        "! omnigraph branch delete a//b {G}",
    ]);
    lines.push(set_age("review/monday", "Bob", 60));
    lines.extend(strings(&[
        "omnigraph branch create --from review/monday below {G}",
        "! omnigraph branch delete review/monday {G}",
        "! omnigraph branch delete review/monday --json {G}",
        "omnigraph branch delete below --force --json {G}",
        "omnigraph branch merge review/monday --into main --dry-run {G}",
        "omnigraph branch merge review/monday --into main --dry-run --json {G}",
        "! omnigraph branch merge review/monday --if-commit nonsense {G}",
        "omnigraph branch merge review/monday --if-commit {first} --json {G}",
        "omnigraph branch merge review/monday --into main {G}",
        "! omnigraph branch merge review/monday --if-commit {first} {G}",
    ]));
    lines.extend([set_age("other", "Bob", 61), set_age("other", "Alice", 31)]);
    lines.extend(strings(&[
        "! omnigraph branch merge other --into main {G}",
        "! omnigraph branch merge other --into main --json {G}",
        "! omnigraph branch merge nothing --into main {G}",
        "! omnigraph branch merge other --into nothing --json {G}",
        "! omnigraph branch merge other --resolve more.jsonl {G}",
        "! omnigraph branch merge other --resolve nowhere.json --json {G}",
        "printf '{\"table_key\":\"node:Person\",\"row_id\":\"Bob\",\"take\":\"theirs\"}' | omnigraph branch merge other --into main --resolve - --dry-run --json {G}",
        "! printf '{\"table_key\":\"node:Person\",\"row_id\":\"Alice\",\"take\":\"theirs\"}' | omnigraph branch merge other --into main --resolve - --ours --json {G}",
        "omnigraph branch merge other --into main --theirs --dry-run {G}",
        "omnigraph branch create --from main aside {G}",
        "omnigraph branch merge other --into aside --ours {G}",
        "omnigraph branch delete aside {G}",
    ]));
    lines
}

/// Commits that are taken back, and branches that become what they were.
fn reverts() -> Vec<String> {
    let set = |age: u32| {
        format!(
            "omnigraph change --query queries.gq --name set_age --params '{{\"name\":\"Bob\",\"age\":{age}}}' {{G}}"
        )
    };
    let mut lines = strings(&["keep first /graph_commit_id: omnigraph snapshot --json {G}"]);
    lines.push(set(71));
    lines.extend(strings(&["keep second /graph_commit_id: omnigraph snapshot --json {G}"]));
    lines.push(set(72));
    lines.extend(strings(&[
        "! omnigraph revert {second} {G}",
        "! omnigraph revert {second} --json {G}",
        "omnigraph revert {second} --ours --json {G}",
        "omnigraph revert {second} --theirs --dry-run {G}",
        "! printf '[{}]' | omnigraph revert {second} --resolve - {G}",
        "omnigraph revert main --branch main {G}",
        "omnigraph revert {second} {G}",
        "! omnigraph revert {second} --if-commit {first} {G}",
        "! omnigraph revert nothing {G}",
        "! omnigraph revert manifest:main:v1 --json {G}",
        "omnigraph reset {second} --dry-run --json {G}",
        "omnigraph reset {second} --branch main --json {G}",
        "omnigraph reset {first} {G}",
        "omnigraph reset {first} {G}",
        "! omnigraph reset {first} --if-commit {first} {G}",
        "! omnigraph reset nowhere {G}",
        "! omnigraph reset main --branch nowhere --json {G}",
        "omnigraph export {G}",
    ]));
    lines
}

/// Behind [`branches`], which leaves two of them beside main.
fn states() -> Vec<String> {
    strings(&[
        "omnigraph tag create v1 {G}",
        "omnigraph tag create release/2 --from other --json {G}",
        "! omnigraph tag create v1 {G}",
        "omnigraph tag create --force --from {first} v1 {G}",
        "! omnigraph tag create main {G}",
        "! omnigraph tag create --from nowhere v9 --json {G}",
        "omnigraph tag list {G}",
        "omnigraph tag list --json {G}",
        "omnigraph diff v1 main {G}",
        "omnigraph diff main other --json {G}",
        "omnigraph diff main other --rows --format json {G}",
        "omnigraph diff main other --format jsonl {G}",
        "omnigraph diff main other --format text --type Person --op update --op insert --kind node {G}",
        "omnigraph diff manifest:main:v1 main@2999-01-01 --kind edge {G}",
        "omnigraph diff main main {G}",
        "! omnigraph diff main nowhere {G}",
        "! omnigraph diff main other --type Persn --json {G}",
        "! omnigraph diff main other --type Persn --format jsonl {G}",
        "! omnigraph diff main@noon main {G}",
        "omnigraph changes --since {first} {G}",
        "omnigraph changes --since {first} --branch other --json {G}",
        "omnigraph changes --since {first} --branch other --rows --op update --type Person --kind node {G}",
        "omnigraph changes --since {first} --branch other --limit 1 {G}",
        "keep cursor /cursor: omnigraph changes --since {first} --branch other --limit 1 --json {G}",
        "omnigraph changes --since {cursor} --branch other --json {G}",
        "! omnigraph changes --since yesterday {G}",
        "omnigraph commit list {G}",
        "omnigraph commit list --json {G}",
        "omnigraph commit list --branch review/monday --limit 1 {G}",
        "omnigraph commit list --branch other --limit 2 --json {G}",
        "! omnigraph commit list --branch nowhere {G}",
        "omnigraph commit show {first} {G}",
        "omnigraph commit show review/monday --json {G}",
        "omnigraph commit show release/2 {G}",
        "omnigraph commit show manifest:main:v1 {G}",
        "! omnigraph commit show nothing {G}",
        "! omnigraph commit show .. {G}",
        "! omnigraph commit show '' {G}",
        "! omnigraph commit show 01ARZ3NDEKTSV4RRFFQ69G5FAV --json {G}",
        "omnigraph tag delete v1 {G}",
        "omnigraph tag delete release/2 --json {G}",
        "! omnigraph tag delete v1 {G}",
    ])
}

fn runs() -> Vec<String> {
    strings(&[
        "keep run /run_id: omnigraph run begin --operation-hash import-1 --json {G}",
        "keep branch /run_branch: omnigraph run show {run} --json {G}",
        "omnigraph run begin --operation-hash import-1 --branch main {G}",
        "omnigraph run begin --operation-hash import-1 --json {G}",
        "omnigraph load --data more.jsonl --mode append --branch {branch} {G}",
        "omnigraph run show {run} {G}",
        "keep other /run_id: omnigraph run begin --json {G}",
        "omnigraph run begin {G}",
        "! omnigraph run begin --branch nowhere {G}",
        "omnigraph run abort {other} {G}",
        "omnigraph run abort {other} --json {G}",
        "! omnigraph run publish {other} {G}",
        "omnigraph run publish {run} --json {G}",
        "omnigraph run publish {run} {G}",
        "! omnigraph run abort {run} {G}",
        "! omnigraph run show nothing {G}",
        "! omnigraph run publish nothing --json {G}",
        "omnigraph run list {G}",
        "omnigraph run list --json {G}",
        "omnigraph commit list --limit 1 --json {G}",
    ])
}

fn schemas() -> Vec<String> {
    strings(&[
        "keep head /graph_commit_id: omnigraph snapshot --json {G}",
        "omnigraph schema get {G}",
        "omnigraph schema get --branch main --json {G}",
        "omnigraph schema get --snapshot {head} {G}",
        "omnigraph schema get --at 2999-01-01 {T}",
        "! omnigraph schema get --branch nowhere {G}",
        "omnigraph schema plan --schema next.pg {G}",
        "omnigraph schema plan --schema next.pg --branch main --json {G}",
        "omnigraph schema plan --schema schema.pg {G}",
        "omnigraph schema plan --schema other.pg {G}",
        "! omnigraph schema plan --schema broken.pg {G}",
        "! omnigraph schema plan --schema broken.pg --json {G}",
        "! omnigraph schema plan --schema nowhere.pg {G}",
        "! omnigraph schema apply --schema other.pg {G}",
        "! omnigraph schema apply --schema other.pg --json {G}",
        "! omnigraph schema apply --schema stricter.pg {G}",
        "! omnigraph schema apply --schema stricter.pg --json {G}",
        "omnigraph branch create work {G}",
        "! omnigraph schema apply --schema drop.pg --branch work {G}",
        "! omnigraph schema apply --schema drop.pg --branch work --json {G}",
        "omnigraph branch create aside {G}",
        "omnigraph schema apply --schema drop.pg --allow-drop --branch aside {G}",
        "omnigraph schema apply --schema drop.pg --allow-data-loss --branch work {G}",
        "omnigraph schema apply --schema next.pg --json {G}",
        "omnigraph schema apply --schema next.pg {G}",
        "omnigraph export --type Person {G}",
        "! omnigraph query check --query queries.gq {G}",
        "omnigraph schema fmt next.pg",
        "! omnigraph schema fmt --check broken.pg",
        "omnigraph schema fmt --write next.pg",
        "omnigraph query fmt --query queries.gq --schema schema.pg",
        "! omnigraph query fmt --query all.gq --check",
        "omnigraph query fmt --query all.gq --write",
    ])
}

fn maintenance() -> Vec<String> {
    let mut lines = Vec::new();
    for age in 40..44 {
        lines.push(format!(
            "omnigraph change --query queries.gq --name insert_person --params '{{\"name\":\"p{age}\",\"age\":{age}}}' {{G}}"
        ));
    }
    lines.extend(strings(&[
        "keep old /graph_commit_id: omnigraph commit show manifest:main:v3 --json {G}",
        "omnigraph optimize {G}",
        "omnigraph optimize --branch main --json {G}",
        "! omnigraph optimize --branch nowhere {G}",
        "omnigraph cleanup --keep 2 {G}",
        "omnigraph cleanup --keep 2 --older-than 0s --grace 0s --json {G}",
        "! omnigraph cleanup --keep 0 {G}",
        "! omnigraph cleanup --older-than week {G}",
        "omnigraph cleanup --keep 2 --grace 0s --confirm {G}",
        "omnigraph cleanup --older-than 0s --grace 0s --confirm --json {G}",
        "omnigraph commit list {G}",
        "omnigraph commit list --json {G}",
        "omnigraph commit show {old} {G}",
        "! omnigraph export --snapshot {old} --json {G}",
        "! omnigraph read --query one.gq --snapshot {old} {G}",
        "omnigraph fsck {G}",
        "omnigraph fsck --json {G}",
        "omnigraph fsck --json {T}",
    ]));
    lines
}

/// No graph is asked; they are in the list so that the list is whole.
fn alone() -> Vec<String> {
    strings(&[
        "omnigraph version",
        "omnigraph version --json",
        "omnigraph completions bash | cksum",
        "omnigraph embed --input raw.jsonl --output out.jsonl --spec spec.json --reembed-all --type Doc",
        "omnigraph embed --input raw.jsonl --output out.jsonl --spec spec.json --select Doc:slug=a --json",
        "omnigraph embed --seed seed.yaml --clean",
        "omnigraph policy validate --policy policy.yaml",
        "omnigraph policy test --policy policy.yaml --json",
        "omnigraph policy explain --policy policy.yaml --actor act-a --action read --branch main",
        "omnigraph policy explain --policy policy.yaml --actor act-a --action branch_merge --target-branch main --json",
        "omnigraph policy explain --policy policy.yaml --actor act-a --action read --branch main --type Person",
    ])
}

fn check(lines: &[String]) {
    for with_actor in [false, true] {
        let mut twins = Twins::new(with_actor);
        twins.run(lines);
        twins.finish();
    }
}

#[test]
fn what_queries_read_is_the_same() {
    check(&queries());
}

#[test]
fn what_is_looked_at_is_the_same() {
    check(&looks());
}

#[test]
fn what_is_written_is_the_same() {
    check(&writes());
}

#[test]
fn branches_and_their_history_are_the_same() {
    check(&[branches(), states()].concat());
}

#[test]
fn what_is_taken_back_is_the_same() {
    check(&reverts());
}

#[test]
fn runs_are_the_same() {
    check(&runs());
}

#[test]
fn schemas_are_the_same() {
    check(&schemas());
}

#[test]
fn maintenance_is_the_same() {
    check(&maintenance());
}

#[test]
fn what_needs_no_graph_does_not_ask_the_server() {
    let mut twins = Twins::new(false);
    twins.run(&alone());
    twins.finish();
}

/// Commands of the reference that have none below them, with their options.
fn known() -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let page = include_str!("../../../../docs/reference/omnigraph-cli.md");
    let mut command = String::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## `").and_then(|name| name.strip_suffix('`')) {
            name.clone_into(&mut command);
            known.insert(command.clone(), BTreeSet::new());
        } else if let Some(option) = line.strip_prefix("| `--") {
            let name = option.split([' ', '`']).next().expect("a name");
            known.entry(command.clone()).or_default().insert(format!("--{name}"));
        }
    }
    let all: Vec<String> = known.keys().cloned().collect();
    known.retain(|name, _| !all.iter().any(|other| other.starts_with(&format!("{name} "))));
    known
}

#[test]
fn every_command_and_option_is_in_the_lists() {
    let lines: Vec<String> = [
        queries(),
        looks(),
        writes(),
        branches(),
        reverts(),
        states(),
        runs(),
        schemas(),
        maintenance(),
        alone(),
    ]
    .concat();
    let known = known();
    assert!(known.len() > 40, "the reference is read: {}", known.len());
    let mut missing = Vec::new();
    for (command, options) in known.iter().filter(|(command, _)| !APART.contains(&command.as_str())) {
        let uses: Vec<&String> = lines
            .iter()
            .filter(|line| line.contains(&format!("{command} ")) || line.ends_with(command.as_str()))
            .collect();
        if uses.is_empty() {
            missing.push(command.clone());
        }
        let is_used =
            |option: &String| uses.iter().any(|line| line.split_whitespace().any(|word| word == option));
        let unused = options.iter().filter(|option| !ONCE.contains(&option.as_str()) && !is_used(option));
        missing.extend(unused.map(|option| format!("{command} {option}")));
    }
    assert!(missing.is_empty(), "not in the lists: {missing:#?}");
}
