-- Words of atoms, molecules, features and tasks, for ranked search. A row of the index is known by its place: rowids of the
-- tables themselves may change when a database is copied.
CREATE TABLE search_places (
  place INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE
) STRICT;

-- `places` are paths and symbols that an atom names.
CREATE VIRTUAL TABLE search_words USING fts5(name, body, places, tokenize = 'porter unicode61');

CREATE TRIGGER search_atom_new AFTER INSERT ON graph_atoms BEGIN
  INSERT INTO search_places (kind, id) VALUES ('atom', NEW.id);
  INSERT INTO search_words (rowid, name, body, places)
    VALUES (last_insert_rowid(), NEW.name, NEW.knowledge, NEW.anchors || ' ' || NEW.paths);
END;
CREATE TRIGGER search_atom_changed AFTER UPDATE OF name, knowledge, anchors, paths ON graph_atoms BEGIN
  UPDATE search_words SET name = NEW.name, body = NEW.knowledge, places = NEW.anchors || ' ' || NEW.paths
    WHERE rowid = (SELECT place FROM search_places WHERE id = NEW.id);
END;
CREATE TRIGGER search_atom_gone AFTER DELETE ON graph_atoms BEGIN
  DELETE FROM search_words WHERE rowid = (SELECT place FROM search_places WHERE id = OLD.id);
  DELETE FROM search_places WHERE id = OLD.id;
END;

CREATE TRIGGER search_molecule_new AFTER INSERT ON graph_molecules BEGIN
  INSERT INTO search_places (kind, id) VALUES ('molecule', NEW.id);
  INSERT INTO search_words (rowid, name, body, places) VALUES (last_insert_rowid(), NEW.name, NEW.knowledge, '');
END;
CREATE TRIGGER search_molecule_changed AFTER UPDATE OF name, knowledge ON graph_molecules BEGIN
  UPDATE search_words SET name = NEW.name, body = NEW.knowledge
    WHERE rowid = (SELECT place FROM search_places WHERE id = NEW.id);
END;
CREATE TRIGGER search_molecule_gone AFTER DELETE ON graph_molecules BEGIN
  DELETE FROM search_words WHERE rowid = (SELECT place FROM search_places WHERE id = OLD.id);
  DELETE FROM search_places WHERE id = OLD.id;
END;

CREATE TRIGGER search_feature_new AFTER INSERT ON features BEGIN
  INSERT INTO search_places (kind, id) VALUES ('feature', NEW.id);
  INSERT INTO search_words (rowid, name, body, places)
    VALUES (last_insert_rowid(), NEW.name, NEW.summary || ' ' || coalesce(NEW.description, ''), '');
END;
CREATE TRIGGER search_feature_changed AFTER UPDATE OF name, summary, description ON features BEGIN
  UPDATE search_words SET name = NEW.name, body = NEW.summary || ' ' || coalesce(NEW.description, '')
    WHERE rowid = (SELECT place FROM search_places WHERE id = NEW.id);
END;
CREATE TRIGGER search_feature_gone AFTER DELETE ON features BEGIN
  DELETE FROM search_words WHERE rowid = (SELECT place FROM search_places WHERE id = OLD.id);
  DELETE FROM search_places WHERE id = OLD.id;
END;

CREATE TRIGGER search_task_new AFTER INSERT ON tasks BEGIN
  INSERT INTO search_places (kind, id) VALUES ('task', NEW.id);
  INSERT INTO search_words (rowid, name, body, places)
    VALUES (last_insert_rowid(), NEW.name, NEW.summary || ' ' || coalesce(NEW.description, ''), '');
END;
CREATE TRIGGER search_task_changed AFTER UPDATE OF name, summary, description ON tasks BEGIN
  UPDATE search_words SET name = NEW.name, body = NEW.summary || ' ' || coalesce(NEW.description, '')
    WHERE rowid = (SELECT place FROM search_places WHERE id = NEW.id);
END;
CREATE TRIGGER search_task_gone AFTER DELETE ON tasks BEGIN
  DELETE FROM search_words WHERE rowid = (SELECT place FROM search_places WHERE id = OLD.id);
  DELETE FROM search_places WHERE id = OLD.id;
END;

INSERT INTO search_places (kind, id)
  SELECT 'atom', id FROM graph_atoms UNION ALL SELECT 'molecule', id FROM graph_molecules
  UNION ALL SELECT 'feature', id FROM features UNION ALL SELECT 'task', id FROM tasks;
INSERT INTO search_words (rowid, name, body, places)
  SELECT p.place, a.name, a.knowledge, a.anchors || ' ' || a.paths FROM search_places p JOIN graph_atoms a ON a.id = p.id
  UNION ALL SELECT p.place, m.name, m.knowledge, '' FROM search_places p JOIN graph_molecules m ON m.id = p.id
  UNION ALL SELECT p.place, f.name, f.summary || ' ' || coalesce(f.description, ''), '' FROM search_places p
    JOIN features f ON f.id = p.id
  UNION ALL SELECT p.place, t.name, t.summary || ' ' || coalesce(t.description, ''), '' FROM search_places p
    JOIN tasks t ON t.id = p.id;
