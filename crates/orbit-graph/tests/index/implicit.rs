//! Go types implement interfaces without saying so.

use crate::tree::Tree;
use orbit_graph::{Graph, Selector, SyncPolicy};

const SHAPES: &str = "==> go.mod
module example.com/shapes

==> shape.go
package shapes

import \"io\"

type Named interface {
\tName() string
}

type Shape interface {
\tNamed
\tScale(x, y float64) (float64, error)
}

type Source interface {
\tio.Reader
\tName() string
}

type Empty interface{}

==> square.go
package shapes

type Square struct{}

func (s Square) Name() string { return \"square\" }

type Tile struct {
\t*Square
}

type Wrong struct{}

func (Wrong) Name() string { return \"wrong\" }

func (Wrong) Scale(x float64) (float64, error) { return x, nil }

==> scale.go
package shapes

func (s *Square) Scale(factor float64, other float64) (result float64, err error) { return 0, nil }
";

fn implementors(graph: &Graph, name: &str) -> Vec<String> {
    let answer = graph.implementors(&Selector::parse(name).expect("a name"), 50).expect("an answer");
    answer.implementors.iter().map(|row| format!("{} {}", row.kind, row.type_qualified)).collect()
}

#[test]
fn types_with_all_methods_implement_an_interface() {
    let tree = Tree::of(SHAPES);
    let graph = Graph::open(tree.root(), SyncPolicy::OnRead).expect("a worktree");
    assert_eq!(
        implementors(&graph, "Shape"),
        ["implements example.com/shapes.Square", "implements example.com/shapes.Tile"],
        "methods of another file and of an embedded type count, another signature does not"
    );
    let named = implementors(&graph, "Named");
    assert!(named.contains(&"implements example.com/shapes.Wrong".to_owned()), "{named:?}");
    assert!(named.contains(&"extends example.com/shapes.Shape".to_owned()), "{named:?}");
    assert_eq!(implementors(&graph, "Empty"), Vec::<String>::new(), "everything implements it");
    assert_eq!(implementors(&graph, "Source"), Vec::<String>::new(), "what a reader needs is not known");
}
