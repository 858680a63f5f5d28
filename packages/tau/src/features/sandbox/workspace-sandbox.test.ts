import { expect, test } from "bun:test";
import { KINDS, sandboxTest } from "@tau/host/sandbox/test/sandbox-test";
import { isolatedHome } from "@tau/testkit/scratch";
import { Confinement } from "../../tools/confinement.ts";
import { UserError } from "../../user-error.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { SANDBOX_ROWS } from "./settings.ts";
import { workspaceSandbox } from "./workspace-sandbox.ts";

const WANTED = { ...defaultsOf(SANDBOX_ROWS), mode: "workspace" } as const;

for (const kind of KINDS) {
  sandboxTest(
    `settings decide what is writable and whether there is a network (${kind})`,
    async () => {
      await using home = await isolatedHome();
      await home.write("work/file", "");
      await home.write("cache/file", "");
      await home.write("agent/agent.db", "keys");
      const env = { ...home.env, TAU_AGENT_DIR: home.path("agent") };
      const cwd = home.path("work");
      const settings = { ...WANTED, kind, writable: ["~/cache"] };
      const sandbox = await workspaceSandbox({ cwd, env, settings });
      if (sandbox.kind === "none") throw new Error(sandbox.why);
      expect(sandbox).toMatchObject({ kind, promises: { network: "off" } });
      const command = `exec 2>&1; echo 1 > new; echo 2 > ~/cache/new; echo 3 > ~/new; cat ~/agent/agent.db; echo done`;
      const child = Bun.spawn(sandbox.wrap(["sh", "-c", command]), { cwd, env });
      const output = await child.stdout.text();
      expect(output).toMatch(
        /(?:Read-only file system|Permission denied)\n.*Permission denied\ndone\n$/,
      );
      expect(output).not.toContain("keys");
      expect(await home.read("work/new")).toBe("1\n");
      expect(await home.read("cache/new")).toBe("2\n");
      const open = await workspaceSandbox({ cwd, env, settings: { ...settings, network: "on" } });
      expect(open).toMatchObject({ kind, promises: { network: "on" } });
    },
    60_000,
    kind,
  );
}

test("wanted and not to be had is an error with what to do, for everything that would run", async () => {
  await using home = await isolatedHome();
  const options = { cwd: home.root, env: home.env };
  const missing = new Confinement({
    network: "off",
    make: () => workspaceSandbox({ ...options, settings: WANTED }, { platform: "darwin" }),
  });
  const told: unknown[] = [];
  missing.onChange = () => told.push(missing.status);
  const words =
    "the sandbox is not available: there is no sandbox for darwin; turn it off (sandbox.mode off), or work in a Linux container";
  const refused = missing.open();
  expect(refused).rejects.toThrow(UserError);
  expect(refused).rejects.toThrow(words);
  expect(missing.sandboxed(["true"], { profile: "kernel" })).rejects.toThrow(`Not run: ${words}`);
  expect(missing.confineReader(["true"], { reads: [] })).rejects.toThrow(`Not run: ${words}`);
  await missing.check();
  expect(told).toEqual([
    {
      state: "missing",
      why: "there is no sandbox for darwin",
      fix: "turn it off (sandbox.mode off), or work in a Linux container",
    },
  ]);
  const wrong = new Confinement({
    network: "off",
    make: () => workspaceSandbox({ ...options, settings: { ...WANTED, writable: [3] } }),
  });
  expect(wrong.open()).rejects.toThrow(
    "the sandbox is not available: sandbox.writable must be a list of paths; 3 is not a path; correct the setting",
  );
});
