// Plugins for Claude Code that others have published on npm, installed as a user would: everything that lies in
// their directories is found, under the names that it has there. Nothing of them is run.

import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const REGISTRY = "https://registry.npmjs.org/";
const INSTALL_MS = 120_000;
/** The package, and the least that is in it. */
const PACKAGES = [
  ["claude-code-lint@0.5.0", 9],
  ["ecc-universal@2.0.0", 300],
] as const;

const missing = await fetch(REGISTRY, { signal: AbortSignal.timeout(5_000) }).then(
  (response) => (response.ok ? undefined : `the registry answers ${response.status}`),
  (error: unknown) => `the registry cannot be reached: ${String(error)}`,
);

for (const [wanted, least] of PACKAGES) {
  const title = `${wanted}: what it brings is found`;
  test.skipIf(missing !== undefined)(
    missing === undefined ? title : `${title} (${missing})`,
    async () => {
      await using home = await isolatedHome();
      const run = (...args: string[]) => runTau(args, { cwd: home.root, home });
      const installed = await run("plugin", "install", "-y", wanted);
      expect(installed.stderr).toBe("");
      const { plugins } = JSON.parse(
        readFileSync(home.path(".tau/plugins/plugins.json"), "utf8"),
      ) as { plugins: Record<string, { directory: string; packages: object }> };
      const [[name, { directory, packages }]] = Object.entries(plugins) as [[string, never]];
      const root = home.path(".tau/plugins", directory);
      const { items } = JSON.parse((await run("config", "sources", "--json")).stdout) as {
        items: { kind: string; name: string; path: string }[];
      };
      const own = items.filter(({ path }) => path.startsWith(`${root}/`));
      const found = own.map((item) => `${item.kind} ${item.name}`).toSorted();
      expect(found).toEqual(whatLiesIn(root, name));
      expect(found.length).toBeGreaterThanOrEqual(least);
      // Each package that it needs is there, and locked.
      for (const path of Object.keys(packages)) {
        expect(existsSync(join(root, "node_modules", path, "package.json"))).toBe(true);
      }
      expect((await run("plugin", "doctor")).stdout).toBe("Everything is as it should be.\n");
    },
    INSTALL_MS,
  );
}

/** From the directories alone, in the words of the format's own description. */
function whatLiesIn(root: string, plugin: string): string[] {
  const manifest = json(join(root, ".claude-plugin/plugin.json"));
  const found = new Set<string>();
  const filesIn = (key: string): [path: string, below: string][] => {
    const given = manifest[key] === undefined ? [key] : [manifest[key]].flat().map(String);
    return given.flatMap((one): [string, string][] => {
      const path = join(root, one);
      if (one.endsWith(".md")) return [[path, basename(path)]];
      const all = existsSync(path) ? readdirSync(path, { recursive: true }).map(String) : [];
      return all.filter((name) => name.endsWith(".md")).map((name) => [join(path, name), name]);
    });
  };
  for (const [, below] of filesIn("commands")) {
    found.add(`commands ${plugin}:${below.replace(/\.md$/, "").replaceAll("/", ":")}`);
  }
  for (const [path] of filesIn("agents")) {
    const { name = basename(path, ".md"), description } = frontmatter(path);
    if (description !== undefined) found.add(`agents ${name}`);
  }
  for (const base of ["skills", ...[manifest.skills ?? []].flat().map(String)]) {
    const directory = join(root, base);
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      const path = join(directory, name, "SKILL.md");
      if (existsSync(path)) {
        found.add(`skills ${frontmatter(path).name ?? basename(dirname(path))}`);
      }
    }
  }
  const hooks = json(join(root, "hooks/hooks.json"));
  for (const event of Object.keys((hooks.hooks as object) ?? hooks)) found.add(`hooks ${event}`);
  const servers = json(join(root, ".mcp.json"));
  for (const name of Object.keys((servers.mcpServers as object) ?? servers))
    found.add(`mcp ${name}`);
  return [...found].toSorted();
}

function json(path: string): Record<string, unknown> {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

function frontmatter(path: string): Record<string, string | undefined> {
  const [, head = ""] = /^---\r?\n([^]*?)\r?\n---/.exec(readFileSync(path, "utf8")) ?? [];
  const lines = [...head.matchAll(/^([\w-]+): *(.*?)\r?$/gm)];
  return Object.fromEntries(
    lines.map(([, key, value]) => [key, value!.replace(/^["']|["']$/g, "")]),
  );
}
