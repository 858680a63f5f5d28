import { expect, test } from "bun:test";
import { sandboxTest } from "@tau/host/sandbox/test/sandbox-test";
import { isolatedHome } from "@tau/testkit/scratch";
import { UserError } from "../../user-error.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { SANDBOX_ROWS } from "./settings.ts";
import { workspaceSandbox } from "./workspace-sandbox.ts";

const DEFAULT_SANDBOX = defaultsOf(SANDBOX_ROWS);

sandboxTest("settings decide what is writable and whether there is a network", async () => {
  await using home = await isolatedHome();
  await home.write("work/file", "");
  await home.write("cache/file", "");
  await home.write("agent/agent.db", "keys");
  const settings = { mode: "workspace", network: "off", writable: ["~/cache"] } as const;
  const env = { ...home.env, TAU_AGENT_DIR: home.path("agent") };
  const options = { cwd: home.path("work"), env, settings };
  const sandbox = await workspaceSandbox(options);
  const command = `exec 2>&1; echo 1 > new; echo 2 > ~/cache/new; echo 3 > ~/new; cat ~/agent/agent.db; echo done`;
  const child = Bun.spawn(sandbox!.wrap(["sh", "-c", command]), { cwd: options.cwd, env });
  const output = await child.stdout.text();
  expect(output).toMatch(/Read-only file system\n.*Permission denied\ndone\n$/);
  expect(output).not.toContain("keys");
  expect(await home.read("work/new")).toBe("1\n");
  expect(await home.read("cache/new")).toBe("2\n");
  expect(sandbox!.wrap(["true"])).toContain("--unshare-net");
});

test("off is off; wanted and not to be had is an error with what to do", async () => {
  await using home = await isolatedHome();
  const options = { cwd: home.root, env: home.env };
  expect(await workspaceSandbox({ ...options, settings: DEFAULT_SANDBOX })).toBeUndefined();
  const wanted = { ...DEFAULT_SANDBOX, mode: "workspace" } as const;
  const refused = workspaceSandbox({ ...options, settings: wanted }, { platform: "darwin" });
  expect(refused).rejects.toThrow(UserError);
  expect(refused).rejects.toThrow(
    "the sandbox is not available: there is no sandbox for darwin; turn it off (sandbox.mode off), or work in a Linux container",
  );
  const wrong = workspaceSandbox({ ...options, settings: { ...wanted, writable: [3] } });
  expect(wrong).rejects.toThrow("sandbox.writable must be a list of paths; 3 is not a path");
});
