// What Tau does about failing models, as a user sees it: requests at the server, words on
// standard error, the answer in the end.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf } from "@tau/ai/message";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau, spawnTau } from "./support/run-tau.ts";

const FAST = "retry: { baseDelayMs: 5, maxRetries: 3 }\n";

async function ask(
  script: Script,
  options: { config?: string; models?: string; args?: string[]; env?: Record<string, string> } = {},
) {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(script);
  await configure(home, server, options);
  const env = {
    OPENROUTER_API_KEY: "key-a",
    OPENROUTER_BASE_URL: server.baseUrl("openai-completions"),
  };
  const result = await runTau(["-p", ...(options.args ?? ["-m", "openrouter/m", "hi"])], {
    cwd: home.root,
    home,
    env: { ...env, ...options.env },
  });
  return { ...result, requests: server.requests };
}

async function configure(
  home: IsolatedHome,
  server: ModelServer,
  { config = FAST, models }: { config?: string; models?: string },
): Promise<void> {
  await home.write(".tau/agent/config.yml", config);
  if (models) await home.write(".tau/agent/models.yml", models.replaceAll("SERVER", server.origin));
}

const busy = { httpError: { failure: modelFailure("overloaded", "too busy", { status: 503 }) } };

test("503, 503, 200: three requests, one answer", async () => {
  const { stdout, stderr, exitCode, requests } = await ask([busy, busy, { text: "here" }]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: "here\n", stderr: "", exitCode: 0 });
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map((request) => request.text)).size).toBe(1);
});

test.each([
  ["nothing", ""],
  ["the mark of the end alone", "data: [DONE]\n\n"],
])("a 200 with %s is asked again, and told if it stays so", async (_name, body) => {
  const headers = { "content-type": "text/event-stream" };
  const empty = { httpError: { status: 200, headers, body } };
  const once = await ask([empty, { text: "here" }]);
  expect(once).toMatchObject({ stdout: "here\n", stderr: "", exitCode: 0 });
  expect(once.requests).toHaveLength(2);
  const always = await ask(() => empty);
  expect(always).toMatchObject({ stdout: "", exitCode: 1 });
  expect(always.stderr).toContain("The model's reply ended before it was complete");
  expect(always.requests).toHaveLength(4);
});

test("a retry after tools does not run them again", async () => {
  const command = "echo ran >> log; cat log";
  const script = [
    { toolCalls: [{ name: "bash", arguments: { command } }] },
    { text: "half", streamError: modelFailure("overloaded", "went away") },
    { text: "whole" },
  ];
  const args = ["-m", "openrouter/m", "--yolo", "hi"];
  const { stdout, requests } = await ask(script, { args });
  expect(stdout).toBe("whole\n");
  const last = requests.at(-1)!.decoded.messages;
  expect(last.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
  expect(textOf(last.at(-1)!)).toBe("ran");
});

test("a bad request is not repeated", async () => {
  const failure = modelFailure("invalid_request", "no such field", { status: 400 });
  const { exitCode, requests, stderr } = await ask([{ httpError: { failure } }]);
  expect({ exitCode, count: requests.length }).toEqual({ exitCode: 1, count: 1 });
  expect(stderr).toContain("no such field");
});

test("when nothing helps, one error after the last try", async () => {
  const { exitCode, requests, stderr } = await ask(() => busy);
  expect({ exitCode, count: requests.length }).toEqual({ exitCode: 1, count: 4 });
  expect(stderr.trimEnd().split("\n")).toEqual([
    "tau: openrouter/m: too busy (try again in a moment)",
  ]);
});

test("retry-after is honoured, and told", async () => {
  const limited = {
    httpError: {
      failure: modelFailure("rate_limit", "slow down", { status: 429 }),
      headers: { "retry-after": "1" },
    },
  };
  const { stdout, stderr, requests } = await ask([limited, { text: "here" }]);
  expect(stdout).toBe("here\n");
  expect(stderr).toBe("tau: openrouter/m: slow down; retrying in 1 s\n");
  expect(requests[1]!.receivedAt - requests[0]!.receivedAt).toBeGreaterThanOrEqual(950);
});

describe("falling back", () => {
  const models = `providers:
  spare:
    baseUrl: SERVER/v1
    api: openai-completions
    auth: none
    models: [{ id: second }]
`;

  test("the chain's next model answers", async () => {
    const { stdout, stderr, requests } = await ask(
      (request) => (request.decoded.modelId === "second" ? { text: "spare here" } : busy),
      {
        models,
        config:
          "retry: { baseDelayMs: 1, maxRetries: 1, fallbackChains: { '*': [spare/second] } }\n",
      },
    );
    expect(stdout).toBe("spare here\n");
    expect(stderr).toBe("tau: openrouter/m: too busy; continuing with spare/second\n");
    expect(requests.map((request) => request.decoded.modelId)).toEqual(["m", "m", "second"]);
  });

  test("unless it is switched off", async () => {
    const { exitCode, requests } = await ask(() => busy, {
      models,
      config:
        "retry: { baseDelayMs: 1, maxRetries: 1, modelFallback: false, fallbackChains: { '*': [spare/second] } }\n",
    });
    expect({ exitCode, count: requests.length }).toEqual({ exitCode: 1, count: 2 });
  });
});

test("Ctrl-C during the wait ends it at once", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(() => busy);
  await configure(home, server, { config: "retry: { baseDelayMs: 200000 }\n" });
  const child = spawnTau(["-p", "-m", "openrouter/m", "hi"], {
    cwd: home.root,
    home,
    env: { OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: server.baseUrl("openai-completions") },
  });
  await server.request(1);
  await Bun.sleep(50);
  const killed = performance.now();
  child.kill("SIGINT");
  await child.exited;
  expect(performance.now() - killed).toBeLessThan(2000);
  expect(child.exitCode).toBe(130);
  expect(server.requests).toHaveLength(1);
});

describe("models.yml", () => {
  test("a provider of the user's own, with secrets from a variable and a command", async () => {
    const { stdout, requests } = await ask([{ text: "mine" }], {
      models: `providers:
  mine:
    baseUrl: SERVER/v1
    api: openai-completions
    apiKey: "cmd:printf secret-%s 42"
    headers: { X-Team: platform }
    models: [{ id: local, wireModelId: upstream-name }]
`,
      args: ["-m", "mine/local", "hi"],
    });
    expect(stdout).toBe("mine\n");
    const [request] = requests;
    expect(request!.headers.get("authorization")).toBe("Bearer secret-42");
    expect(request!.headers.get("x-team")).toBe("platform");
    expect(request!.decoded.modelId).toBe("upstream-name");
  });

  test("a mistake is shown with its line, and everything else works", async () => {
    const { stdout, stderr, exitCode } = await ask([{ text: "still here" }], {
      models: "providers:\n  bad:\n    baseUri: x\n",
    });
    expect({ stdout, exitCode }).toEqual({ stdout: "still here\n", exitCode: 0 });
    expect(stderr).toMatch(
      /^tau: .*models\.yml:3: providers\.bad\.baseUri: unknown key; did you mean "baseUrl"\?\n$/,
    );
  });

  test("a profile sets the roles of a run, and needs its providers connected", async () => {
    const profiles = `profiles:
  team:
    required_providers: [openrouter]
    model_mapping: { default: openrouter/team-model, executor: openrouter/other }
  far: { required_providers: [groq], model_mapping: { default: groq/x } }
`;
    const used = await ask([{ text: "ok" }], {
      models: profiles,
      args: ["--profile", "team", "hi"],
    });
    expect(used.requests[0]!.decoded.modelId).toBe("team-model");
    const far = await ask([], { models: profiles, args: ["--profile", "far", "hi"] });
    expect(far).toMatchObject({ exitCode: 3, stdout: "" });
    expect(far.stderr).toContain("the profile far needs groq, which is not connected");
    const none = await ask([], { models: profiles, args: ["--profile", "codex-eko", "hi"] });
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain('did you mean "codex-eco"?');
  });

  test("--models takes the first that is available", async () => {
    const scoped = await ask([{ text: "ok" }], {
      args: ["--models", "groq/*, openrouter/openai/*", "hi"],
    });
    expect(scoped.requests[0]!.decoded.modelId).toStartWith("openai/");
    const none = await ask([], { args: ["--models", "nope/*", "hi"] });
    expect(none).toMatchObject({ exitCode: 2, stderr: "tau: no model matches --models nope/*\n" });
  });

  test("roles that go in a circle are refused with the circle", async () => {
    const { stderr, exitCode } = await ask([], {
      config: "modelRoles: { smol: tau/slow, slow: tau/smol }\n",
      args: ["-m", "tau/smol", "hi"],
    });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "tau: the model roles form a loop: smol → slow → smol; change modelRoles\n",
    );
  });
});
