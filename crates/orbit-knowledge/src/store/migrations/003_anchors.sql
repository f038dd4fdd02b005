-- Knowledge bound to code: what an atom's area looked like when it was written, and what nobody could answer.

ALTER TABLE graph_atoms ADD COLUMN anchors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE graph_atoms ADD COLUMN status TEXT NOT NULL DEFAULT 'confirmed' CHECK (status IN ('confirmed', 'proposed'));

-- Without a note there are marks; with one there are none, and it says why.
CREATE TABLE graph_stamps (
  atom_id TEXT PRIMARY KEY REFERENCES graph_atoms(id) ON DELETE CASCADE,
  commit_sha TEXT,
  prints_version INTEGER NOT NULL,
  stamped_at TEXT NOT NULL,
  note TEXT
) STRICT, WITHOUT ROWID;

-- One row per file. `symbols` is read only when `content` is no longer that of the file.
CREATE TABLE graph_marks (
  atom_id TEXT NOT NULL REFERENCES graph_atoms(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  own INTEGER,
  symbols TEXT NOT NULL,
  PRIMARY KEY (atom_id, path)
) STRICT, WITHOUT ROWID;

-- Paths that were asked for and that no atom covers.
CREATE TABLE graph_gaps (
  project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  asked INTEGER NOT NULL,
  asked_at TEXT NOT NULL,
  PRIMARY KEY (project_id, path)
) STRICT, WITHOUT ROWID;
