// What extensions bring, for commands that open no session: their flags in completions and help, their
// providers in `tau models`; and what is said of a provider of theirs whose key is missing.

import { expect, test } from "bun:test";
import { SHELLS } from "@tau/tau/cli/command-table";
import { extended } from "./support/extended.ts";

const FLAGGED = `
export default (pi) => {
  pi.registerFlag("deep", { type: "boolean", description: "Look\\ndeeper; 'really'" });
  pi.registerFlag("depth", { type: "string", description: "How deep" });
  pi.registerFlag("x; touch pwned", { type: "boolean", description: "$(touch pwned)" });
};`;

for (const shell of SHELLS) {
  test(`the completions for ${shell} know the flags of extensions`, async () => {
    await using program = await extended({ "deep.ts": FLAGGED }, []);
    const { stdout, stderr, exitCode } = await program.command("completions", shell);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const spelt = (name: string): string => (shell === "fish" ? `-l ${name} ` : `--${name}`);
    expect(stdout).toContain(spelt("deep"));
    expect(stdout).toContain(spelt("depth"));
    expect(stdout).not.toContain("x; touch");
    const without = await program.command("completions", shell, "--no-extensions");
    expect(without.stdout).not.toContain(spelt("deep"));
  });
}

test("bash completes them", async () => {
  await using program = await extended({ "deep.ts": FLAGGED }, []);
  const { stdout } = await program.command("completions", "bash");
  const script = `${stdout}\nCOMP_WORDS=(tau --de); COMP_CWORD=1; _tau; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = Bun.spawnSync(["bash", "--norc", "-c", script], { cwd: program.cwd });
  expect(ran.stdout.toString().trim().split("\n").toSorted()).toEqual(["--deep", "--depth"]);
});

test("help lists them if the line made Tau load them", async () => {
  await using program = await extended({ "deep.ts": FLAGGED }, []);
  const { stdout } = await program.command("--deep", "--help");
  expect(stdout).toContain("Flags of extensions");
  expect(stdout).toContain("--depth");
  expect((await program.command("--help")).stdout).not.toContain("--depth");
});

const PROVIDER = `
export default {
  name: "workshop",
  providers: {
    workshop: {
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "env:WORKSHOP_KEY",
      api: "openai-completions",
      models: [{ id: "small", contextWindow: 32000 }],
    },
    bare: { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", models: [{ id: "m" }] },
  },
};`;

test("tau models has the providers of extensions, of the user's and of -e", async () => {
  await using program = await extended({ "workshop.ts": PROVIDER }, []);
  const { stdout } = await program.command("models", "workshop");
  expect(stdout).toContain("workshop/small");
  const explained = await program.command("models", "explain", "workshop/small");
  expect(explained.stdout).toContain("the extension workshop");
  const without = await program.command("models", "workshop", "--no-extensions");
  expect(without.stderr).toContain('no model matches "workshop"');
  const path = program.home.path(".tau/agent/extensions/workshop.ts");
  const named = await program.command("models", "workshop", "--no-extensions", "-e", path);
  expect(named.stdout).toContain("workshop/small");
});

test("a key that is missing is looked for where the extension says, not in models.yml", async () => {
  await using program = await extended({ "workshop.ts": PROVIDER }, []);
  const unset = await program.command("-p", "hello", "-m", "workshop/small");
  expect(unset.stderr).toContain(
    "The apiKey of workshop in the extension workshop has no value: the variable WORKSHOP_KEY is not set",
  );
  const bare = await program.command("-p", "hello", "-m", "bare/m");
  expect(bare.stderr).toContain(
    "no API key for bare: the extension workshop brings it without one; give one with --api-key",
  );
  expect(`${unset.stderr}${bare.stderr}`).not.toContain("models.yml");
});
