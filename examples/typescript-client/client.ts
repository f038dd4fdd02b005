// Reads a graph with types that are made from the server's document: a member that is not there does not compile.
//
// The graph is that of docs/guide/serving.md: people with a name and an age.

import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const baseUrl = process.env.OMNIGRAPH_URL ?? "http://127.0.0.1:8080";
const token = process.env.OMNIGRAPH_BEARER_TOKEN;
const headers = token ? { Authorization: `Bearer ${token}` } : {};
const graph = createClient<paths>({ baseUrl, headers });

const people = await graph.POST("/read", {
  body: {
    query_source: "query adults($age: I32) { match { $p: Person $p.age >= $age } return { $p.name, $p.age } }",
    params: { age: 18 },
  },
});
if (people.error) throw new Error(`${people.error.code}: ${people.error.error}`);
console.log(`${people.data.row_count} rows of ${people.data.columns.join(", ")}`);
for (const row of people.data.rows) console.log(JSON.stringify(row));

// A failure has a type, too.
const refused = await graph.POST("/read", { body: { query_source: "this is no query" } });
console.log(`refused with ${refused.response.status}: ${refused.error?.reason}`);

// Names with slashes are encoded by the client.
const made = await graph.POST("/branches", { body: { name: "example/from-typescript" } });
console.log(`made ${made.data?.name}`);
const gone = await graph.DELETE("/branches/{branch}", { params: { path: { branch: "example/from-typescript" } } });
console.log(`took away ${gone.data?.name}`);
