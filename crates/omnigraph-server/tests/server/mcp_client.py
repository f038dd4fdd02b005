"""Uses a graph over MCP through the official Python SDK, as an agent's client does.

Usage: mcp_client.py SCENARIO stdio PROGRAM ARG…   or   mcp_client.py SCENARIO http URL TOKEN
A failed assertion ends it. The graph has Person(name, age), Knows, Alice who knows Bob, and the saved queries
`by_name($n: String)` and `add($n: String, $a: I32?)`.
"""

import asyncio
import contextlib
import json
import sys

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

SCENARIO, WAY, *REST = sys.argv[1:]
TOOLS = ["schema", "query", "change", "entity", "branches", "branch_create", "branch_merge", "branch_delete",
         "commits", "commit_revert", "diff", "changes", "by_name", "add"]
FRIENDS = "query q($n: String) { match { $p: Person { name: $n } $p knows $f } return { $f.name } }"


@contextlib.asynccontextmanager
async def streams():
    if WAY == "stdio":
        server = StdioServerParameters(command=REST[0], args=REST[1:])
        async with stdio_client(server) as (read, write):
            yield read, write
    else:
        url, token = REST
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with streamable_http_client(url, http_client=http) as (read, write, *_):
                yield read, write


@contextlib.asynccontextmanager
async def client():
    async with streams() as (read, write), ClientSession(read, write) as session:
        session.hello = await session.initialize()
        yield session


async def text(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, (tool, arguments, result.content[0].text)
    return result.content[0].text


async def answer(session, tool, **arguments):
    """The JSON of a tool that succeeds."""
    return json.loads(await text(session, tool, **arguments))


async def error(session, tool, **arguments):
    """The error of a tool that fails; it is a result, not a failure of the protocol."""
    result = await session.call_tool(tool, arguments)
    assert result.is_error, (tool, arguments, result.content[0].text)
    found = json.loads(result.content[0].text)["error"]
    assert found["code"] and found["message"], found
    return found


async def listed(session):
    """Every tool is listed with a small schema; saved queries have typed parameters."""
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert sorted(tools) == sorted(TOOLS), sorted(tools)
    shown = json.dumps([tool.model_dump(exclude_none=True) for tool in tools.values()])
    assert (len(shown) + len(session.hello.instructions)) / 4 < 2500, len(shown)
    saved = tools["add"].input_schema
    assert saved["properties"]["n"]["type"] == "string" and saved["properties"]["a"]["type"] == "integer", saved
    assert saved["required"] == ["n"], saved
    assert tools["by_name"].description == "A person and whom they know", tools["by_name"]
    assert tools["by_name"].annotations.read_only_hint and not tools["add"].annotations.read_only_hint


async def tools():
    """All tools, as one who may do everything."""
    async with client() as session:
        await listed(session)
        assert "node Person" in await text(session, "schema")
        found = await answer(session, "query", query=FRIENDS, params={"n": "Alice"})
        assert found["rows"] == [{"f.name": "Bob"}] and found["row_count"] == 1, found
        found = await answer(session, "by_name", n="Alice")
        assert found["rows"] == [{"p.name": "Alice", "p.age": 30, "f.name": "Bob"}], found
        assert (await answer(session, "entity", type="Person", id="Alice"))["properties"]["age"] == 30

        before = (await answer(session, "commits"))["commits"][0]["graph_commit_id"]
        await answer(session, "branch_create", name="try/it")
        assert (await answer(session, "branches"))["branches"] == ["main", "try/it"]
        added = await answer(session, "add", n="Zed", on_branch="try/it")
        assert added["affected_nodes"] == 1 and added["branch"] == "try/it", added
        change = 'query c() { update Person set { age: 31 } where name = "Alice" }'
        assert (await answer(session, "change", query=change, branch="try/it"))["affected_nodes"] == 1
        differs = await answer(session, "diff", **{"from": "main", "to": "try/it"}, rows=True)
        assert [(row["op"], row["id"]) for row in differs["changes"]] == [("update", "Alice"), ("insert", "Zed")], differs
        assert (await answer(session, "branch_merge", source="try/it", dry_run=True))["committed"] is False
        assert (await answer(session, "branch_merge", source="try/it"))["outcome"] == "fast_forward"
        feed = await answer(session, "changes", since=before)
        assert sorted(row["id"] for row in feed["changes"]) == ["Alice", "Zed"], feed
        await answer(session, "branch_delete", name="try/it")

        assert (await error(session, "query", query="query q() { match { $p: Persn } return { $p.name } }"))["diagnostics"]
        assert (await error(session, "query", query=FRIENDS))["code"] == "bad_param"
        assert (await error(session, "by_name", n=7))["code"] == "bad_param"
        assert (await error(session, "by_name", n="Alice", on_branch="nowhere"))["code"] == "not_found"
        assert (await error(session, "query", query=FRIENDS, brnach="x"))["code"] == "bad_request"
        rows = await answer(session, "query", query="query q() { match { $p: Person } return { $p.name } }", max_rows=1)
        assert rows["row_count"] == 3 and len(rows["rows"]) == 1 and rows["omitted"] == 2, rows
        try:
            await session.call_tool("nothing", {})
        except Exception as raised:
            assert "nothing" in str(raised), raised
        else:
            raise AssertionError("a tool that is not there was called")


async def reader():
    """As one who may read `main`, and nothing else."""
    async with client() as session:
        await listed(session)
        assert "node Person" in await text(session, "schema")
        assert (await answer(session, "by_name", n="Alice"))["row_count"] == 1
        assert (await answer(session, "branches"))["branches"] == ["main"]
        for tool, arguments in [
            ("add", {"n": "Eve"}),
            ("change", {"query": 'query c() { insert Person { name: "Eve" } }'}),
            ("branch_create", {"name": "mine"}),
            ("branch_merge", {"source": "main"}),
            ("branch_delete", {"name": "main"}),
            ("query", {"query": FRIENDS, "params": {"n": "Alice"}, "branch": "secret"}),
        ]:
            found = await error(session, tool, **arguments)
            assert found["code"] == "forbidden" and "policy denied" in found["message"], (tool, found)


asyncio.run({"tools": tools, "reader": reader}[SCENARIO]())
