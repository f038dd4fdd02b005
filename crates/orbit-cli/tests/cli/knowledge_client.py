"""Uses the tools on tasks and knowledge of `orbit mcp` through the official Python SDK, from two worktrees of a clone.

Usage: knowledge_client.py ORBIT MAIN LINKED. A failed assertion ends it.
"""

import asyncio
import contextlib
import json
import os
import subprocess
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


def git(*arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=MAIN, check=True, capture_output=True)


def write(path, text):
    path = os.path.join(MAIN, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


async def bound_to_code(session, project):
    """Atoms know the code they were written for."""
    text = "def total(items):\n    amount = 0\n    for item in items:\n        amount += item\n    return amount\n"
    write("shop/cart.py", text)
    git("add", "shop")
    git("commit", "-q", "-m", "shop")
    task = (await call(session, "manage_container", operation="create", containerType="task", title="shop", summary="s",
                       priority="LOW", complexity=1, projectId=project))["task"]["id"]
    made = (await call(session, "manage_graph", operation="create", entityType="atom", projectId=project, name="Cart",
                       paths=["shop/**"], anchors=["total"], knowledge="in cents", createdByTaskId=task))["atom"]
    assert made["freshness"] == "fresh" and made["anchors"] == ["symbol:shop/cart.py#total:function"], made
    write("shop/cart.py", "# a comment\n" + text.replace("(items)", "(\n    items,\n)"))
    found = await call(session, "query_graph", operation="get", entityType="atom", id=made["id"])
    assert found["atom"]["freshness"] == "fresh" and "because" not in found["atom"], found
    write("shop/cart.py", text.replace("+= item", "+= item * 2"))
    found = await call(session, "query_graph", operation="context", projectId=project, diff="worktree")
    atom = found["orphanAtoms"][0]
    assert atom["freshness"] == "body_drifted" and atom["because"][0]["uncommitted"], found
    assert found["digest"][0]["atomId"] == made["id"] and found["source"] == "diff", found
    git("commit", "-q", "-a", "-m", f"double\n\nTask: {task}")
    moved = await call(session, "advance", containerType="task", id=task, version=1)
    closed = await call(session, "advance", containerType="task", id=task, version=moved["task"]["version"])
    hints = closed["graphHints"]
    assert hints["affectedAtoms"][0]["because"][0]["taskIds"] == [task], hints
    assert hints["uncoveredPaths"] == [] and hints["affectedAtoms"][0]["fix"]["tool"] == "manage_graph", hints
    stale = await refused(session, "manage_graph", operation="reaffirm", entityType="atom", id=made["id"], version=7)
    assert stale["code"] == "CONFLICT" and stale["details"]["currentVersion"] == 1, stale
    again = await call(session, "manage_graph", operation="reaffirm", entityType="atom", id=made["id"], version=1)
    assert again["atom"]["freshness"] == "fresh" and again["atom"]["version"] == 1, again
    for wrong in ({"anchors": ["no_such_symbol"]}, {"anchors": "x"}, {"status": "proposed"}):
        error = await refused(session, "manage_graph", operation="update", entityType="atom", id=made["id"], version=1, **wrong)
        assert error["code"] == "VALIDATION_ERROR", error
    error = await refused(session, "manage_graph", operation="promote", entityType="atom", id=made["id"], version=1)
    assert error["code"] == "INVALID_OPERATION", error
    coverage = await call(session, "query_graph", operation="coverage", projectId=project)
    assert coverage["files"]["fresh"] == 1, coverage
    drafts = await call(session, "query_graph", operation="suggest", projectId=project)
    assert drafts["total"] == 0, drafts

    # A budget cuts texts and says so.
    await call(session, "manage_graph", operation="create", entityType="atom", projectId=project, name="Long",
                       paths=["long/**"], knowledge="long " * 6000, createdByTaskId=task)
    result = await session.call_tool("query_graph", {"operation": "search", "entityType": "atom", "projectId": project,
                                                     "query": "Long", "max_tokens": 500})
    assert len(result.content[0].text) <= 1500 and "cut" in json.loads(result.content[0].text), result
    await call(session, "manage_graph", operation="delete", entityType="atom", id=made["id"], version=1)


async def habits(session):
    prompts = [prompt.name for prompt in (await session.list_prompts()).prompts]
    assert prompts == ["discovery", "planning", "execution"], prompts
    text = (await session.get_prompt("execution")).messages[0].content.text
    assert "reaffirm" in text and "Task: <id>" in text, text


async def main():
    async with client(MAIN) as here, client(LINKED) as there:
        listed = [tool.name for tool in (await here.list_tools()).tools]
        assert len(listed) == 28 and "manage_graph" in listed and not any(name.startswith("graph_") for name in listed)

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

        await habits(here)
        await bound_to_code(here, project)
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
