//! Tables, commit records, branches and snapshots of a graph, on Lance.
