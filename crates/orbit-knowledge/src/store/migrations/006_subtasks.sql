-- Subtasks, what a task was discovered from, comments, lines that texts cite, and the deletion of work that travels with git.
ALTER TABLE tasks ADD COLUMN parent_id TEXT REFERENCES tasks(id);
CREATE INDEX idx_tasks_parent ON tasks(parent_id) WHERE parent_id IS NOT NULL;

-- A check cannot be changed: the table is made anew, and the triggers that name it.
DROP TRIGGER project_gone;
DROP TRIGGER feature_gone;
DROP TRIGGER task_gone;
CREATE TABLE links_new (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  link TEXT NOT NULL CHECK (link IN ('BLOCKS', 'RELATES_TO', 'DISCOVERED_FROM')),
  from_kind TEXT NOT NULL CHECK (from_kind IN ('feature', 'task')),
  from_id TEXT NOT NULL,
  to_kind TEXT NOT NULL CHECK (to_kind IN ('feature', 'task')),
  to_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (link, from_id, to_id)
) STRICT;
INSERT INTO links_new SELECT place, link, from_kind, from_id, to_kind, to_id, created_at FROM links;
DROP TABLE links;
ALTER TABLE links_new RENAME TO links;
CREATE INDEX idx_links_to ON links(to_id, link);
CREATE INDEX idx_links_from ON links(from_id, link);

CREATE TABLE comments (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  actor TEXT,
  text TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_comments_owner ON comments(owner_id, created_at);

CREATE TRIGGER project_gone AFTER DELETE ON projects BEGIN
  DELETE FROM sections WHERE owner_id = OLD.id;
  DELETE FROM entity_tags WHERE entity_id = OLD.id;
  DELETE FROM comments WHERE owner_id = OLD.id;
END;

CREATE TRIGGER feature_gone AFTER DELETE ON features BEGIN
  DELETE FROM sections WHERE owner_id = OLD.id;
  DELETE FROM entity_tags WHERE entity_id = OLD.id;
  DELETE FROM comments WHERE owner_id = OLD.id;
  DELETE FROM claims WHERE entity_id = OLD.id;
  DELETE FROM links WHERE from_id = OLD.id OR to_id = OLD.id;
END;

CREATE TRIGGER task_gone AFTER DELETE ON tasks BEGIN
  DELETE FROM sections WHERE owner_id = OLD.id;
  DELETE FROM entity_tags WHERE entity_id = OLD.id;
  DELETE FROM comments WHERE owner_id = OLD.id;
  DELETE FROM claims WHERE entity_id = OLD.id;
  DELETE FROM links WHERE from_id = OLD.id OR to_id = OLD.id;
END;

-- What is said in comments is found, too.
DROP TRIGGER search_feature_changed;
CREATE TRIGGER search_feature_changed AFTER UPDATE OF name, summary, description ON features BEGIN
  UPDATE search_words SET name = NEW.name, body = NEW.summary || ' ' || coalesce(NEW.description, '') || ' '
      || coalesce((SELECT group_concat(text, ' ') FROM comments WHERE owner_id = NEW.id), '')
    WHERE rowid = (SELECT place FROM search_places WHERE id = NEW.id);
END;
DROP TRIGGER search_task_changed;
CREATE TRIGGER search_task_changed AFTER UPDATE OF name, summary, description ON tasks BEGIN
  UPDATE search_words SET name = NEW.name, body = NEW.summary || ' ' || coalesce(NEW.description, '') || ' '
      || coalesce((SELECT group_concat(text, ' ') FROM comments WHERE owner_id = NEW.id), '')
    WHERE rowid = (SELECT place FROM search_places WHERE id = NEW.id);
END;
CREATE TRIGGER search_comment_new AFTER INSERT ON comments BEGIN
  UPDATE features SET summary = summary WHERE id = NEW.owner_id;
  UPDATE tasks SET summary = summary WHERE id = NEW.owner_id;
END;
CREATE TRIGGER search_comment_gone AFTER DELETE ON comments BEGIN
  UPDATE features SET summary = summary WHERE id = OLD.owner_id;
  UPDATE tasks SET summary = summary WHERE id = OLD.owner_id;
END;

-- Lines that the text of an atom cites, as they were when it was affirmed.
ALTER TABLE graph_affirmations ADD COLUMN cited TEXT NOT NULL DEFAULT '[]';

-- Tasks and features are kept apart from atoms and molecules: they travel only where that was asked for.
ALTER TABLE graph_deleted ADD COLUMN is_work INTEGER NOT NULL DEFAULT 0;
