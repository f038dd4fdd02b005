"""Uses the tools on tasks and knowledge of `orbit mcp` through the official Python SDK, from two worktrees of a clone.

Usage: knowledge_client.py ORBIT MAIN LINKED. A failed assertion ends it.
"""

import asyncio
import contextlib
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ORBIT, MAIN, LINKED = sys.argv[1:4]


@contextlib.asynccontextmanager
async def client(directory, *more):
    arguments = ["mcp", "-C", directory, "--toolset", "knowledge,tasks", *more]
    server = StdioServerParameters(command=ORBIT, args=arguments)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def call(session, tool, **arguments):
    """The data of a call that works."""
    result = await session.call_tool(tool, arguments)
    envelope = json.loads(result.content[0].text)
    assert not result.is_error and envelope["success"], (tool, arguments, envelope)
    return envelope["data"]


async def refused(session, tool, **arguments):
    """The error of a call that does not; it is a result, not a failure of the protocol."""
    result = await session.call_tool(tool, arguments)
    envelope = json.loads(result.content[0].text)
    assert result.is_error and not envelope["success"], (tool, arguments, envelope)
    return envelope["error"]


async def main():
    async with client(MAIN) as here, client(LINKED) as there:
        listed = [tool.name for tool in (await here.list_tools()).tools]
        assert len(listed) == 26 and "manage_graph" in listed and not any(name.startswith("graph_") for name in listed)

        project = await call(here, "manage_container", operation="create", containerType="project", name="P", summary="s")
        project = project["project"]["id"]
        tasks = [(await call(here, "manage_container", operation="create", containerType="task", title=title, summary="s",
                             priority="HIGH", complexity=1, projectId=project))["task"]["id"] for title in ("one", "two")]

        # Both worktrees work on the same store, and never get the same task.
        first = (await call(here, "get_next_task", claim=True, actor="here"))["task"]
        second = (await call(there, "get_next_task", claim=True, actor="there"))["task"]
        assert [first["id"], second["id"]] == tasks, (first, second)
        await call(here, "manage_reservation", operation="reserve", taskId=tasks[0], actor="here", paths=["src/**"])
        held = await refused(there, "manage_reservation", operation="reserve", taskId=tasks[1], actor="there", paths="src/a.py")
        assert held["code"] == "CONFLICT" and held["details"]["heldBy"] == "here", held

        # Planning writes down what is known, execution finds it through the Context Files.
        molecule = await call(there, "manage_graph", operation="create", entityType="molecule", projectId=project,
                              name="App", createdByTaskId=tasks[0])
        atom = await call(there, "manage_graph", operation="create", entityType="atom", projectId=project, name="Source",
                          paths=json.dumps(["src/**"]), knowledge="read once", createdByTaskId=tasks[0],
                          moleculeId=molecule["molecule"]["id"])
        await call(here, "manage_sections", operation="add", entityType="TASK", entityId=tasks[0], title="Context Files",
                   usageDescription="u", content="- `src/a.py:3`\nlib/b.py")
        task = await call(here, "query_container", operation="get", containerType="task", id=tasks[0],
                          includeGraphContext=True)
        context = task["graphContext"]
        assert context["molecules"][0]["atoms"][0]["matchedPaths"] == ["src/a.py"], context
        assert context["unmatchedPaths"] == ["lib/b.py"], context

        # A stale writer is told all that it needs.
        stale = await refused(here, "manage_graph", operation="update", entityType="atom", id=atom["atom"]["id"], version=9,
                              knowledge="x")
        assert stale["details"]["currentVersion"] == 1 and stale["details"]["entity"]["knowledge"] == "read once", stale
        wrong = await refused(here, "manage_graph", operation="update", entityType="atom", colour="red")
        assert wrong["code"] == "VALIDATION_ERROR", wrong

        moved = await call(here, "advance", containerType="task", id=tasks[0], version=1)
        closed = await call(here, "advance", containerType="task", id=tasks[0], version=moved["task"]["version"])
        assert closed["graphHints"]["suggestedActions"], closed
    assert os.path.exists(os.path.join(MAIN, ".orbit", "knowledge.db"))
    assert not os.path.exists(os.path.join(LINKED, ".orbit", "knowledge.db"))

    elsewhere = os.path.join(MAIN, "elsewhere", "team.db")
    async with client(LINKED, "--db", elsewhere) as session:
        found = await call(session, "query_container", operation="search", containerType="task")
        assert found["total"] == 0, found
    assert os.path.exists(elsewhere)


asyncio.run(main())
