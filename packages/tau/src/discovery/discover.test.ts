// What lies in a repository is what is found: by tool, by place, by who comes first. Nothing broken or
// hostile hides the rest.

import { describe, expect, test } from "bun:test";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { discover } from "./discover.ts";
import { isInForce, type DiscoveredItem } from "./item.ts";
import { KIND_IDS } from "./kinds.ts";
import { MAX_ENTRIES } from "./limits.ts";
import { loadBody } from "./load-body.ts";
import { SOURCE_IDS, type SourceId } from "../config/sources.ts";
import { DISCOVERY_TABLE } from "./table.ts";
import { findIn, inWords } from "./test/find-in.ts";
import { LAYOUTS } from "./test/layouts.ts";

const skill = (name: string, description = "d"): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}.\n`;

const find = (items: readonly DiscoveredItem[], name: string): DiscoveredItem[] =>
  items.filter((item) => item.name === name);

describe("laid out by each tool", () => {
  test.each(Object.entries(LAYOUTS))("%s", async (source, { project, home, expected }) => {
    await using found = await findIn({ ...(project && { project }), ...(home && { home }) });
    const { items, problems } = await found.find();
    const own = items.filter((item) => item.source === source);
    // A package and the module beside it are one extension, the second of the two shadowed.
    const names = [...new Set(own.map(inWords))].sort();
    expect(names).toEqual([...expected].sort());
    expect(problems).toEqual([]);
    const others = items.filter((item) => item.source !== source);
    expect(others.map(inWords)).toEqual([]);
  });

  test("all of them together, and every kind and source has a row", async () => {
    const project: Record<string, string> = {};
    const home: Record<string, string> = {};
    for (const layout of Object.values(LAYOUTS)) {
      Object.assign(project, layout.project);
      Object.assign(home, layout.home);
    }
    await using found = await findIn({ project, home });
    const { items, problems } = await found.find();
    for (const [source, { expected }] of Object.entries(LAYOUTS)) {
      const own = items.filter((item) => item.source === source).map(inWords);
      expect([...new Set(own)].sort()).toEqual([...expected].sort());
    }
    expect(problems).toEqual([]);
    // What only plugins bring has its rows where they are read: test/marketplaces.test.ts.
    const ofTools = SOURCE_IDS.filter((source) => source !== "plugin");
    expect(Object.keys(LAYOUTS).sort()).toEqual(ofTools.sort());
    const ofFiles = KIND_IDS.filter((kind) => kind !== "lsp" && kind !== "themes");
    expect(new Set(DISCOVERY_TABLE.map(({ kind }) => kind))).toEqual(new Set(ofFiles));
    // One of each name counts, and one context file of each directory.
    const inForce = items.filter((item) => isInForce(item) && item.kind !== "settings");
    const keys = inForce
      .filter(({ kind }) => kind !== "context" && kind !== "env")
      .map(({ kind, name }) => `${kind} ${name}`);
    expect(keys.length).toBe(new Set(keys).size);
    expect(inForce.filter(({ kind }) => kind === "context").map(inWords)).toEqual([
      "project context AGENTS.md",
      "project context CLAUDE.local.md",
      "user context AGENTS.md",
    ]);
  });

  test.each(Object.keys(LAYOUTS) as SourceId[])("%s can be switched off", async (source) => {
    const { project, home } = LAYOUTS[source]!;
    await using found = await findIn({ ...(project && { project }), ...(home && { home }) });
    expect((await found.find({ disabledSources: [source] })).items).toEqual([]);
  });

  test("only the kinds that are asked for", async () => {
    const { project, home } = LAYOUTS.claude!;
    await using found = await findIn({ project: project!, home: home! });
    const { items } = await found.find({ kinds: ["skills"] });
    expect(items.map(inWords)).toEqual(["project skills pdf", "user skills own"]);
  });
});

describe("who comes first", () => {
  test("a project before the user, nearer before farther, then the source", async () => {
    await using found = await findIn({
      project: {
        ".claude/skills/x/SKILL.md": skill("x", "claude, here"),
        ".github/skills/x/SKILL.md": skill("x", "github, here"),
        "packages/a/.github/skills/x/SKILL.md": skill("x", "github, nearer"),
        ".tau/skills/x/SKILL.md": skill("x", "tau, here"),
      },
      home: { ".tau/agent/skills/x/SKILL.md": skill("x", "tau, user") },
    });
    const told = (items: readonly DiscoveredItem[]) =>
      items.map(({ frontmatter, isShadowed }) => [frontmatter.description, isShadowed]);
    expect(told((await found.find()).items)).toEqual([
      ["tau, here", false],
      ["claude, here", true],
      ["github, here", true],
      ["tau, user", true],
    ]);
    const nested = await found.find({ cwd: found.scratch.path("home/work/project/packages/a") });
    expect(told(nested.items)).toEqual([
      ["github, nearer", false],
      ["tau, here", true],
      ["claude, here", true],
      ["github, here", true],
      ["tau, user", true],
    ]);
    const [first, ...others] = nested.items;
    expect(others.every(({ shadowedBy }) => shadowedBy?.path === first!.path)).toBe(true);
    expect(nested.items.map(({ depth }) => depth)).toEqual([0, 2, 2, 2, 0]);
  });

  test("the name in the frontmatter is the name", async () => {
    await using found = await findIn({
      project: {
        ".tau/skills/folder/SKILL.md": skill("pdf"),
        ".claude/skills/pdf/SKILL.md": skill("pdf"),
      },
    });
    const { items } = await found.find();
    expect(items.map(({ source, name, isShadowed }) => [source, name, isShadowed])).toEqual([
      ["tau", "pdf", false],
      ["claude", "pdf", true],
    ]);
  });

  test("what cannot take effect puts nothing out of force", async () => {
    await using found = await findIn({
      project: {
        ".tau/skills/x/SKILL.md": "---\nname: x\n---\n",
        ".claude/skills/x/SKILL.md": skill("x"),
        "sub/.opencode/plugin/e.ts": "",
        ".tau/extensions/e.ts": "",
      },
    });
    const { items } = await found.find({ cwd: found.scratch.path("home/work/project/sub") });
    expect(
      find(items, "x").map(({ source, heldBack, isShadowed }) => [
        source,
        heldBack?.reason,
        isShadowed,
      ]),
    ).toEqual([
      ["tau", "incomplete", false],
      ["claude", undefined, false],
    ]);
    expect(find(items, "e").map((item) => [item.source, isInForce(item)])).toEqual([
      ["opencode", false],
      ["tau", true],
    ]);
  });

  test("one context file of each directory counts; those above count too", async () => {
    await using found = await findIn({
      project: {
        "AGENTS.md": "root",
        "CLAUDE.md": "root",
        "packages/CLAUDE.md": "packages",
        "packages/a/GEMINI.md": "a",
      },
    });
    const cwd = found.scratch.path("home/work/project/packages/a");
    const { items } = await found.find({ cwd });
    expect(items.map(({ name, depth, isShadowed }) => [name, depth, isShadowed])).toEqual([
      ["GEMINI.md", 0, false],
      ["CLAUDE.md", 1, false],
      ["AGENTS.md", 2, false],
      ["CLAUDE.md", 2, true],
    ]);
  });
});

describe("where", () => {
  const files = {
    ".tau/SYSTEM.md": "s",
    ".tau/agents/one.md": "---\ndescription: d\n---\n",
    "sub/.tau/agents/two.md": "---\ndescription: d\n---\n",
    ".tau/commands/far.md": "c",
    "sub/.tau/commands/near.md": "c",
    ".clinerules": "rule",
    ".tau/mcp.json": '{"mcpServers":{"m":{"command":"x"}}}',
    "sub/.tau/mcp.json": '{"mcpServers":{"n":{"command":"x"}}}',
  };

  test("from a directory below: everything above it, the nearest of some kinds, none of others", async () => {
    await using found = await findIn({ project: files });
    const { items } = await found.find({ cwd: found.scratch.path("home/work/project/sub") });
    expect(items.map(inWords).sort()).toEqual([
      "project agents two",
      "project commands far",
      "project commands near",
      "project mcp m",
      "project mcp n",
      "project rules clinerules",
    ]);
  });

  test("nothing above the repository, nothing of the home directory as a project's", async () => {
    await using found = await findIn({
      home: {
        "AGENTS.md": "home",
        "work/AGENTS.md": "work",
        "work/.tau/skills/w/SKILL.md": skill("w"),
      },
    });
    expect((await found.find()).items).toEqual([]);
  });

  test("without a repository: up to the home directory, and outside of it only here", async () => {
    await using found = await findIn({
      home: { "AGENTS.md": "home", "a/AGENTS.md": "a", "a/b/c/x": "" },
    });
    const { scratch } = found;
    const below = await found.find({ cwd: scratch.path("home/a/b/c") });
    expect(below.items.map(({ path }) => path)).toEqual([scratch.path("home/a/AGENTS.md")]);
    expect(below.places.root).toBe(scratch.path("home/a/b/c"));
    await scratch.write("elsewhere/AGENTS.md", "e");
    await scratch.write("elsewhere/here/AGENTS.md", "h");
    const outside = await found.find({ cwd: scratch.path("elsewhere/here") });
    expect(outside.items.map(({ path }) => path)).toEqual([
      scratch.path("elsewhere/here/AGENTS.md"),
    ]);
  });

  test("without a repository what runs is only that of the working directory", async () => {
    await using found = await findIn({
      home: {
        "a/.tau/extensions/far.ts": "",
        "a/.tau/skills/s/SKILL.md": skill("s"),
        "a/b/.tau/extensions/near.ts": "",
      },
    });
    const { items } = await found.find({ cwd: found.scratch.path("home/a/b") });
    expect(items.map(inWords)).toEqual(["project extensions near", "project skills s"]);
  });

  test("never through a directory in which everybody may write", async () => {
    await using found = await findIn({});
    const { scratch } = found;
    await scratch.write("shared/.git/HEAD", "");
    await scratch.write("shared/AGENTS.md", "planted");
    await scratch.write("shared/mine/AGENTS.md", "mine");
    await chmod(scratch.path("shared"), 0o1777);
    const { items } = await found.find({ cwd: scratch.path("shared/mine") });
    expect(items.map(({ path }) => path)).toEqual([scratch.path("shared/mine/AGENTS.md")]);
  });

  test("in the home directory nothing is there twice", async () => {
    const { home } = LAYOUTS.claude!;
    await using found = await findIn({ home: { ...home, "CLAUDE.md": "h" } });
    const { items } = await found.find({ cwd: found.home });
    expect(items.filter(({ level }) => level === "project").map(inWords)).toEqual([
      "project context CLAUDE.md",
    ]);
    expect(items.filter(({ isShadowed }) => isShadowed)).toEqual([]);
  });

  test("a project that does not exist has nothing but the user's things", async () => {
    await using found = await findIn({ home: { ".claude/commands/mine.md": "x" } });
    const { items, problems } = await found.find({ cwd: found.scratch.path("nowhere/at/all") });
    expect(items.map(inWords)).toEqual(["user commands mine"]);
    expect(problems).toEqual([]);
  });
});

describe("what is broken is named and hides nothing", () => {
  test.each<[string, string, string, number | undefined]>([
    ["JSON", ".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": ]\n  }\n}', 3],
    ["TOML", ".codex/config.toml", "[mcp_servers.a]\ncommand = npx\n", 2],
    ["a list where a map belongs", ".cursor/mcp.json", '{"mcpServers": []}', undefined],
    ["frontmatter", ".tau/commands/bad.md", "---\nname: x\ntools: [a\n---\nBody\n", 3],
    ["a text instead of a map", ".vscode/mcp.json", '"x"', 1],
  ])("%s", async (_, file, text, line) => {
    await using found = await findIn({
      project: { [file]: text, ".tau/skills/ok/SKILL.md": skill("ok") },
    });
    const { items, problems } = await found.find();
    expect(items.map(inWords)).toContain("project skills ok");
    const path = found.scratch.path("home/work/project", file);
    expect(problems.map((one) => [one.file, one.line])).toContainEqual([path, line]);
  });

  test("what cannot be reached", async () => {
    await using found = await findIn({ project: { ".tau/skills/ok/SKILL.md": skill("ok") } });
    const closed = found.scratch.path("home/work/project/.claude/skills/no/SKILL.md");
    await mkdir(dirname(closed), { recursive: true });
    await symlink("SKILL.md", closed);
    const { items, problems } = await found.find();
    expect(items.map(inWords)).toEqual(["project skills ok"]);
    expect(problems).toEqual([
      { file: closed, severity: "warning", message: "its links form a loop" },
    ]);
  });

  test("too many files in a directory: the first ones, and it is said", async () => {
    await using found = await findIn({});
    const directory = found.scratch.path("home/work/project/.tau/commands");
    await mkdir(directory, { recursive: true });
    for (let at = 0; at < MAX_ENTRIES + 5; at++) {
      await Bun.write(`${directory}/c${String(at).padStart(5, "0")}.md`, "x");
    }
    const { items, problems } = await found.find();
    expect(items.length).toBe(MAX_ENTRIES);
    expect(problems.map(({ file }) => file)).toEqual([directory]);
  });

  test("a file system that does not answer in time costs the rest, not the start", async () => {
    await using found = await findIn({ project: { "AGENTS.md": "x" } });
    const { items, problems } = await found.find({ deadlineMs: -1 });
    expect(items).toEqual([]);
    expect(problems).toMatchObject([{ message: expect.stringContaining("took too long") }]);
  });
});

describe("links", () => {
  test("inside of the project they are followed", async () => {
    await using found = await findIn({
      project: { ".agents/skills/s/SKILL.md": skill("s"), "AGENTS.md": "a" },
    });
    const { scratch } = found;
    await mkdir(scratch.path("home/work/project/.claude"));
    await symlink("../.agents/skills", scratch.path("home/work/project/.claude/skills"));
    await symlink("AGENTS.md", scratch.path("home/work/project/CLAUDE.md"));
    const { items } = await found.find();
    expect(items.map(({ source, name, isShadowed }) => [source, name, isShadowed])).toEqual([
      ["agents-md", "AGENTS.md", false],
      ["claude", "CLAUDE.md", true],
      ["claude", "s", false],
      ["agents", "s", true],
    ]);
  });

  test("one file is one thing, whatever leads to it", async () => {
    await using found = await findIn({ project: { ".tau/AGENTS.md": "a" } });
    const cwd = found.scratch.path("home/work/project/.tau");
    await mkdir(`${cwd}/commands`);
    await Bun.write(`${cwd}/commands/a.md`, "a");
    await symlink("a.md", `${cwd}/commands/b.md`);
    const { items } = await found.find({ cwd });
    expect(items.map(({ source, name, isShadowed }) => [source, name, isShadowed])).toEqual([
      ["agents-md", "AGENTS.md", false],
      ["tau", "AGENTS.md", true],
      ["tau", "a", false],
      ["tau", "b", true],
    ]);
  });

  test("what leads out of the project is named, and never read", async () => {
    await using found = await findIn({ project: { ".tau/skills/ok/SKILL.md": skill("ok") } });
    const { scratch } = found;
    const at = (path: string) => scratch.path("home/work/project", path);
    await scratch.write("secret/SKILL.md", skill("secret", "a secret"));
    await mkdir(at(".tau/skills/file"));
    await symlink(scratch.path("secret/SKILL.md"), at(".tau/skills/file/SKILL.md"));
    await symlink(scratch.path("secret"), at(".tau/skills/directory"));
    await symlink(scratch.path("secret"), at(".claude"));
    await symlink(scratch.root, at(".cursor"));
    const { items, problems } = await found.find();
    expect(items.map(({ name, heldBack }) => [name, heldBack?.reason])).toEqual([
      ["directory", "outside"],
      ["file", "outside"],
      ["ok", undefined],
    ]);
    expect(JSON.stringify(items)).not.toContain("a secret");
    expect(problems).toEqual([]);
    await expect(loadBody(items[0]!)).rejects.toThrow("held back");
  });

  test("a directory of items that leads out is not even listed", async () => {
    await using found = await findIn({});
    const { scratch } = found;
    await scratch.write("outside/x.md", "x");
    await mkdir(scratch.path("home/work/project/.tau"));
    const link = scratch.path("home/work/project/.tau/commands");
    await symlink(scratch.path("outside"), link);
    const { items, problems } = await found.find();
    expect(items).toEqual([]);
    expect(problems).toEqual([
      { file: link, severity: "warning", message: expect.stringContaining("out of the project") },
    ]);
  });

  test("in a circle they end", async () => {
    await using found = await findIn({ project: { ".claude/commands/a.md": "a" } });
    const at = (path: string) => found.scratch.path("home/work/project/.claude/commands", path);
    await symlink(".", at("again"));
    await symlink("loop", at("loop"));
    const { items } = await found.find();
    expect(items.map(inWords)).toEqual(["project commands a"]);
  });

  test("of the user lead wherever the user likes", async () => {
    await using found = await findIn({});
    const { scratch } = found;
    await scratch.write("dotfiles/skills/mine/SKILL.md", skill("mine"));
    await mkdir(scratch.path("home/.claude"));
    await symlink(scratch.path("dotfiles/skills"), scratch.path("home/.claude/skills"));
    expect((await found.find()).items.map(inWords)).toEqual(["user skills mine"]);
  });
});

describe("text", () => {
  test("is read when it is wanted, without its frontmatter", async () => {
    await using found = await findIn({
      project: {
        ".tau/skills/s/SKILL.md": skill("s"),
        ".gemini/commands/c.toml": 'description = "d"\nprompt = "Do {{args}}"\n',
      },
    });
    const { items, places } = await found.find();
    const [command] = find(items, "c");
    const [one] = find(items, "s");
    expect(await loadBody(one!, places.root)).toEqual({ text: "Body of s.\n", isCut: false });
    expect(await loadBody(command!, places.root)).toEqual({ text: "Do {{args}}", isCut: false });
    expect(command!.frontmatter).toEqual({ description: "d" });
  });

  test("that has become a link out of the project is refused", async () => {
    await using found = await findIn({ project: { ".tau/commands/c.md": "x" } });
    const { items, places } = await found.find();
    await found.scratch.write("secret", "s");
    const path = items[0]!.path;
    await Bun.file(path).delete();
    await symlink(found.scratch.path("secret"), path);
    await expect(loadBody(items[0]!, places.root)).rejects.toThrow("leads out of the project");
    await Bun.file(path).delete();
    await expect(loadBody(items[0]!, places.root)).rejects.toThrow("can no longer be read");
  });
});

test("a row more is a tool more", async () => {
  await using found = await findIn({ project: { "ROBOT.md": "x" } });
  const { items } = await discover({
    cwd: found.project,
    home: found.home,
    agentDirectory: found.agentDirectory,
    table: [{ source: "agents-md", kind: "context", project: ["ROBOT.md"], name: "file" }],
  });
  expect(items.map(inWords)).toEqual(["project context ROBOT.md"]);
});
