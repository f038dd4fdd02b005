//! Lines that an atom cites follow the code.

use super::{SHOP, Scene};
use serde_json::{Value, json};

/// `label` → where it is now, with `!` when the line was changed and `?` when it is gone.
fn cited(scene: &Scene, atom: &Value) -> Vec<String> {
    let now = scene.get(atom)["cited"].as_array().cloned().unwrap_or_default();
    let show = |it: &Value| {
        let mark = if it["changed"] == true { "!" } else { "" };
        format!("{} → {}{mark}", it["cited"].as_str().unwrap(), it["now"].as_str().unwrap_or("?"))
    };
    now.iter().map(show).collect()
}

/// An atom that cites `return math.ceil(amount)`, `return []` with what follows, a line of no file and none at all.
fn citing(scene: &Scene) -> Value {
    scene.atom(json!({"knowledge": "rounded at src/shop.py:11, see src/shop.py:13-14; not src/shop.py:99 or gone.py:3"}))
}

#[test]
fn a_line_is_followed_when_others_come_before_it() {
    let scene = Scene::new();
    let atom = citing(&scene);
    assert!(cited(&scene, &atom).is_empty());
    scene.edit("RATE = 2\n", "RATE = 2\n\n\ndef more():\n    return []\n");
    assert_eq!(
        cited(&scene, &atom),
        ["src/shop.py:11 → src/shop.py:15", "src/shop.py:13-14 → src/shop.py:17-18"]
    );
    // Committed or not, reaffirmed or not: the text has the old number still.
    scene.commit("more");
    let version = scene.get(&atom)["version"].clone();
    let again = json!({"operation": "reaffirm", "entityType": "atom", "id": atom["id"], "version": version});
    scene.ok("manage_graph", again);
    scene.edit("RATE = 2\n", "RATE = 2\nLOW = 1\n");
    assert_eq!(
        cited(&scene, &atom),
        ["src/shop.py:11 → src/shop.py:16", "src/shop.py:13-14 → src/shop.py:18-19"]
    );
    let version = scene.get(&atom)["version"].clone();
    let right = json!({"operation": "update", "entityType": "atom", "id": atom["id"], "version": version,
        "knowledge": "rounded at src/shop.py:16"});
    scene.ok("manage_graph", right);
    assert!(cited(&scene, &atom).is_empty());
}

#[test]
fn a_line_goes_with_its_symbol_and_its_file() {
    let scene = Scene::new();
    let atom = citing(&scene);
    scene.git(&["mv", "src/shop.py", "src/store.py"]);
    scene.commit("renamed");
    assert_eq!(
        cited(&scene, &atom),
        ["src/shop.py:11 → src/store.py:11", "src/shop.py:13-14 → src/store.py:13-14"]
    );
    // The class moves to another file, which has lines of the same text outside of it.
    let (head, class) = SHOP.split_once("class Cart:").unwrap();
    let (class, rest) = class.split_once("\n\n\ndef checkout").unwrap();
    scene.write("src/store.py", &format!("{head}def checkout{rest}"));
    scene.write("src/cart.py", &format!("def no():\n        return []\n\n\nclass Cart:{class}\n"));
    scene.commit("moved");
    scene.history();
    assert_eq!(
        cited(&scene, &atom),
        ["src/shop.py:11 → src/cart.py:10", "src/shop.py:13-14 → src/cart.py:12-13"]
    );
}

#[test]
fn what_was_changed_or_is_unclear_is_said_so() {
    let scene = Scene::new();
    let atom = citing(&scene);
    scene.edit("return math.ceil(amount)", "return math.floor(amount)");
    assert_eq!(cited(&scene, &atom), ["src/shop.py:11 → src/shop.py:11!"]);
    scene.write("src/shop.py", "X = 1\n");
    assert_eq!(cited(&scene, &atom), ["src/shop.py:11 → ?", "src/shop.py:13-14 → ?"]);
    // Two lines that look the same, and their neighbours, too.
    let twin = "def one():\n    go()\n    stop()\n    end()\n";
    scene.write("src/twin.txt", &format!("{twin}{twin}"));
    let other = scene.atom(json!({"name": "Twin", "knowledge": "src/twin.txt:3"}));
    scene.write("src/twin.txt", &format!("\n{twin}{twin}"));
    assert_eq!(cited(&scene, &other), ["src/twin.txt:3 → ?"]);
}
