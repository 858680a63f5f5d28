// What Tau does when a vendor refuses for a reason of its own: the context is full, the account is
// empty, the model is gone, a login cannot be renewed. As a user sees it: requests at the server,
// words on standard error, the answer in the end.

import { describe, expect, test } from "bun:test";
import { CredentialStore } from "@tau/tau/credentials/credential-store";
import { ModelServer, type RecordedRequest, type Script } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const RETRY = "baseDelayMs: 1, maxRetries: 2";
const WITH_CHAIN = `retry: { ${RETRY}, fallbackChains: { '*': [spare/second] } }\n`;
const SPARE = `providers:
  spare:
    baseUrl: SERVER/v1
    api: openai-completions
    auth: none
    models: [{ id: second }]
`;

function refused(status: number, body: unknown): ScriptedTurn {
  return { httpError: { status, body: JSON.stringify(body) } };
}

const keyOf = (request: RecordedRequest): string =>
  request.headers.get("authorization") ?? request.headers.get("x-api-key") ?? "";

async function ask(
  script: Script,
  options: {
    model?: string;
    config?: string;
    models?: string;
    env?: (server: ModelServer) => Record<string, string>;
    prepare?: (home: IsolatedHome) => void;
  } = {},
) {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(script);
  await home.write(".tau/agent/config.yml", options.config ?? `retry: { ${RETRY} }\n`);
  const models = (options.models ?? SPARE).replaceAll("SERVER", server.origin);
  await home.write(".tau/agent/models.yml", models);
  options.prepare?.(home);
  const result = await runTau(["-p", "-m", options.model ?? "openrouter/m", "hi"], {
    cwd: home.root,
    home,
    env: options.env?.(server) ?? {
      OPENROUTER_API_KEY: "env-key",
      OPENROUTER_BASE_URL: server.baseUrl("openai-completions"),
    },
  });
  return { ...result, requests: server.requests };
}

function storeOf(home: IsolatedHome): CredentialStore {
  return new CredentialStore(home.path(".tau", "agent", "agent.db"));
}

test("llama.cpp's full context goes on with the larger sibling", async () => {
  const full = refused(400, {
    error: {
      code: 400,
      message: "the request exceeds the available context size, try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 14429,
      n_ctx: 8192,
    },
  });
  const { stdout, stderr, requests } = await ask(
    ({ decoded }) => (decoded.modelId === "small" ? full : { text: "there is room" }),
    {
      model: "mine/small",
      models: `providers:
  mine:
    baseUrl: SERVER/v1
    api: openai-completions
    auth: none
    models:
      - { id: small, contextWindow: 8192, contextPromotionTarget: large }
      - { id: large, contextWindow: 100000 }
`,
    },
  );
  expect(stdout).toBe("there is room\n");
  expect(stderr).toBe(
    "tau: mine/small: the request exceeds the available context size, try increasing it; continuing with mine/large\n",
  );
  expect(requests.map(({ decoded }) => decoded.modelId)).toEqual(["small", "large"]);
});

describe("an empty account", () => {
  const empty = refused(402, {
    error: {
      message: "Insufficient credits. Add more using https://openrouter.ai/settings/credits",
      code: 402,
    },
  });

  test("makes way for the next key", async () => {
    const { stdout, stderr, requests } = await ask(
      (request) => (keyOf(request) === "Bearer paid" ? { text: "paid for" } : empty),
      {
        prepare: (home) => {
          using store = storeOf(home);
          store.save("openrouter", "one", { kind: "api_key", key: "spent" });
          store.save("openrouter", "two", { kind: "api_key", key: "paid" });
        },
      },
    );
    expect(stdout).toBe("paid for\n");
    expect(stderr).toBe(
      "tau: openrouter/m: Insufficient credits. Add more using https://openrouter.ai/settings/credits; continuing with another account\n",
    );
    expect(requests.map(keyOf)).toEqual(["Bearer spent", "Bearer paid"]);
  });

  test("falls back when there is no other", async () => {
    const { stdout, requests } = await ask(
      ({ decoded }) => (decoded.modelId === "second" ? { text: "spare here" } : empty),
      { config: WITH_CHAIN },
    );
    expect(stdout).toBe("spare here\n");
    expect(requests.map(({ decoded }) => decoded.modelId)).toEqual(["m", "second"]);
  });

  test("without either is one request and one sentence that says what to do", async () => {
    const { exitCode, stderr, requests } = await ask(() => empty);
    expect({ exitCode, count: requests.length }).toEqual({ exitCode: 1, count: 1 });
    expect(stderr).toBe(
      "tau: openrouter/m: Insufficient credits. Add more using https://openrouter.ai/settings/credits (add credit at the provider, or choose another model with --model)\n",
    );
  });

  test("that is the only one is asked again once it may have been paid", async () => {
    await using home = await isolatedHome();
    let isPaid = false;
    await using server = await ModelServer.start(() => (isPaid ? { text: "paid" } : empty));
    {
      using store = storeOf(home);
      store.save("openrouter", "one", { kind: "api_key", key: "spent" });
    }
    const run = () =>
      runTau(["-p", "-m", "openrouter/m", "hi"], {
        cwd: home.root,
        home,
        env: { OPENROUTER_BASE_URL: server.baseUrl("openai-completions") },
      });
    expect((await run()).stderr).toContain("Insufficient credits");
    isPaid = true;
    expect(await run()).toMatchObject({ stdout: "paid\n", exitCode: 0 });
  });
});

test("keys that are all refused are tried once each", async () => {
  const { exitCode, requests } = await ask(
    () => refused(401, { error: { message: "bad key", code: 401 } }),
    {
      prepare: (home) => {
        using store = storeOf(home);
        for (const key of ["a", "b"]) store.save("openrouter", key, { kind: "api_key", key });
      },
    },
  );
  expect(exitCode).toBe(3);
  expect(requests.map(keyOf)).toEqual(["Bearer a", "Bearer b", "Bearer env-key"]);
});

describe("a model that is not there", () => {
  const gone = refused(404, {
    error: {
      message: "The model `m` does not exist or you do not have access to it.",
      type: "invalid_request_error",
      code: "model_not_found",
    },
  });

  test("falls back", async () => {
    const { stdout, stderr, requests } = await ask(
      ({ decoded }) => (decoded.modelId === "second" ? { text: "spare here" } : gone),
      { config: WITH_CHAIN },
    );
    expect(stdout).toBe("spare here\n");
    expect(stderr).toContain("openrouter/m: The model `m` does not exist");
    expect(requests).toHaveLength(2);
  });

  test("without a fallback says where names are listed", async () => {
    const { exitCode, stderr, requests } = await ask(() => gone);
    expect({ exitCode, count: requests.length }).toEqual({ exitCode: 1, count: 1 });
    expect(stderr).toContain("check the model's name and the base URL; `tau models` lists");
  });
});

describe("a login whose renewal fails", () => {
  const unauthorised = refused(401, {
    type: "error",
    error: { type: "authentication_error", message: "expired" },
  });
  const isSpare = ({ decoded }: RecordedRequest): boolean => decoded.modelId === "second";

  /** The token endpoint answers with these in turn, then with the last of them. */
  async function withRenewals(
    renewals: readonly (() => Response)[],
    script: Script,
    config: string,
  ): Promise<Awaited<ReturnType<typeof ask>> & { renewals: number }> {
    let asked = 0;
    await using vendor = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => renewals[Math.min(asked++, renewals.length - 1)]!(),
    });
    const result = await ask(script, {
      model: "kimi-code/kimi-for-coding",
      config,
      env: (server) => ({
        KIMI_CODE_OAUTH_HOST: vendor.url.origin,
        KIMI_CODE_BASE_URL: server.baseUrl("anthropic-messages"),
      }),
      prepare: (home) => {
        using store = storeOf(home);
        const tokens = { access: "old", refresh: "r", expiresAt: Date.now() + 3_600_000 };
        store.save("kimi-code", "me", { kind: "oauth", tokens });
      },
    });
    return { ...result, renewals: asked };
  }

  const busy = (): Response => new Response("busy", { status: 503 });
  const renewed = (): Response =>
    Response.json({
      access_token: "new",
      refresh_token: "r2",
      token_type: "bearer",
      expires_in: 3600,
    });

  test("for a moment is tried again", async () => {
    const { stdout, stderr, requests } = await withRenewals(
      [busy, busy, renewed],
      (request) => (keyOf(request) === "Bearer new" ? { text: "renewed" } : unauthorised),
      `retry: { ${RETRY} }\n`,
    );
    expect({ stdout, stderr }).toEqual({ stdout: "renewed\n", stderr: "" });
    expect(requests.map(keyOf)).toEqual(["Bearer old", "Bearer new"]);
  });

  test("for good falls back, and is nobody's bug", async () => {
    const { stdout, stderr, renewals } = await withRenewals(
      [busy],
      (request) => (isSpare(request) ? { text: "spare here" } : unauthorised),
      WITH_CHAIN,
    );
    expect(stdout).toBe("spare here\n");
    expect(stderr).toContain("renewing the login at Kimi");
    expect(stderr).toContain("continuing with spare/second");
    expect(stderr).not.toContain("bug");
    expect(renewals).toBe(3);
  });

  test("without a fallback ends in one sentence", async () => {
    const { exitCode, stderr } = await withRenewals(
      [busy],
      () => unauthorised,
      `retry: { ${RETRY} }\n`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toStartWith("tau: kimi-code/kimi-for-coding: renewing the login at Kimi");
    expect(stderr).toEndWith("(try again in a moment)\n");
    expect(stderr).not.toContain("bug");
  });
});

describe("a turn that the vendor pauses", () => {
  /** Claude's own tools took long: what was said so far, and the word for it. */
  function paused(text: string): ScriptedTurn {
    const events = [
      { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "pause_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return { httpError: { status: 200, body, headers: { "content-type": "text/event-stream" } } };
  }

  const claude = {
    model: "anthropic/claude-sonnet-4-5",
    env: (server: ModelServer) => ({
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: server.baseUrl("anthropic-messages"),
    }),
  };

  test("goes on from what was said", async () => {
    const { stdout, requests } = await ask([paused("Searching."), { text: "Found." }], claude);
    expect(stdout).toContain("Found.");
    expect(requests).toHaveLength(2);
    const said = requests[1]!.decoded.messages.filter(({ role }) => role === "assistant");
    expect(said).toMatchObject([{ content: [{ type: "text", text: "Searching." }] }]);
  });

  test("does not go on for ever", async () => {
    const { exitCode, requests } = await ask(() => paused("Still searching."), claude);
    expect(exitCode).toBe(0);
    expect(requests).toHaveLength(9);
  });
});

describe("encrypted reasoning stays with the account that it was made for", () => {
  const thought = (id: string): ScriptedTurn => ({
    blocks: [
      {
        type: "thinking",
        text: "hm",
        opaque: {
          wire: "openai-responses",
          model: "gpt-5",
          data: JSON.stringify({ id: `rs_${id}`, summary: [], encrypted_content: `gAAA${id}` }),
        },
      },
      { type: "toolCall", id: `call_${id}|fc_${id}`, name: "bash", arguments: { command: "true" } },
    ],
  });

  test("when another one continues", async () => {
    const limited = refused(429, { error: { message: "Slow down", code: "rate_limit_exceeded" } });
    const script = [thought("a1"), limited, thought("b2"), { text: "done" }];
    const { stdout, requests } = await ask(script, {
      model: "openai/gpt-5",
      config: "tools: { approvalMode: yolo }\n",
      env: (server) => ({ OPENAI_BASE_URL: `${server.origin}/v1` }),
      prepare: (home) => {
        using store = storeOf(home);
        store.save("openai", "one", { kind: "api_key", key: "first-account" });
        store.save("openai", "two", { kind: "api_key", key: "second-account" });
      },
    });
    expect(stdout).toBe("done\n");
    expect(requests.map(keyOf)).toEqual([
      "Bearer first-account",
      "Bearer first-account",
      "Bearer second-account",
      "Bearer second-account",
    ]);
    const kept = requests.map(({ text }) =>
      ["gAAAa1", "fc_a1", "gAAAb2", "fc_b2", "call_a1"].filter((part) => text.includes(part)),
    );
    expect(kept).toEqual([
      [],
      ["gAAAa1", "fc_a1", "call_a1"],
      ["call_a1"],
      // Its own goes back to the second account.
      ["gAAAb2", "fc_b2", "call_a1"],
    ]);
  });
});
