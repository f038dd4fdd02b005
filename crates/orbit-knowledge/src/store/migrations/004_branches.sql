-- An atom is affirmed against the code of a branch, and may be against several. One row per stamp; without a note there
-- are marks, with one there are none, and it says why.
CREATE TABLE graph_affirmations (
  atom_id TEXT NOT NULL REFERENCES graph_atoms(id) ON DELETE CASCADE,
  stamp_id TEXT NOT NULL,
  commit_sha TEXT,
  branch TEXT,
  is_dirty INTEGER NOT NULL DEFAULT 0,
  prints_version INTEGER NOT NULL,
  stamped_at TEXT NOT NULL,
  note TEXT,
  -- A hash of the text that was affirmed.
  says TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (atom_id, stamp_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE graph_stamped (
  atom_id TEXT NOT NULL,
  stamp_id TEXT NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  own INTEGER,
  symbols TEXT NOT NULL,
  PRIMARY KEY (atom_id, stamp_id, path),
  FOREIGN KEY (atom_id, stamp_id) REFERENCES graph_affirmations(atom_id, stamp_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO graph_affirmations
  SELECT atom_id, 'first', commit_sha, NULL, 0, prints_version, stamped_at, note, '' FROM graph_stamps;
INSERT INTO graph_stamped
  SELECT m.atom_id, 'first', m.path, m.content, m.own, m.symbols FROM graph_marks m
  JOIN graph_stamps s ON s.atom_id = m.atom_id;
DROP TABLE graph_marks;
DROP TABLE graph_stamps;

-- What was deleted, so that no import brings it back, and at which version: what was written after that comes back.
CREATE TABLE graph_deleted (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  deleted_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The text of every file as it was last written to or read from a directory: what both sides had in common.
CREATE TABLE graph_travelled (
  directory TEXT NOT NULL,
  unit_id TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (directory, unit_id)
) STRICT, WITHOUT ROWID;
