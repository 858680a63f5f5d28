// tau models, as a user runs it: lists, explanations, what local servers have.

import { describe, expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

async function models(
  args: string[],
  env: Record<string, string> = {},
  files: Record<string, string> = {},
) {
  await using home = await isolatedHome();
  for (const [path, text] of Object.entries(files)) await home.write(`.tau/agent/${path}`, text);
  return await run(home, args, env);
}

async function run(home: IsolatedHome, args: string[], env: Record<string, string> = {}) {
  return await runTau(["models", ...args], { cwd: home.root, home, env });
}

describe("the list", () => {
  test("has what is connected; without anything it says how to connect", async () => {
    const none = await models([]);
    expect(none).toMatchObject({ stdout: "", exitCode: 0 });
    expect(none.stderr).toContain("no provider is connected");
    const some = await models([], { ANTHROPIC_API_KEY: "k" });
    expect(some.stdout).toStartWith("Anthropic\n  anthropic/claude-");
    expect(some.stdout).not.toContain("openai/");
  });

  test("by words, by glob, and as JSON that parses", async () => {
    const words = await models(["claude", "opus"]);
    expect(words.stdout).toContain("anthropic/claude-opus-");
    expect(words.stdout).not.toContain("haiku");
    const glob = await models(["openai/gpt-5*", "--json"]);
    const parsed = JSON.parse(glob.stdout) as { provider: string; available: boolean }[];
    expect(parsed.length).toBeGreaterThan(0);
    expect(new Set(parsed.map((model) => model.provider))).toEqual(new Set(["openai"]));
    expect(parsed.every((model) => !model.available)).toBe(true);
    const nothing = await models(["no-such-model-anywhere"]);
    expect(nothing).toMatchObject({ stdout: "", exitCode: 1 });
  });

  test("a provider that has only a row is known by its default model, or by its name", async () => {
    const row = await models(["aimlapi"]);
    expect(row.stdout).toContain("  aimlapi/openai/gpt-5.2 ");
    const { stderr, exitCode } = await models(["vllm"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("`tau models refresh vllm` asks its server, or name one: -m vllm/ID");
  });

  test("keys that are written as older files have them work, and say how to write them", async () => {
    const files = {
      "models.yml": "providers:\n  groq:\n    apiKey: MY_GROQ\n  openai:\n    apiKey: '!echo k'\n",
    };
    const { stdout, stderr } = await models(["groq"], { MY_GROQ: "k" }, files);
    expect(stdout).toContain("groq/");
    expect(stderr).toContain('models.yml:3: providers.groq.apiKey: write "env:MY_GROQ" instead');
    expect(stderr).toContain('models.yml:5: providers.openai.apiKey: write "cmd:…" instead');
  });

  test("the user's own models and changes are in it", async () => {
    const { stdout } = await models(
      ["--json"],
      { ANTHROPIC_API_KEY: "k" },
      {
        "models.yml": `providers:
  mine:
    baseUrl: http://127.0.0.1:9/v1
    api: openai-completions
    auth: none
    models:
      - { id: one, contextWindow: 1234, cost: { input: 1, output: 2 } }
  anthropic:
    modelOverrides:
      claude-opus-4-5: { name: Corporate, maxTokens: 77 }
`,
      },
    );
    const all = JSON.parse(stdout) as {
      id: string;
      name: string;
      maxOutput: number;
      contextWindow: number;
    }[];
    expect(all.find((model) => model.id === "one")).toMatchObject({ contextWindow: 1234 });
    expect(all.find((model) => model.id === "claude-opus-4-5")).toMatchObject({
      name: "Corporate",
      maxOutput: 77,
    });
  });

  test("a provider that is disabled here is not offered", async () => {
    const { stdout } = await models(
      [],
      { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" },
      {
        "config.yml": "disabledProviders: [anthropic]\n",
      },
    );
    expect(stdout).not.toContain("anthropic/");
    expect(stdout).toContain("openai/");
  });
});

describe("explain", () => {
  const explain = async (selector: string[], env = {}, files = {}) => {
    const { stdout, exitCode, stderr } = await models(
      ["explain", ...selector, "--json"],
      env,
      files,
    );
    return exitCode === 0 ? JSON.parse(stdout) : { exitCode, stderr };
  };

  test("says which row, which quirks, which credential, and why", async () => {
    const found = await explain(["sonnet:low"], { ANTHROPIC_API_KEY: "very-secret" });
    expect(found).toMatchObject({
      provider: { id: "anthropic", source: "built in" },
      wire: "anthropic-messages",
      thinking: { used: "low" },
      credential: { origin: "environment", label: "ANTHROPIC_API_KEY" },
    });
    expect(found.because).toEqual([
      "asked for: sonnet:low",
      `part of the name of ${found.selector}`,
    ]);
    expect(found.variants.length).toBeGreaterThan(1);
    expect(JSON.stringify(found)).not.toContain("very-secret");
  });

  test("a canonical name goes where it is available; an exact one stays", async () => {
    const viaGateway = await explain(["claude-opus-4-5"], { OPENROUTER_API_KEY: "k" });
    expect(viaGateway.selector).toBe("openrouter/anthropic/claude-opus-4.5");
    const exact = await explain(["anthropic/claude-opus-4-5"], { OPENROUTER_API_KEY: "k" });
    expect(exact).toMatchObject({ selector: "anthropic/claude-opus-4-5", credential: null });
  });

  test("a canonical name does not depend on its maker being used", async () => {
    const { stdout } = await models(
      ["explain", "claude-opus-4.5", "--json"],
      { OPENROUTER_API_KEY: "k" },
      { "config.yml": "disabledProviders: [anthropic]\n" },
    );
    expect(JSON.parse(stdout)).toMatchObject({ provider: { id: "openrouter" } });
    const dotted = await models(["explain", "claude-opus-4.5", "--json"], {
      ANTHROPIC_API_KEY: "k",
    });
    expect(JSON.parse(dotted.stdout)).toMatchObject({ selector: "anthropic/claude-opus-4-5" });
  });

  test("a pattern is the first that it matches, a role that is not there is named", async () => {
    const env = { OPENROUTER_API_KEY: "k" };
    const { stdout } = await models(["explain", "openrouter/anthropic/claude-h*", "--json"], env);
    const { selector } = JSON.parse(stdout) as { selector: string };
    expect(selector).toStartWith("openrouter/anthropic/claude-haiku-");
    const none = await models(["explain", "openrouter/nothing-like-*"], env);
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.stderr).toContain('no model matches "openrouter/nothing-like-*"');
    const role = await models(["explain", "tau/smoll"], env);
    expect(role.stderr).toContain('there is no model role "tau/smoll"; did you mean tau/smol?');
  });

  test("enabledModels holds for names, for the default and for the list", async () => {
    const files = { "config.yml": "enabledModels: ['anthropic/claude-haiku*']\n" };
    const env = { ANTHROPIC_API_KEY: "k" };
    const list = await models(["--json"], env, files);
    const ids = (JSON.parse(list.stdout) as { id: string }[]).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.every((id) => id.startsWith("claude-haiku"))).toBe(true);
    const chosen = await models(["explain", "--json"], env, files);
    expect((JSON.parse(chosen.stdout) as { selector: string }).selector).toContain("claude-haiku");
    expect((await models(["explain", "opus"], env, files)).exitCode).toBe(2);
    // Whoever writes it out means it.
    const exact = await models(["explain", "anthropic/claude-opus-4-5", "--json"], env, files);
    expect(JSON.parse(exact.stdout)).toMatchObject({ selector: "anthropic/claude-opus-4-5" });
  });

  test("a tag is a role as soon as it is named", async () => {
    const files = { "config.yml": "modelTags: { review: {} }\nmodelRoles: { default: gpt-5.4 }\n" };
    const { stdout } = await models(
      ["explain", "tau/review", "--json"],
      { OPENAI_API_KEY: "k" },
      files,
    );
    expect(JSON.parse(stdout)).toMatchObject({ selector: "openai/gpt-5.4" });
  });

  test("roles are followed, and unknown words refused", async () => {
    const role = await explain(
      ["tau/smol"],
      { OPENAI_API_KEY: "k" },
      {
        "config.yml": "modelRoles: { smol: 'openai/gpt-5.4:minimal' }\n",
      },
    );
    expect(role.selector).toBe("openai/gpt-5.4");
    expect(role.because).toContain("the role smol is openai/gpt-5.4:minimal");
    expect(await explain(["zzzz"])).toEqual({
      exitCode: 2,
      stderr: 'tau: no model is called "zzzz"; `tau models` lists all models\n',
    });
  });

  test("for people: one page, aligned, no line too long to read", async () => {
    const { stdout } = await models(["explain", "openai/gpt-5.4"], { OPENAI_API_KEY: "k" });
    expect(stdout.split("\n")[0]).toBe("openai/gpt-5.4");
    expect(stdout).toMatch(/\n {2}wire +openai-responses\n/);
    expect(stdout).toMatch(/\n {2}credential +environment: OPENAI_API_KEY\n/);
  });
});

describe("refresh", () => {
  test("asks a local server, keeps the answer, and dead ones cost nothing", async () => {
    await using home = await isolatedHome();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/api/tags")
          return Response.json({ models: [{ name: "qwen3:8b", model: "qwen3:8b" }] });
        if (pathname === "/api/show") {
          return Response.json({
            model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40960 },
            capabilities: ["completion", "tools"],
          });
        }
        return new Response("no", { status: 404 });
      },
    });
    const env = {
      OLLAMA_BASE_URL: `${server.url.origin}/v1`,
      LM_STUDIO_BASE_URL: "http://127.0.0.1:1/v1",
      LLAMA_CPP_BASE_URL: "http://127.0.0.1:1/v1",
    };
    const refreshed = await run(home, ["refresh"], env);
    expect(refreshed.stdout).toBe("ollama: 1 models\n");
    expect(refreshed.stderr).toContain("tau: lm-studio: ");
    expect(refreshed.exitCode).toBe(0);
    await server.stop(true);
    const listed = await run(home, ["qwen3:8b", "--json"], env);
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ provider: "ollama", id: "qwen3:8b", contextWindow: 40960 }),
    );
    const unable = await run(home, ["refresh", "anthropic"]);
    expect(unable.exitCode).toBe(2);
    expect(unable.stderr).toContain("does not list its models");
  });
});

describe("the flags of roles", () => {
  test("a name that nobody knows is told at once", async () => {
    await using home = await isolatedHome();
    const args = ["-p", "-m", "tau/demo", "--smol", "nosuchmodel", "hi"];
    const told = await runTau(args, { cwd: home.root, home, env: {} });
    expect(told).toMatchObject({ exitCode: 2, stdout: "" });
    expect(told.stderr).toContain('no model is called "nosuchmodel"');
  });

  test.each([
    ["--smol", "smol"],
    ["--slow", "slow"],
    ["--plan-model", "plan"],
  ])("%s sets the role %s for one run", async (flag, role) => {
    await using home = await isolatedHome();
    await home.write(".tau/agent/config.yml", `modelRoles: { ${role}: ollama/other }\n`);
    await using server = await ModelServer.start(() => ({ text: "ok" }));
    const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
    const args = ["-p", "-m", `tau/${role}`, flag, "ollama/mine", "hi"];
    expect(await runTau(args, { cwd: home.root, home, env })).toMatchObject({ exitCode: 0 });
    expect(server.requests.map(({ decoded }) => decoded.modelId)).toEqual(["mine"]);
  });
});

test("secrets in headers of models.yml are sent as what they stand for, or not at all", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(() => ({ text: "ok" }));
  const file = (header: string): string => `providers:
  mine:
    baseUrl: ${server.baseUrl("openai-completions")}
    api: openai-completions
    auth: none
    headers: { X-Plain: words, X-Variable: env:TEAM_KEY }
    models:
      - id: m
        headers: { X-Command: "${header}" }
`;
  await home.write(".tau/agent/models.yml", file("cmd:echo from-command"));
  const place = { cwd: home.root, home, env: { TEAM_KEY: "from-variable" } };
  expect(await runTau(["-p", "-m", "mine/m", "hi"], place)).toMatchObject({ exitCode: 0 });
  const { headers } = server.requests[0]!;
  expect(["x-plain", "x-variable", "x-command"].map((name) => headers.get(name))).toEqual([
    "words",
    "from-variable",
    "from-command",
  ]);
  const unset = await runTau(["-p", "-m", "mine/m", "hi"], { ...place, env: {} });
  expect(unset.exitCode).toBe(3);
  expect(unset.stderr).not.toContain("ModelError");
  expect(unset.stderr.split("\n")).toHaveLength(2);
  expect(unset.stderr).toContain(
    "The header X-Variable of mine has no value: the variable TEAM_KEY is not set",
  );
  expect(server.requests).toHaveLength(1);
});

test("maxTokens of models.yml is sent, and a server's silence is as long as it says", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    { text: "ok" },
    { text: "never", delivery: { silentAfterBytes: 1 } },
  ]);
  await home.write(
    ".tau/agent/models.yml",
    `providers:
  mine:
    baseUrl: ${server.baseUrl("openai-completions")}
    api: openai-completions
    auth: none
    compat: { streamIdleTimeoutMs: 1000, firstEventTimeoutMs: 1000 }
    models:
      - id: m
        maxTokens: 1234
`,
  );
  await home.write(".tau/agent/config.yml", "retry: { enabled: false }\n");
  const place = { cwd: home.root, home, env: {} };
  expect(await runTau(["-p", "-m", "mine/m", "hi"], place)).toMatchObject({ exitCode: 0 });
  expect(server.requests[0]!.body).toMatchObject({ max_tokens: 1234 });
  const silent = await runTau(["-p", "-m", "mine/m", "hi"], place);
  expect(silent.exitCode).toBe(1);
  expect(silent.stderr).toContain("sent nothing for 1 s");
});

test("a provider that a mistake in models.yml has cost is named with the mistake", async () => {
  await using home = await isolatedHome();
  await home.write(
    ".tau/agent/models.yml",
    "providers:\n  mine:\n    baseUrl: http://127.0.0.1:9/v1\n    hedaers: {}\n    models: [{ id: m }]\n",
  );
  const told = await runTau(["-p", "-m", "mine/m", "hi"], { cwd: home.root, home, env: {} });
  expect(told.exitCode).toBe(2);
  expect(told.stderr).toContain('the provider "mine" is left out because of a mistake');
  expect(told.stderr).toContain("models.yml:4");
});
