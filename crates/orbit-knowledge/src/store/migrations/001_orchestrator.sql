-- Projects, features, tasks and what hangs on them. Owners of sections, tags, links, claims and transitions are
-- named by kind and id; triggers keep nothing behind that names a deleted owner, but for transitions, which are kept.

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  search_text TEXT NOT NULL
) STRICT;

CREATE TABLE features (
  id TEXT PRIMARY KEY,
  project_id TEXT REFERENCES projects(id),
  name TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'NEW',
  priority TEXT NOT NULL CHECK (priority IN ('HIGH', 'MEDIUM', 'LOW')),
  is_held INTEGER NOT NULL DEFAULT 0,
  blocked_reason TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  search_text TEXT NOT NULL
) STRICT;

CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  project_id TEXT REFERENCES projects(id),
  feature_id TEXT REFERENCES features(id),
  name TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'NEW',
  priority TEXT NOT NULL CHECK (priority IN ('HIGH', 'MEDIUM', 'LOW')),
  complexity INTEGER NOT NULL CHECK (complexity BETWEEN 1 AND 10),
  is_held INTEGER NOT NULL DEFAULT 0,
  blocked_reason TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  search_text TEXT NOT NULL
) STRICT;

CREATE TABLE links (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  link TEXT NOT NULL CHECK (link IN ('BLOCKS', 'RELATES_TO')),
  from_kind TEXT NOT NULL CHECK (from_kind IN ('feature', 'task')),
  from_id TEXT NOT NULL,
  to_kind TEXT NOT NULL CHECK (to_kind IN ('feature', 'task')),
  to_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (link, from_id, to_id)
) STRICT;

CREATE TABLE entity_tags (
  entity_kind TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (entity_id, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE sections (
  id TEXT PRIMARY KEY,
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  title TEXT NOT NULL,
  usage_description TEXT NOT NULL,
  content TEXT NOT NULL,
  format TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  tags TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  UNIQUE (owner_id, ordinal)
) STRICT;

CREATE TABLE templates (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL,
  target TEXT NOT NULL,
  is_built_in INTEGER NOT NULL DEFAULT 0,
  is_enabled INTEGER NOT NULL DEFAULT 1,
  tags TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL
) STRICT;

CREATE TABLE template_sections (
  id TEXT PRIMARY KEY,
  template_id TEXT NOT NULL REFERENCES templates(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  usage_description TEXT NOT NULL,
  content_sample TEXT NOT NULL,
  format TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  is_required INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL,
  UNIQUE (template_id, ordinal)
) STRICT;

CREATE TABLE transitions (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  entity_kind TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  actor TEXT,
  at TEXT NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  "trigger" TEXT NOT NULL,
  reason TEXT
) STRICT;

-- A claim is a lease: it counts while expires_at lies ahead. Paths that a task reserved count as long.
CREATE TABLE claims (
  entity_id TEXT PRIMARY KEY,
  entity_kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  claimed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;

CREATE TABLE reservations (
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  pattern TEXT NOT NULL,
  reserved_at TEXT NOT NULL,
  PRIMARY KEY (task_id, pattern)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_features_project ON features(project_id, status);
CREATE INDEX idx_tasks_project ON tasks(project_id, status);
CREATE INDEX idx_tasks_feature ON tasks(feature_id, status);
CREATE INDEX idx_tasks_next ON tasks(status, priority, complexity, created_at);
CREATE INDEX idx_links_to ON links(to_id, link);
CREATE INDEX idx_links_from ON links(from_id, link);
CREATE INDEX idx_tags_tag ON entity_tags(tag);
CREATE INDEX idx_transitions_entity ON transitions(entity_id, place);
CREATE INDEX idx_claims_actor ON claims(actor, entity_kind);

CREATE TRIGGER project_gone AFTER DELETE ON projects BEGIN
  DELETE FROM sections WHERE owner_id = OLD.id;
  DELETE FROM entity_tags WHERE entity_id = OLD.id;
END;

CREATE TRIGGER feature_gone AFTER DELETE ON features BEGIN
  DELETE FROM sections WHERE owner_id = OLD.id;
  DELETE FROM entity_tags WHERE entity_id = OLD.id;
  DELETE FROM claims WHERE entity_id = OLD.id;
  DELETE FROM links WHERE from_id = OLD.id OR to_id = OLD.id;
END;

CREATE TRIGGER task_gone AFTER DELETE ON tasks BEGIN
  DELETE FROM sections WHERE owner_id = OLD.id;
  DELETE FROM entity_tags WHERE entity_id = OLD.id;
  DELETE FROM claims WHERE entity_id = OLD.id;
  DELETE FROM links WHERE from_id = OLD.id OR to_id = OLD.id;
END;
