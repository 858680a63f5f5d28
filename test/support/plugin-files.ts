// A plugin to install, and what is installed, for the tests of plugins.

import { expect } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./run-tau.ts";

export type Files = Readonly<Record<string, string>>;

export const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nHow to ${name}.\n`;

const GUARD = `
export default function (pi) {
  pi.on("tool_call", async (event) => {
    if (event.toolName === "bash" && /rm -rf/.test(String(event.input.command))) {
      return { block: true, reason: "guarded by a plugin" };
    }
  });
}`;

export const FAMILY: Files = {
  "package.json": JSON.stringify({
    name: "guarding",
    version: "1.0.0",
    description: "Guards things",
    pi: { extensions: ["./src/guard.ts"] },
  }),
  "src/guard.ts": GUARD,
  "lib/other.ts": "throw new Error('nobody has named this');",
  "skills/pdf/SKILL.md": skill("pdf", "Reads PDFs"),
  "commands/greet.md": "Say hello to $ARGUMENTS.\n",
};

export async function writeAll(
  home: IsolatedHome,
  directory: string,
  files: Files,
): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await home.write(join(directory, name), content);
  }
  return home.path(directory);
}

export async function listed(
  home: IsolatedHome,
  cwd = home.root,
): Promise<Record<string, unknown>[]> {
  const { stdout, exitCode } = await runTau(["plugin", "list", "--json"], { cwd, home });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

/** The directories of what is installed, without the lockfile and its lock. */
export async function installed(home: IsolatedHome): Promise<string[]> {
  const names = await readdir(home.path(".tau/plugins")).catch(() => []);
  return names.filter((name) => !name.startsWith("plugins.json"));
}
