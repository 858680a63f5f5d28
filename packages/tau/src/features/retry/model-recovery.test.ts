import { expect, test } from "bun:test";
import type { RecoveryEvent } from "@tau/agent/event";
import type { Credential, CredentialSource } from "@tau/ai/credential";
import { modelFailure, type ModelErrorKind } from "@tau/ai/error";
import { DEFAULT_RETRY } from "@tau/ai/failure-policy";
import type { AssistantMessage } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import { ReplyStream } from "@tau/ai/reply-stream";
import { emptyUsage } from "@tau/ai/usage";
import { ModelRecovery, type RecoveryOptions } from "./model-recovery.ts";

function modelNamed(provider: string): Model {
  return {
    provider,
    id: "m",
    name: "m",
    wire: "openai-completions",
    baseUrl: "http://x",
    auth: "bearer",
    contextWindow: 1,
    maxOutput: 1,
    input: ["text"],
    cost: FREE,
  };
}

function failed(
  kind: ModelErrorKind,
  details: Parameters<typeof modelFailure>[2] = {},
): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    provider: "a",
    model: "m",
    wire: "openai-completions",
    stopReason: "error",
    usage: emptyUsage(),
    error: modelFailure(kind, "x", details),
    timestamp: 0,
  };
}

/** Accounts by name; the first is used until it is limited. */
class Accounts implements CredentialSource {
  readonly log: string[] = [];
  readonly #names: Record<string, string[]>;
  constructor(names: Record<string, string[]>) {
    this.#names = names;
  }
  #credential(name: string | undefined): Credential | undefined {
    return name === undefined
      ? undefined
      : { origin: "stored login", token: `token-${name}`, label: name };
  }
  async get(provider: string): Promise<Credential | undefined> {
    return this.#credential(this.#names[provider]?.[0]);
  }
  async refresh(_provider: string, refused: Credential): Promise<Credential | undefined> {
    this.log.push(`refresh ${refused.label}`);
    return refused.label.endsWith("!") ? undefined : { ...refused, token: `${refused.token}+` };
  }
  async rotate(provider: string, limited: Credential): Promise<Credential | undefined> {
    this.log.push(`rotate from ${limited.label}`);
    const names = this.#names[provider]!;
    return this.#credential(names[names.indexOf(limited.label) + 1]);
  }
  has(provider: string): boolean {
    return provider in this.#names;
  }
}

function setUp(names: Record<string, string[]>, options: Partial<RecoveryOptions> = {}) {
  const accounts = new Accounts(names);
  const events: RecoveryEvent[] = [];
  const used: (string | undefined)[] = [];
  const pending: Promise<unknown>[] = [];
  const recovery = new ModelRecovery({
    chain: [{ model: modelNamed("a") }, { model: modelNamed("b"), thinking: "low" }],
    call: (request, { credential }) => {
      pending.push(
        credential().then((found) => used.push(`${request.model.provider}:${found?.token}`)),
      );
      return new ReplyStream();
    },
    credentials: accounts,
    settings: { ...DEFAULT_RETRY, baseDelayMs: 1, maxRetries: 2 },
    revert: "cooldown-expiry",
    sessionId: "s",
    emit: (event) => events.push(event),
    ...options,
  });
  const abort = new AbortController();
  recovery.startRun(abort.signal);
  const ask = async (): Promise<void> => {
    const request = {
      model: recovery.target.model,
      system: [],
      messages: [],
      tools: [],
      stream: true,
    };
    recovery.call(request, { signal: abort.signal });
    await Promise.all(pending);
  };
  return { recovery, accounts, events, used, abort, ask };
}

test("401: renewed once, then the next account, then the next model", async () => {
  const { recovery, accounts, used, ask, events } = setUp({ a: ["one", "two"], b: ["three"] });
  await ask();
  for (let step = 0; step < 4; step++) {
    expect((await recovery.recover(failed("auth"))).type).toBe("retry");
    await ask();
  }
  expect(used).toEqual([
    "a:token-one",
    "a:token-one+",
    "a:token-two",
    "a:token-two+",
    "b:token-three",
  ]);
  expect(accounts.log).toEqual([
    "refresh one",
    "rotate from one",
    "refresh two",
    "rotate from two",
  ]);
  expect(events.map((event) => event.type === "auto_retry_start" && event.action)).toEqual([
    "refresh",
    "rotate",
    "refresh",
    "fallback",
  ]);
});

test("429: the sibling account at once, without a wait", async () => {
  const { recovery, used, ask, events } = setUp({ a: ["one", "two"] });
  await ask();
  const started = performance.now();
  await recovery.recover(failed("rate_limit", { retryAfterMs: 60_000 }));
  expect(performance.now() - started).toBeLessThan(1000);
  await ask();
  expect(used).toEqual(["a:token-one", "a:token-two"]);
  expect(events).toMatchObject([{ action: "rotate", delayMs: 0 }]);
});

test("a busy server is waited for, then the fallback is asked at its own level", async () => {
  const { recovery, ask, events } = setUp({ a: ["one"], b: ["three"] });
  await ask();
  const results = [];
  for (let step = 0; step < 3; step++) results.push(await recovery.recover(failed("overloaded")));
  expect(results.at(-1)).toMatchObject({ request: { model: { provider: "b" }, thinking: "low" } });
  expect(events.map((event) => event.type === "auto_retry_start" && event.action)).toEqual([
    "wait",
    "wait",
    "fallback",
  ]);
  recovery.recovered();
  expect(events.at(-1)).toEqual({ type: "auto_retry_end", success: true, attempts: 3 });
});

test("the next run begins with the first model again once its limit is over", async () => {
  let now = 1000;
  const { recovery, ask, abort } = setUp({ a: ["one"], b: ["three"] }, { now: () => now });
  await ask();
  await recovery.recover(failed("rate_limit", { retryAfterMs: 400_000 }));
  expect(recovery.target.model.provider).toBe("b");
  recovery.startRun(abort.signal);
  expect(recovery.target.model.provider).toBe("b");
  now += 400_001;
  recovery.startRun(abort.signal);
  expect(recovery.target.model.provider).toBe("a");
});

test("an abort during the wait ends it at once", async () => {
  const { recovery, ask, abort, events } = setUp(
    { a: ["one"] },
    { chain: [{ model: modelNamed("a") }] },
  );
  await ask();
  const recovering = recovery.recover(failed("overloaded", { retryAfterMs: 200_000 }));
  abort.abort();
  expect(await recovering).toEqual({ type: "give_up" });
  expect(events.at(-1)).toMatchObject({ type: "auto_retry_end", success: false });
});

test("what cannot be mended is given up without an attempt", async () => {
  const { recovery, ask, events } = setUp({ a: ["one", "two"], b: ["three"] });
  await ask();
  expect(await recovery.recover(failed("invalid_request"))).toEqual({ type: "give_up" });
  expect(await recovery.recover(failed("context_overflow"))).toEqual({ type: "give_up" });
  expect(events).toEqual([]);
});
