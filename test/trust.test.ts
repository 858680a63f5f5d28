// tau trust as a user runs it: what would run is shown, the answer holds for exactly that, and nobody
// is trusted by default.

import { expect, test } from "bun:test";
import { rename, stat } from "node:fs/promises";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const FILES = {
  ".tau/extensions/guard.ts": "export default () => {};\n",
  ".mcp.json": JSON.stringify({
    mcpServers: { db: { command: "npx", args: ["-y", "db server"], env: { TOKEN: "s3cret" } } },
  }),
  "AGENTS.md": "Hello.\n",
  "sub/x": "",
};

interface Status {
  state: string;
  root: string;
  isDenied: boolean;
  items: { id: string; does: string[]; isHeldBack: boolean; change?: string }[];
}

async function trust(cwd: string, home: IsolatedHome, ...args: string[]) {
  return await runTau(["trust", ...args], { cwd, home });
}

async function status(cwd: string, home: IsolatedHome, ...args: string[]): Promise<Status> {
  const { stdout, stderr, exitCode } = await trust(cwd, home, "status", ...args, "--json");
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout) as Status;
}

test("shown, allowed, changed, allowed again, denied", async () => {
  await using home = await isolatedHome();
  await using project = await createScratchRepository({ files: FILES });
  const first = await trust(project.root, home);
  expect(first).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: [
      `${project.root}: untrusted`,
      "Nobody has decided about this project.",
      "",
      "Held back:",
      "  MCP server db: .mcp.json#mcpServers.db",
      '      starts: npx -y "db server"',
      "      with: TOKEN",
      "  extension: .tau/extensions/guard.ts",
      "      runs inside Tau",
      "",
      "Allow exactly this with `tau trust allow`.",
      "",
    ].join("\n"),
  });
  const allowed = await trust(project.root, home, "allow");
  expect(allowed.stdout).toContain(`${project.root}: trusted\n`);
  expect(allowed.stdout).toContain("In force:\n  MCP server db");
  expect((await stat(home.path(".tau/agent/trust.json"))).mode & 0o777).toBe(0o600);
  expect(await project.status()).toEqual([]);
  expect(await status(project.path("sub"), home)).toMatchObject({
    state: "trusted",
    root: project.root,
    items: [{ isHeldBack: false }, { isHeldBack: false }],
  });

  await project.write(".tau/extensions/guard.ts", "evil\n");
  const changed = await trust(project.root, home);
  expect(changed.stdout).toContain(`${project.root}: changed\n`);
  expect(changed.stdout).toContain("  extension: .tau/extensions/guard.ts (changed)\n");
  expect(changed.stdout).toContain("  MCP server db: .mcp.json#mcpServers.db\n");
  await trust(project.root, home, "allow");
  expect((await status(project.root, home)).state).toBe("trusted");

  await trust(project.root, home, "deny");
  expect(await status(project.root, home)).toMatchObject({ state: "untrusted", isDenied: true });
});

test("that something would take the place of one's own is said", async () => {
  await using home = await isolatedHome();
  await using project = await createScratchRepository({
    files: { ".tau/hooks/pre/guard.ts": "1" },
  });
  await home.write(".tau/agent/hooks/pre/guard.ts", "2");
  const { stdout } = await trust(project.root, home);
  expect(stdout).toContain("replaces your own: ~/.tau/agent/hooks/pre/guard.ts");
  const sources = await runTau(["config", "sources", "hooks"], { cwd: project.root, home });
  expect(sources.stdout).not.toContain("shadowed");
});

test("of another directory, by name; and never of one that was moved", async () => {
  await using home = await isolatedHome();
  await using project = await createScratchRepository({
    files: { "a/.git/HEAD": "", "a/.env": "A=1\n" },
  });
  const { exitCode } = await trust(home.root, home, "allow", project.path("a"));
  expect(exitCode).toBe(0);
  expect(await status(home.root, home, project.path("a"))).toMatchObject({
    state: "trusted",
    root: project.path("a"),
    items: [{ id: ".env", does: ["sets A"] }],
  });
  expect((await status(project.root, home)).state).toBe("untrusted");
  await rename(project.path("a"), project.path("b"));
  expect((await status(project.path("b"), home)).state).toBe("untrusted");
});

test("a project with nothing to run", async () => {
  await using home = await isolatedHome();
  await using project = await createScratchRepository({ files: { "AGENTS.md": "x" } });
  const { stdout } = await trust(project.root, home);
  expect(stdout).toContain("Nothing here would run or redirect Tau.");
  expect(stdout).not.toContain("trust allow");
});

test.each([
  [["alow"], 2, 'did you mean "allow"?'],
  [["allow", "nowhere"], 2, "does not exist"],
  [["allow", ".", "x"], 2, "one argument too many"],
])("%j is refused in one sentence", async (args, exitCode, why) => {
  await using home = await isolatedHome();
  const result = await trust(home.root, home, ...args);
  expect(result).toMatchObject({ exitCode, stdout: "" });
  expect(result.stderr).toContain(why);
});

test("what nobody can vouch for is not allowed, and a damaged file is not written over", async () => {
  await using home = await isolatedHome();
  await using project = await createScratchRepository({ files: FILES });
  await home.write(".tau/agent/trust.json", "{");
  const result = await trust(project.root, home, "allow");
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toContain("move it away");
  expect(await home.read(".tau/agent/trust.json")).toBe("{");
});
