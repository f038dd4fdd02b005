"""Uses `orbit mcp` through the official Python SDK, as an agent's client does.

Usage: mcp_client.py ORBIT SCENARIO DIR. DIR is a worktree the scenario may change. A failed assertion ends it.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ORBIT, SCENARIO, DIR = sys.argv[1:4]
TOOLS = [f"graph_{name}" for name in
         ("sync", "search", "show", "refs", "callees", "impact", "path", "trace", "overview", "implementors", "deps", "cycles", "unused", "history",
          "pack")]


@contextlib.asynccontextmanager
async def client(*arguments):
    server = StdioServerParameters(command=ORBIT, args=["mcp", "-C", DIR, *arguments])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        session.hello = hello
        yield session


async def answer(session, tool, **arguments):
    """The JSON of a tool that succeeds."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, (tool, arguments, result.content[0].text)
    return json.loads(result.content[0].text)


async def error(session, tool, **arguments):
    """The error of a tool that fails; it is a result, not a failure of the protocol."""
    result = await session.call_tool(tool, arguments)
    assert result.is_error, (tool, arguments, result.content[0].text)
    found = json.loads(result.content[0].text)["error"]
    assert found["code"] and found["message"] and found["hint"], found
    return found


def write(path, text):
    with open(os.path.join(DIR, path), "w") as file:
        file.write(text)


async def tools():
    """Every tool is listed with a small schema, and answers."""
    async with client() as session:
        listed = (await session.list_tools()).tools
        assert sorted(tool.name for tool in listed) == sorted(TOOLS), listed
        shown = json.dumps([tool.model_dump(exclude_none=True) for tool in listed]) + session.hello.instructions
        assert len(shown) / 4 < 2500, len(shown)
        for tool in listed:
            assert "max_tokens" in tool.input_schema["properties"], tool.name

        assert (await answer(session, "graph_sync"))["files_indexed"] == 3
        found = await answer(session, "graph_search", query="load config")
        assert found["matches"][0]["selector"] == "symbol:app/config.py#load_config:function", found
        shown = await answer(session, "graph_show", selector="load_config")
        assert shown["source"].startswith("def load_config"), shown
        assert shown["metadata"]["line"] == 8, shown
        refs = await answer(session, "graph_refs", selector="load_config", kind="call")
        assert refs["refs"]["call"] == {"app/main.py": "run:6 check:11,12"}, refs
        rows = await answer(session, "graph_refs", selector="load_config", kind="call", detail=True)
        assert [row["line"] for row in rows["refs"]] == [6, 11, 12], rows
        assert rows["refs"][0]["snippet"] == "return load_config(path)", rows
        callees = await answer(session, "graph_callees", selector="app/main.py:11")
        assert callees["callees"]["app/config.py"] == "load_config:11", callees
        impact = await answer(session, "graph_impact", selector=["load_config"])
        assert impact["touched"] == {"app/main.py": "1: run:5 check:10"}, impact
        trace = await answer(session, "graph_trace", selector="check")
        assert trace["root"]["name"] == "check", trace
        assert (await answer(session, "graph_overview"))["languages"] == {"python": 3}
        types = await answer(session, "graph_implementors", selector="Source")
        assert types["implementors"] == {"extends": {"app/config.py": ["FileSource:4"]}}, types
        deps = await answer(session, "graph_deps", selector="file:app/main.py")
        assert deps["imports"][1]["resolved_file"] == "app/config.py", deps
        assert (await answer(session, "graph_cycles"))["cycles"] == []
        for tool in ["graph_refs", "graph_show", "graph_callees"]:
            several = await answer(session, tool, selector=["load_config", "run"])
            assert list(several["answers"]) == ["load_config", "run"], several
            for selector, part in several["answers"].items():
                assert part == await answer(session, tool, selector=selector), part
        unused = await answer(session, "graph_unused", grade="all")
        assert unused["definitions"]["exported"] == {"app/main.py": ["run:5"]}, unused
        path = await answer(session, "graph_path", **{"from": "check", "to": "load_config"})
        assert path == {"path": ["app/main.py:10 app.main.check -> 11", "app/config.py:8 app.config.load_config"]}, path


async def errors():
    """What an agent can act on is a result with code, message and hint; the server goes on."""
    async with client() as session:
        await answer(session, "graph_sync")
        missing = await error(session, "graph_show", selector="load_confg")
        assert missing["code"] == "not_found", missing
        assert missing["candidates"] == ["symbol:app/config.py#load_config:function"], missing
        many = await error(session, "graph_show", selector="read")
        assert many["code"] == "ambiguous" and len(many["candidates"]) == 2, many
        for tool, arguments, message in [
            ("graph_refs", {}, "`selector` is missing"),
            ("graph_refs", {"selector": ""}, "`selector` is missing"),
            ("graph_refs", {"selector": "load_config", "confidence": "sure"}, "`sure` is not a valid `confidence`"),
            ("graph_refs", {"selector": "load_config", "limit": -1}, "`-1` is not a valid `limit`"),
            ("graph_refs", {"selector": "load_config", "kinds": "call"}, "`kinds` is not an argument of graph_refs"),
            ("graph_search", {"query": "x", "kind": "thing"}, "`thing` is not a valid `kind`"),
            ("graph_search", {"query": "x", "symbol_kind": "thing"}, "`thing` is not a valid `symbol_kind`"),
            ("graph_refs", {"selector": {"name": "run"}}, "`selector` takes one value or a list, not an object"),
            ("graph_trace", {"selector": {"name": "run"}}, "`selector` takes one value, not a list or an object"),
            ("graph_trace", {"selector": ["run", "check"]}, "`selector` takes one value, not a list or an object"),
            ("graph_refs", {"selector": "run", "detail": "perhaps"}, "`detail` takes true or false"),
            ("graph_sync", {"full": "yes"}, "`full` takes true or false"),
            ("graph_search", {}, "`query` is missing"),
            ("graph_pack", {"selector": "run", "max_tokens": 50}, "50 tokens are too few for a pack"),
            ("graph_impact", {"selector": "run", "diff": "worktree"}, "`diff` and `selector` exclude each other"),
        ]:
            refused = await error(session, tool, **arguments)
            assert refused["code"] == "bad_argument" and refused["message"] == message, refused
            assert "--" not in refused["hint"], refused
        for arguments, nearest in [({"max_results": 5}, "limit"), ({"limt": None}, "limit"), ({"language": ""}, "lang")]:
            refused = await error(session, "graph_search", query="x", **arguments)
            assert refused["message"] == f"`{next(iter(arguments))}` is not an argument of graph_search", refused
            assert refused["hint"].startswith(f"did you mean `{nearest}`? it takes query, "), refused
        nothing = await error(session, "graph_show", selector="qqqqqq")
        assert "`graph_sync`" in nothing["hint"] and "orbit" not in nothing["hint"], nothing
        lenient = await answer(session, "graph_impact", selector='["load_config", "run"]', depth="1", limit=20.0, detail=False)
        assert len(lenient["start"]) == 2, lenient
        for tool, arguments, strict in [
            ("graph_show", {"selectors": ["load_config"]}, {"selector": "load_config"}),
            ("graph_show", {"selector": "load_config", "maxTokens": "500", "lines": None}, {"selector": "load_config"}),
            ("graph_trace", {"selector": ["check"], "depth": " 2 "}, {"selector": "check", "depth": 2}),
            ("graph_trace", {"selector": '["check"]'}, {"selector": "check"}),
            ("graph_refs", {"selector": "run", "kind": "Call", "confidence": "same-module"},
             {"selector": "run", "kind": "call", "confidence": "same_module"}),
            ("graph_refs", {"selector": "run", "detail": "False"}, {"selector": "run"}),
            ("graph_search", {"query": ["load", "config"]}, {"query": "load config"}),
        ]:
            assert await answer(session, tool, **arguments) == await answer(session, tool, **strict), arguments
        both = await error(session, "graph_show", selector="run", selectors=["check"])
        assert both["message"] == "`selectors` is not an argument of graph_show", both
        assert (await error(session, "graph_deps", selector="dir:../elsewhere"))["code"] == "bad_selector"
        assert (await error(session, "graph_impact", diff="no-such-branch"))["code"] == "git_failed"
        try:
            await session.call_tool("graph_nothing", {})
            raise AssertionError("a tool that does not exist answered")
        except AssertionError:
            raise
        except Exception as refused:
            assert "graph_nothing" in str(refused), refused
        write("app/long.py", "".join(f"def long_{number}():\n    pass\n" for number in range(300)))
        await answer(session, "graph_sync")
        for tool, arguments in [("graph_search", {"query": "long", "limit": 300}),
                                ("graph_overview", {"format": "full"})]:
            small = await session.call_tool(tool, {"max_tokens": 200, **arguments})
            text = small.content[0].text
            assert len(text) <= 600 and json.loads(text)["cut"]["hint"], text
        assert (await answer(session, "graph_search", query="load"))["matches"]


async def pages():
    """A source above max_tokens comes in pages of whole lines; what is short stays whole beside it."""
    text = "".join(f"def long_{number}():\n    return \"\\t{number}\"\n" for number in range(300))
    write("app/long.py", text)
    async with client() as session:
        await answer(session, "graph_sync")
        for cap in [200, 1000, 20000]:
            joined, page, lines = "", None, {}
            while page is None or lines:
                result = await session.call_tool("graph_show", {"selector": "app/long.py", "max_tokens": cap, **lines})
                assert len(result.content[0].text) <= 3 * cap, result
                page = json.loads(result.content[0].text)
                assert "cut" not in page and page["source"].endswith("\n"), page
                joined += page["source"]
                lines = {"lines": page["next_lines"]} if "next_lines" in page else {}
            assert joined == text, cap
        both = await answer(session, "graph_show", selector=["app/long.py", "load_config"], max_tokens=500)
        assert both["answers"]["load_config"]["source"].endswith("read()"), both
        assert both["answers"]["app/long.py"]["next_lines"].endswith("-600"), both
        some = await answer(session, "graph_show", selector="app/long.py:3-4")
        assert some["source"] == 'def long_1():\n    return "\\t1"\n' and some["lines"] == "3-4", some
        for lines in ["7", 7, "7-7"]:
            assert (await answer(session, "graph_show", selector="app/long.py", lines=lines))["lines"] == "7-7"
        refused = await error(session, "graph_show", selector="load_config", lines="1-2")
        assert refused["message"].endswith("it is on lines 8-9"), refused
        refused = await error(session, "graph_show", selector="load_config", lines="9-2")
        assert refused["message"] == "`9-2` is not a valid `lines`" and "--" not in refused["hint"], refused


async def fresh():
    """An edit is seen after graph_sync at once, and without it when the watcher has noticed."""
    async with client() as session:
        await answer(session, "graph_sync")
        write("app/extra.py", "from app.config import load_config\n\n\ndef more():\n    load_config('x')\n")
        report = await answer(session, "graph_sync")
        refs = await answer(session, "graph_refs", selector="load_config", kind="call")
        assert refs["refs"]["call"]["app/extra.py"] == "more:5", (report, refs)

        os.rename(os.path.join(DIR, "app/extra.py"), os.path.join(DIR, "app/other.py"))
        write("app/main.py", "def nothing():\n    pass\n")
        await until(session, lambda files: files == {"app/other.py"})
        os.remove(os.path.join(DIR, "app/other.py"))
        await until(session, lambda files: files == set())


async def until(session, is_right):
    """Asks until the watcher has seen the change. Until then every answer about changed files says so."""
    deadline = time.monotonic() + 20
    while True:
        refs = await answer(session, "graph_refs", selector="load_config", kind="call")
        files = set(refs["refs"].get("call", {}))
        if is_right(files):
            return
        gone = {path for path in files if not os.path.exists(os.path.join(DIR, path))}
        assert gone <= set(refs.get("stale", [])), refs
        assert time.monotonic() < deadline, refs
        await asyncio.sleep(0.05)


async def two():
    """Two clients of one worktree see each other's edits and do not get in each other's way."""
    async with client() as one, client() as other:
        await asyncio.gather(answer(one, "graph_sync"), answer(other, "graph_sync"))
        for number in range(5):
            write(f"app/new{number}.py", f"def made_{number}():\n    pass\n")
            await answer(one if number % 2 else other, "graph_sync")
            both = await asyncio.gather(*(
                answer(session, "graph_search", query=f"made_{number}") for session in (one, other) for _ in range(4)))
            for found in both:
                assert found["matches"][0]["selector"] == f"symbol:app/new{number}.py#made_{number}:function", found


def git(*arguments):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], cwd=DIR, check=True, capture_output=True)


async def worktrees():
    """One server answers for several worktrees: each from its own files, the first unless another is named."""
    git("add", "-A")
    git("commit", "-q", "-m", "all")
    second, third = os.path.join(DIR, ".wt/second"), os.path.join(DIR, ".wt/third")
    git("worktree", "add", "-q", "-b", "second", second)
    write(".wt/second/app/config.py", "def load_settings(path):\n    return path\n")
    async with client() as session:
        one = (await session.list_tools()).tools
        assert all("worktree" not in tool.input_schema["properties"] for tool in one)
        refused = await error(session, "graph_show", selector="load_config", worktree="second")
        assert refused["message"] == "`worktree` is not an argument of graph_show", refused
    first = os.path.basename(DIR)
    async with client("-C", second, "-C", os.path.join(DIR, "app")) as session:
        listed = (await session.list_tools()).tools
        for tool in listed:
            assert tool.input_schema["properties"]["worktree"] == {"type": "string"}, tool
        shown = json.dumps([tool.model_dump(exclude_none=True) for tool in listed]) + session.hello.instructions
        assert f"{first}, second." in session.hello.instructions and len(shown) / 4 < 2500, len(shown)
        assert not os.path.exists(os.path.join(second, ".orbit")), "it is opened when it is needed"
        assert (await answer(session, "graph_show", selector="load_config"))["metadata"]["line"] == 8
        for name in ["second", second, os.path.join(second, "app")]:
            found = await answer(session, "graph_show", selector="load_settings", worktree=name)
            assert found["source"].startswith("def load_settings"), found
        for left_out in [None, ""]:
            assert await answer(session, "graph_show", selector="load_config", worktree=left_out)
        gone = await error(session, "graph_show", selector="load_config", worktree="second")
        assert gone["code"] == "not_found" and gone["worktree"] == "second", gone
        here = await error(session, "graph_show", selector="load_settings")
        assert here["code"] == "not_found" and here["worktree"] == first, here
        unknown = await error(session, "graph_show", selector="load_config", worktree="third")
        assert unknown["message"] == "no worktree that is served is called `third`", unknown
        assert unknown["candidates"] == [first, "second"], unknown
        number = await error(session, "graph_show", selector="load_config", worktree=3)
        assert number["message"] == "`worktree` takes one name", number
    async with client("--all-worktrees") as session:
        assert (await answer(session, "graph_show", selector="load_settings", worktree="second"))["source"]
        git("worktree", "add", "-q", "-b", "third", third)
        write(".wt/third/app/config.py", "def load_third(path):\n    return path\n")
        assert (await answer(session, "graph_sync", worktree="third"))["files_indexed"] == 3
        assert (await answer(session, "graph_search", query="load third", worktree=third))["matches"]
        unknown = await error(session, "graph_overview", worktree="fourth")
        assert unknown["candidates"] == [first, "second", "third"], unknown


async def garbage():
    """Input that is not a message does not end the server; the end of input does."""
    server = subprocess.Popen([ORBIT, "mcp", "-C", DIR], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "0"}}}
    lines = [json.dumps(hello), json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
             "garbage", "{", "[]", "null", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":7,"method":"no/such"}',
             "x" * 2_000_000, "\u0000\u0001",
             json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                         "params": {"name": "graph_overview", "arguments": {"selector": 7}}})]
    server.stdin.write("".join(line + "\n" for line in lines).encode())
    server.stdin.write(b"\xff\xfe not utf-8\n")
    last = {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
            "params": {"name": "graph_search", "arguments": {"query": "load_config"}}}
    server.stdin.write((json.dumps(last) + "\n").encode())
    server.stdin.flush()
    seen = {}
    while 3 not in seen:
        line = server.stdout.readline()
        assert line, f"the server ended; it had answered {sorted(seen)}"
        message = json.loads(line)
        seen[message.get("id")] = message
    assert "load_config" in seen[3]["result"]["content"][0]["text"], seen[3]
    server.stdin.close()
    assert server.wait(timeout=20) == 0


async def goes():
    """A server whose client is killed ends too."""
    server = subprocess.Popen([ORBIT, "mcp", "-C", DIR], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    server.stdout.close()
    server.stdin.close()
    server.wait(timeout=20)


asyncio.run({"tools": tools, "errors": errors, "fresh": fresh, "two": two, "garbage": garbage, "goes": goes, "pages": pages,
             "worktrees": worktrees}[SCENARIO]())
print(f"{SCENARIO}: ok")
