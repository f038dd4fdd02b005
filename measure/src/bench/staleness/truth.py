"""What became of the Python code and configuration of some areas between two commits, by Python's own parsers.

Reads one JSON line per question on standard input:
    {"base": commit, "later": commit, "areas": [{"files": [path]} | {"file": path, "name": qualified name}]}
and answers each with one JSON line: a list of {"grade": …, "naive": bool}, or null for an area that cannot be judged.
"""

import ast
import difflib
import functools
import json
import subprocess
import sys

try:
    import tomllib
except ImportError:
    tomllib = None
try:
    import yaml
except ImportError:
    yaml = None

FRESH, BODY, SIGNATURE, GONE = range(4)
WORDS = ["fresh", "body_drifted", "signature_changed", "anchor_gone"]


def git(*args):
    return subprocess.run(["git", *args], capture_output=True, check=True).stdout


@functools.lru_cache(maxsize=20000)
def blob(commit, path):
    done = subprocess.run(["git", "cat-file", "blob", f"{commit}:{path}"], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def dump(node):
    if isinstance(node, list):
        return "[" + ",".join(dump(part) for part in node) + "]"
    return "" if node is None else ast.dump(node)


class Unify(ast.NodeTransformer):
    """Takes out what the parser keeps of spelling."""

    def visit_Constant(self, node):
        node.kind = None
        return node


DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Scope:
    """The definitions of a module or class, and what else stands there."""

    def __init__(self, prefix, found, keeps_names):
        self.prefix, self.found, self.keeps_names = prefix, found, keeps_names
        self.assigned = set()
        self.own = []

    def add(self, name, signature, body, kind, size):
        entries = self.found.setdefault(self.prefix + name, [])
        entries.append((signature, body, kind, size))
        if self.keeps_names:
            self.own.append("member " + name)

    def statements(self, body):
        for node in body:
            self.statement(node)

    def statement(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            signature = type(node).__name__ + dump(node.args) + dump(node.returns) + dump(getattr(node, "type_params", []))
            self.add(node.name, signature, dump(node.decorator_list) + dump(node.body), "def", node.end_lineno - node.lineno)
        elif isinstance(node, ast.ClassDef):
            inner = Scope(self.prefix + node.name + ".", self.found, True)
            inner.statements(node.body)
            signature = dump(node.bases) + dump(node.keywords) + dump(getattr(node, "type_params", []))
            self.add(node.name, signature, dump(node.decorator_list) + "\n".join(inner.own), "class", node.end_lineno - node.lineno)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            self.assignment(node)
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.AsyncWith, ast.For, ast.While)) or type(node).__name__ == "TryStar":
            self.compound(node)
        else:
            self.own.append(dump(node))

    def compound(self, node):
        self.own.append("open " + type(node).__name__)
        for field, value in ast.iter_fields(node):
            self.own.append("part " + field)
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.statements(value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.ExceptHandler):
                for handler in value:
                    self.own.append(dump(handler.type) + str(handler.name))
                    self.statements(handler.body)
            elif isinstance(value, ast.AST) or isinstance(value, list):
                self.own.append(dump(value))
        self.own.append("close")

    def assignment(self, node):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = []
        for target in targets:
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
            names += [part.id for part in parts if isinstance(part, ast.Name)]
        new = [name for name in names if name not in self.assigned]
        if not new:
            self.own.append(dump(node))
            return
        self.assigned.update(names)
        signature = dump(getattr(node, "annotation", None))
        for name in new:
            self.add(name, signature, dump(targets) * (len(names) > 1) + dump(node.value), "name", 0)


@functools.lru_cache(maxsize=20000)
def outline(commit, path):
    """Definitions by name and what stands outside of them; None when Python cannot read it."""
    text = blob(commit, path)
    if text is None:
        return "missing"
    try:
        tree = Unify().visit(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = {}
    scope = Scope("", found, False)
    scope.statements(tree.body)
    return found, "\n".join(scope.own)


@functools.lru_cache(maxsize=400)
def changed(base, later):
    """Renamed files, and files that are there at the later commit and not as they were."""
    words = git("diff", "-z", "-M", "-l0", "--name-status", base, later).decode().split("\0")
    files, at = [], 0
    while at + 1 < len(words):
        status, path = words[at], words[at + 1]
        at += 2
        if status[0] in "RC":
            files.append(words[at])
            at += 1
        elif status[0] != "D":
            files.append(path)
    return renames(base, later), [path for path in files if path.endswith(".py")]


def renames(base, later):
    """What git takes for renames, commit by commit: over many commits a file can change more than a diff forgives."""
    log = ["log", "--reverse", "--first-parent", "-m", "-M", "-l0", "--diff-filter=R", "--name-status", "-z", "--format="]
    words = [word.strip("\n") for word in git(*log, f"{base}..{later}").decode().split("\0")]
    renamed, now, at = {}, {}, 0
    while at < len(words):
        if not words[at]:
            at += 1
            continue
        old, new = words[at + 1], words[at + 2]
        at += 3
        first = now.pop(old, old)
        renamed[first], now[new] = new, first
    return renamed


@functools.lru_cache(maxsize=400)
def bodies(base, later):
    """Where definitions of the changed files are, by all they say but their name."""
    found = {}
    for path in changed(base, later)[1]:
        parsed, before = outline(later, path), outline(base, path)
        known = before[0] if isinstance(before, tuple) else {}
        if isinstance(parsed, tuple):
            for name, entries in parsed[0].items():
                for entry in entries:
                    # What was there before is a twin, not the definition itself.
                    key = moved_as(name, entry)
                    if key and name not in known:
                        found.setdefault(key, []).append((path, name))
    return found


# How much of two bodies must be the same for one to be perhaps the other.
ALIKE = 0.6
# Characters of a dumped value from which on the same value is not a coincidence.
TELLING = 100


def moved_as(name, entry):
    """By what a definition is known that went to another place; None when it says too little to be known by.

    A function is known by all it says but its name; a class or a variable by its name as well, since what either says
    of itself is short.
    """
    signature, body, kind, size = entry
    if kind == "def":
        return (signature, body) if size > 0 else None
    return (kind, name, signature, body) if kind == "class" or len(body) >= TELLING else None


@functools.lru_cache(maxsize=400)
def newcomers(base, later):
    """Classes and members of classes that are in a changed file and were not, by their names."""
    found = {}
    for path in changed(base, later)[1]:
        parsed, before = outline(later, path), outline(base, path)
        known = before[0] if isinstance(before, tuple) else {}
        if isinstance(parsed, tuple):
            for name, entries in parsed[0].items():
                if name not in known and ("." in name or entries[0][2] == "class"):
                    found.setdefault(name, []).extend(entries)
    return found


def renamed_perhaps(entry, known, after):
    """Whether a new definition of the file is much like one that is gone.

    Whether that one was renamed and edited, or removed and another one written, is a matter of taste: such an area is
    not judged.
    """
    if entry[3] == 0:
        return False
    new = [other for name, others in after.items() if name not in known for other in others if other[2] == entry[2]]
    alike = lambda other: difflib.SequenceMatcher(None, entry[1].split(), other[1].split()).ratio()
    return any(alike(other) >= ALIKE for other in new)


def judge_symbol(base, later, name, entry, there, known, after):
    if there is None:
        key = moved_as(name, entry)
        if key and len(bodies(base, later).get(key, [])) == 1:
            return FRESH
        # A class that is written elsewhere since, and what is in it, went there.
        others = newcomers(base, later).get(name, [])
        if len(others) != 1:
            return None if renamed_perhaps(entry, known, after) else GONE
        there = others[0]
    if there[0] != entry[0]:
        return SIGNATURE
    return BODY if there[1] != entry[1] else FRESH


def judge_file(base, later, path, wanted):
    """The worst that happened to a file, or to one definition and what is in it."""
    before = outline(base, path)
    if not isinstance(before, tuple):
        return None
    renamed = changed(base, later)[0]
    new_path = path if blob(later, path) is not None else renamed.get(path, path)
    after = outline(later, new_path)
    if after is None:
        return None
    if after == "missing":
        after = ({}, None)
    worst = FRESH
    if wanted is None and after[1] is None:
        worst = GONE
    elif wanted is None and before[1] != after[1]:
        worst = BODY
    for name, entries in before[0].items():
        if wanted is not None and name != wanted and not name.startswith(wanted + "."):
            continue
        others = after[0].get(name, [])
        for at, entry in enumerate(entries):
            there = others[at] if at < len(others) else None
            grade = judge_symbol(base, later, name, entry, there, before[0], after[0])
            if grade is None:
                return None
            worst = max(worst, grade)
    return worst


def plain(value):
    """What a configuration says, whatever its order and spelling: types count, the order of keys does not."""
    if isinstance(value, dict):
        return ("map", tuple(sorted((repr(plain(key)), plain(entry)) for key, entry in value.items())))
    if isinstance(value, list):
        return ("list", tuple(plain(entry) for entry in value))
    return (type(value).__name__, repr(value))


def read_config(path, text):
    if path.endswith(".json"):
        return json.loads(text)
    if path.endswith(".toml"):
        return tomllib.loads(text)
    return list(yaml.safe_load_all(text))


CONFIGS = (".json", ".toml", ".yaml", ".yml")


@functools.lru_cache(maxsize=20000)
def config(commit, path):
    """What a configuration says; None when its parser is not there or cannot read it."""
    text = blob(commit, path)
    if text is None:
        return "missing"
    try:
        return plain(read_config(path, text.decode()))
    except Exception:  # each parser has its own errors
        return None


def judge_config(base, later, path):
    before = config(base, path)
    if before is None or before == "missing":
        return None
    new_path = path if blob(later, path) is not None else changed(base, later)[0].get(path, path)
    after = config(later, new_path)
    if after is None:
        return None
    if after == "missing":
        return GONE
    return FRESH if before == after else BODY


def judge(base, later, area):
    files = area.get("files") or [area["file"]]
    worst, naive = FRESH, False
    for path in files:
        naive = naive or blob(base, path) != blob(later, path)
        is_config = path.endswith(CONFIGS)
        grade = judge_config(base, later, path) if is_config else judge_file(base, later, path, area.get("name"))
        if grade is None:
            return None
        worst = max(worst, grade)
    return {"grade": WORDS[worst], "naive": naive}


def main():
    sys.setrecursionlimit(10000)
    for line in sys.stdin:
        question = json.loads(line)
        if "list" in question:
            parsed = outline(question["base"], question["list"])
            names = [n for n, e in parsed[0].items() if e[0][2] != "name" and len(e) == 1] if isinstance(parsed, tuple) else []
            print(json.dumps(names), flush=True)
            continue
        answers = [judge(question["base"], question["later"], area) for area in question["areas"]]
        print(json.dumps(answers), flush=True)


main()
