// Slips in what names models and providers: each is told where it happens, with what was meant or with
// the next step.

import { describe, expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const OWN = `providers:
  mine:
    baseUrl: SERVER/v1
    api: openai-completions
    apiKey: env:NOPE
    models: [{ id: m }]
`;

async function tau(
  home: IsolatedHome,
  args: readonly string[],
  { files = {}, env = {} }: { files?: Record<string, string>; env?: Record<string, string> } = {},
) {
  for (const [path, text] of Object.entries(files)) await home.write(`.tau/agent/${path}`, text);
  return await runTau([...args], { cwd: home.root, home, env });
}

async function alone(
  args: readonly string[],
  options: { files?: Record<string, string>; env?: Record<string, string> } = {},
) {
  await using home = await isolatedHome();
  const { stdout, stderr, exitCode } = await tau(home, args, options);
  return { stdout, stderr: stderr.replaceAll(home.root, "HOME"), exitCode };
}

test("a key that is in no variable is named", async () => {
  const files = { "models.yml": OWN.replace("SERVER", "http://127.0.0.1:9") };
  const { stderr, exitCode } = await alone(["-p", "-m", "mine/m", "hi"], { files });
  expect(stderr).toBe(
    "tau: mine/m: The apiKey of mine in models.yml has no value: the variable NOPE is not set " +
      "(check the key or log in again)\n",
  );
  expect(exitCode).toBe(3);
});

test("timeouts that would end every call are refused in a sentence, and the rest holds", async () => {
  await using server = await ModelServer.start([{ text: "here" }]);
  const models = OWN.replace("SERVER", server.origin).replace(
    "{ id: m }",
    "{ id: m, compat: { streamIdleTimeoutMs: -5, firstEventTimeoutMs: 0 } }",
  );
  const config = "compaction: { idleTimeoutSeconds: 0 }\ntools: { maxTimeout: -3 }\n";
  const { stdout, stderr } = await alone(["-p", "-m", "mine/m", "hi"], {
    files: { "models.yml": models, "config.yml": config },
    env: { NOPE: "k" },
  });
  expect(stdout).toBe("here\n");
  for (const sentence of [
    "config.yml:1: compaction.idleTimeoutSeconds: expected a number of at least 1",
    "config.yml:2: tools.maxTimeout: expected a number of at least 0",
    "models.0.compat.streamIdleTimeoutMs: must be a number greater than 0",
    "models.0.compat.firstEventTimeoutMs: must be a number greater than 0",
  ]) {
    expect(stderr).toContain(sentence);
  }
});

describe("names in lists that mean nothing", () => {
  const config =
    "enabledModels: ['antropic/*', claude-opus-4-6x, gpt-5]\ndisabledProviders: [opnai]\n";
  const told = [
    'config.yml: enabledModels: no model matches "antropic/*"; did you mean "anthropic/*"?',
    'config.yml: enabledModels: no model matches "claude-opus-4-6x"; did you mean "claude-opus-4-6"?',
    'config.yml: disabledProviders: there is no provider "opnai"; did you mean "openai"?',
  ];

  test("are told by `tau models`", async () => {
    const { stderr } = await alone(["models"], { files: { "config.yml": config } });
    for (const sentence of told) expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("gpt-5");
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .filter((line) => line.includes("config.yml")),
    ).toHaveLength(3);
  });

  test("and when a session chooses among them", async () => {
    const { stderr } = await alone(["-p", "hi"], { files: { "config.yml": config } });
    for (const sentence of told) expect(stderr).toContain(sentence);
  });
});

describe("a provider that is disabled", () => {
  const files = { "config.yml": "disabledProviders: [openai]\n" };
  const sentence =
    'tau: the provider "openai" is disabled by disabledProviders in HOME/.tau/agent/config.yml; ' +
    "remove it there, or choose another model\n";

  test("is called disabled, and by what", async () => {
    for (const name of ["openai/gpt-5", "openai/gpt-5:high", "openai", "openai/no-such-model"]) {
      const env = { OPENAI_API_KEY: "k" };
      const { stderr, exitCode } = await alone(["-p", "-m", name, "hi"], { files, env });
      expect({ name, stderr, exitCode }).toEqual({ name, stderr: sentence, exitCode: 2 });
    }
  });

  test("does not stand in the way of a gateway that has a model of that name", async () => {
    await using server = await ModelServer.start([{ text: "routed" }]);
    const env = { OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: `${server.origin}/api/v1` };
    const { stdout } = await alone(["-p", "-m", "openai/gpt-5", "hi"], { files, env });
    expect(stdout).toBe("routed\n");
  });
});

test("a misspelt thinking level is suggested, and names with other suffixes are left alone", async () => {
  const env = { ANTHROPIC_API_KEY: "k" };
  const part = await alone(["-p", "-m", "opus:hihg", "hi"], { env });
  expect(part.stderr).toBe('tau: no model is called "opus:hihg"; did you mean opus:high?\n');
  const exact = await alone(["-p", "-m", "anthropic/claude-opus-4-5:hihg", "hi"], { env });
  expect(exact.stderr).toBe(
    'tau: "hihg" is not a thinking level; did you mean anthropic/claude-opus-4-5:high?\n',
  );
  expect([part.exitCode, exact.exitCode]).toEqual([2, 2]);
  const other = await alone(["models", "explain", "openrouter/openai/gpt-5:nitro"], { env });
  expect(other.stdout).toContain("openai/gpt-5:nitro");
});

test("a session whose provider is gone says so, and how to go on", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "first" }, { text: "second" }]);
  const env = { NOPE: "k", OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: `${server.origin}/v1` };
  const files = { "models.yml": OWN.replace("SERVER", server.origin) };
  const first = await tau(home, ["-p", "-m", "mine/m", "hi"], { files, env });
  expect(first.stdout).toBe("first\n");
  const gone = await tau(home, ["-p", "-c", "more"], { files: { "models.yml": "" }, env });
  expect(gone).toMatchObject({
    stdout: "",
    stderr:
      'tau: this session was with mine/m, but there is no provider "mine"; ' +
      "continue with another model (-m PROVIDER/MODEL), or set it up again\n",
    exitCode: 2,
  });
  const other = await tau(home, ["-p", "-c", "-m", "openrouter/m", "more"], { env });
  expect(other.stdout).toBe("second\n");
});
