// The single-file executable passes what the source checkout passes.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { createScratchDirectory, isolatedHome } from "@tau/testkit/scratch";
import { join } from "node:path";
import manifest from "../packages/tau/package.json";
import { HOSTILE_FILES } from "./support/hostile-files.ts";
import { root, runTau } from "./support/run-tau.ts";

const BUILD_TIMEOUT_MS = 120_000;

test(
  "npm run build makes an executable that needs nothing beside it",
  async () => {
    const build = Bun.spawnSync([process.execPath, "scripts/build.ts"], { cwd: root });
    expect(build.stderr.toString()).toBe("");
    expect(build.exitCode).toBe(0);
    const program = [join(root, "dist", "tau")];
    await using home = await isolatedHome();
    await using directory = await createScratchDirectory();
    for (const [path, text] of Object.entries(HOSTILE_FILES)) await directory.write(path, text);
    const run = (args: string[], env: Record<string, string> = {}) =>
      runTau(args, { cwd: directory.root, home, env, program });

    expect(await run(["--version"])).toEqual({
      stdout: `tau ${manifest.version}\n`,
      stderr: "",
      exitCode: 0,
    });
    const help = await run(["--help"]);
    expect(help.stdout).toBe((await runTau(["--help"], { cwd: home.root, home })).stdout);
    expect((await run(["--modle"])).exitCode).toBe(2);

    const demo = await run(["-p", "look around"]);
    expect(demo).toMatchObject({ stderr: "", exitCode: 0 });
    expect(demo.stdout).toContain("bunfig.toml");

    await using server = await ModelServer.start([
      { toolCalls: [{ name: "bash", arguments: { command: "echo built" } }] },
      { text: "done" },
    ]);
    const env = {
      OPENROUTER_API_KEY: "k",
      OPENROUTER_BASE_URL: server.baseUrl("openai-completions"),
    };
    const turn = await run(["-p", "-m", "openrouter/m", "hi"], env);
    expect(turn).toEqual({ stdout: "done\n", stderr: "", exitCode: 0 });
    expect(server.requests).toHaveLength(2);
    expect(await Bun.file(directory.path("evil-ran")).exists()).toBe(false);
  },
  BUILD_TIMEOUT_MS,
);
