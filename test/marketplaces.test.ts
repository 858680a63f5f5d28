// Marketplaces as a user has them: catalogs from a directory, a repository and an address; what is in them is
// found, shown, installed and in effect.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScratchRepository } from "@tau/testkit/scratch";
import { BROUGHT, catalogOf, CLAUDE_PLUGINS } from "./support/claude-plugins.ts";
import { extended } from "./support/extended.ts";
import { startPackageServer } from "./support/package-server.ts";

const below = (prefix: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${prefix}/${name}`, text]));

function inDirectories(): Record<string, string> {
  const all = Object.entries(CLAUDE_PLUGINS).map(([name, files]) =>
    below(`plugins/${name}`, files),
  );
  return Object.assign({}, ...all);
}

interface Found {
  kind: string;
  name: string;
  path: string;
}

test("ten plugins for Claude Code, by path, url and git-subdir: all that they bring is found and used", async () => {
  await using program = await extended({}, [
    { text: "Committed." },
    { toolCalls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] },
    { text: "Refused." },
    { text: "Forms." },
  ]);
  const { home } = program;
  await using server = startPackageServer();
  // One with a repository of its own, one in a directory of another.
  await using alone = await createScratchRepository({ files: { ...CLAUDE_PLUGINS["pdf-skills"] } });
  await using shared = await createScratchRepository({
    files: below("nested/guard", CLAUDE_PLUGINS["guard-hooks"]!),
  });
  const sha = (await alone.git("rev-parse", "HEAD")).trim();
  const repositories = {
    "pdf-skills": { url: server.gitUrl(alone.root), sha },
    "guard-hooks": { url: server.gitUrl(shared.root), path: "nested/guard", ref: "main" },
  };
  for (const [name, text] of Object.entries(inDirectories()))
    await home.write(`market/${name}`, text);
  await home.write("market/.claude-plugin/marketplace.json", catalogOf({ repositories }));
  const run = (...args: string[]) => program.command("plugin", ...args);
  const added = await run("marketplace", "add", home.path("market"));
  expect(added).toMatchObject({
    stdout: "Added ten-plugins: 10 plugins, see tau plugin search.\n",
    stderr: "",
  });
  const found = JSON.parse((await run("search", "ten", "guard", "--json")).stdout);
  expect(found).toMatchObject([{ name: "guard-hooks", marketplace: "ten-plugins" }]);
  const shown = await run("show", "guard-hooks@ten-plugins");
  expect(shown.stdout).toContain('runs for Bash: sh "${CLAUDE_PLUGIN_ROOT}/scripts/guard.sh"');
  expect(existsSync(home.path(".tau/plugins/plugins.json"))).toBe(false);

  for (const name of Object.keys(CLAUDE_PLUGINS)) {
    const result = await run("install", "-y", `${name}@ten-plugins`);
    expect({ name, stderr: result.stderr, exitCode: result.exitCode }).toEqual({
      name,
      stderr: "",
      exitCode: 0,
    });
  }
  const sources = await program.command("config", "sources", "--json");
  const items = (JSON.parse(sources.stdout).items as Found[]).filter(({ path }) =>
    path.includes("/.tau/plugins/"),
  );
  const brought = Map.groupBy(items, ({ path }) => /plugins\/([^@]+)@/.exec(path)![1]!);
  for (const [name, expected] of Object.entries(BROUGHT)) {
    const own = brought.get(name)?.map((item) => `${item.kind} ${item.name}`) ?? [];
    expect({ name, own: own.toSorted() }).toEqual({ name, own: [...expected] });
  }

  // What the lockfile says of them is what they say of themselves.
  const lock = home.path(".tau/plugins/plugins.json");
  const { plugins, ...rest } = JSON.parse(await readFile(lock, "utf8"));
  for (const plugin of Object.values<Record<string, unknown>>(plugins)) {
    expect(plugin.parts).toBeDefined();
    delete plugin.parts;
  }
  await writeFile(lock, JSON.stringify({ ...rest, plugins }));
  expect((await program.command("config", "sources", "--json")).stdout).toBe(sources.stdout);

  // A command with its namespace, a skill in the prompt, a hook that blocks, a skill by the plugin's name.
  await program.run("-p", "/commit-tools:commit first words");
  expect(program.requests()[0]).toContain("user: Commit with the message first words.");
  expect(program.requests()[0]!.at(-1)).toContain("begun");
  expect(String(program.server.requests[0]!.decoded.system)).toContain("- pdf: Reads PDFs");
  await home.write("work/kept/file", "");
  await program.run("-p", "go", "--yolo");
  expect(program.requests().at(-1)!.at(-1)).toMatch(/the plugin at \S+guard-hooks@\w+ says no/);
  expect(existsSync(join(program.cwd, "kept/file"))).toBe(true);
  await program.run("-p", "/pdf-skills:forms now");
  expect(program.requests().at(-1)!.join("\n")).toContain("Use a form library.");
  expect((await run("doctor")).stdout).toBe("Everything is as it should be.\n");
});

test("from a repository: an update of the marketplace is what an update of its plugins sees", async () => {
  await using program = await extended({}, []);
  await using server = startPackageServer();
  const plugin = (version: string) => JSON.stringify({ name: "tools", version });
  const catalog = {
    name: "market",
    owner: { name: "x" },
    plugins: [{ name: "tools", source: "./tools" }],
  };
  await using repository = await createScratchRepository({
    files: {
      ".claude-plugin/marketplace.json": JSON.stringify(catalog),
      "tools/.claude-plugin/plugin.json": plugin("1.0.0"),
      "tools/commands/hi.md": "Hi.",
    },
  });
  const run = (...args: string[]) => program.command("plugin", ...args);
  const url = server.gitUrl(repository.root);
  expect((await run("marketplace", "add", url)).stderr).toBe("");
  expect((await run("install", "-y", "tools@market")).stderr).toBe("");
  await repository.write("tools/.claude-plugin/plugin.json", plugin("1.1.0"));
  await repository.git("commit", "-qam", "More");
  expect((await run("update")).stdout).toBe("tools 1.0.0 → 1.1.0\n");
  expect((await run("marketplace", "list")).stdout).toContain("market");
  // Another one must not take its name.
  await program.home.write("other/.claude-plugin/marketplace.json", JSON.stringify(catalog));
  const taken = await run("marketplace", "add", program.home.path("other"));
  expect(taken.exitCode).toBe(1);
  expect(taken.stderr).toContain("remove that one first");
  expect((await run("marketplace", "remove", "market")).exitCode).toBe(0);
  expect(JSON.parse((await run("list", "--json")).stdout)).toHaveLength(1);
});

test("from an address: a single file, whose plugins come from elsewhere", async () => {
  await using program = await extended({}, []);
  await using server = startPackageServer();
  const catalog = {
    name: "remote",
    owner: { name: "x" },
    plugins: [
      { name: "inside", source: "./inside" },
      { name: "elsewhere", source: { source: "url", url: server.gitUrl("/nowhere") } },
      { name: "bad\u001bname", source: "./x" },
    ],
  };
  server.serve("/marketplace.json", () => Response.json(catalog));
  const run = (...args: string[]) => program.command("plugin", ...args);
  const added = await run("marketplace", "add", `${server.url}/marketplace.json`);
  expect(added.stdout).toContain("Added remote: 2 plugins");
  expect(added.stdout).toContain('left out: "bad\\u001bname" is not an entry');
  const inside = await run("install", "-y", "inside@remote");
  expect(inside.stderr).toContain("add the marketplace from its repository");
  // The catalog is on this machine itself: it may lead to a server there, which has nothing.
  const elsewhere = await run("install", "-y", "elsewhere@remote");
  expect(elsewhere.stderr).toContain("not found");
  expect(server.requests.filter((path) => path.startsWith("/git/"))).toHaveLength(1);
  const unknown = await run("install", "-y", "nothing@remote");
  expect(unknown.stderr).toBe("tau: the marketplace remote has no plugin nothing\n");
});
