// Agent files of every tool, and the bundled ones.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../discovery/frontmatter.ts";
import { agentDefinition } from "./agent-definition.ts";
import { AgentNames } from "./agent-names.ts";
import { toolsFor } from "./agent-tools.ts";
import { bundledAgents, knownAgents } from "./find-agents.ts";

function read(text: string) {
  const { attributes, body } = parseFrontmatter(text);
  return agentDefinition({ name: String(attributes.name), attributes, body, source: "user" });
}

test("a file of another tool: its names of tools, its words for models", () => {
  const agent = read(
    "---\nname: a\ndescription: d\ntools: Read, Grep, Bash(git:*), Task\nmodel: inherit\n---\nbody\n",
  );
  expect(agent).toMatchObject({
    tools: ["read", "search", "bash", "task"],
    spawns: "*",
    models: [],
    words: "body",
    isBlocking: false,
    readsWhole: false,
  });
});

test("lists, roles, levels, blocking, and nobody to start", () => {
  const agent = read(
    "---\nname: a\ndescription: d\ntools: [exec, read]\nspawns: ''\nmodel: [tau/smol, x/y]\nthinkingLevel: high\nblocking: true\nread-summarize: false\n---\nbody\n",
  );
  expect(agent).toMatchObject({
    tools: ["bash", "eval", "read"],
    spawns: [],
    models: ["tau/smol", "x/y"],
    thinking: "high",
    isBlocking: true,
    readsWhole: true,
  });
});

test("the bundled ones say what they are for, and only those that look only have no way to change", () => {
  const agents = bundledAgents();
  expect(agents.map(({ name }) => name)).toEqual([
    "explore",
    "plan",
    "designer",
    "reviewer",
    "librarian",
    "oracle",
    "task",
    "quick_task",
  ]);
  for (const { name, description, words, tools } of agents) {
    expect(description.length, name).toBeGreaterThan(20);
    expect(words.length, name).toBeGreaterThan(100);
    expect(tools?.some((tool) => ["write", "edit", "ast_edit"].includes(tool)) ?? false).toBe(
      false,
    );
  }
});

test("the model is told of the bundled ones what their files say", () => {
  const heads = bundledAgents().map(({ name, description }) => ({ name, description }));
  expect(knownAgents([])).toEqual(heads);
});

test("an agent has no tool that its parent lacks, nor what is the user's own", () => {
  const parentTools = ["read", "bash", "task", "irc", "todo", "ask", "ast_edit", "resolve"];
  const all = { spawns: "*" as const };
  const place = { parentTools, maySpawn: true };
  expect(toolsFor({ ...place, definition: all })).toEqual([
    "read",
    "bash",
    "task",
    "ast_edit",
    "resolve",
    "irc",
    "yield",
  ]);
  const few = { tools: ["read", "write", "ast_edit"], spawns: [] };
  expect(toolsFor({ ...place, definition: few })).toEqual([
    "read",
    "ast_edit",
    "resolve",
    "irc",
    "yield",
  ]);
  expect(toolsFor({ ...place, definition: all, maySpawn: false })).not.toContain("task");
  expect(toolsFor({ ...place, definition: all, only: ["read", "search"] })).toEqual([
    "read",
    "irc",
    "yield",
  ]);
});

test("names are never given twice, whatever is asked for", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string({ maxLength: 60 }), { nil: undefined })), (wanted) => {
      const names = new AgentNames(() => 0);
      const given = wanted.map((one) => names.allocate(undefined, one));
      const lower = given.map((one) => one.toLowerCase());
      expect(new Set(lower).size).toBe(given.length);
      for (const one of given) {
        expect(one).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(["main", "all", "user"]).not.toContain(one.toLowerCase());
      }
    }),
  );
});

test("a child carries its parent's name", () => {
  const names = new AgentNames();
  expect(names.allocate("SwiftOtter", "Look")).toBe("SwiftOtter.Look");
  expect(names.allocate("SwiftOtter", "look")).toBe("SwiftOtter.look-2");
  expect(names.allocate(undefined)).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+$/);
});
