// A line to models that are scripted, with accounts that can be used up; for tests.

import type { RecoveryEvent } from "@tau/agent/event";
import type { Credential, CredentialSource } from "@tau/ai/credential";
import { modelFailure, type ModelErrorKind } from "@tau/ai/error";
import { userText, type AssistantMessage } from "@tau/ai/message";
import { DEFAULT_RETRY } from "@tau/ai/failure-policy";
import type { Model } from "@tau/ai/model";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import { emptyUsage } from "@tau/ai/usage";
import { eventsOf, type ScriptedReply } from "@tau/testkit/script";
import type { AskOptions, ModelCallRecord } from "../aside.ts";
import { ModelLine, type LineOptions, type LinePorts } from "../model-line.ts";

export function modelNamed(provider: string, extra: Partial<Model> = {}): Model {
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
    cost: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 },
    ...extra,
  };
}

export function failed(
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

export const failing = (
  kind: ModelErrorKind,
  details: Parameters<typeof modelFailure>[2] = {},
) => ({
  streamError: modelFailure(kind, "x", details),
});

/** Accounts by name; the first is used until it is limited. */
export class Accounts implements CredentialSource {
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
  async rotate(
    provider: string,
    limited: Credential,
    { sessionId }: { sessionId?: string },
  ): Promise<Credential | undefined> {
    this.log.push(`rotate ${sessionId} from ${limited.label}`);
    const names = this.#names[provider]!;
    return this.#credential(names[names.indexOf(limited.label) + 1]);
  }
  has(provider: string): boolean {
    return provider in this.#names;
  }
}

export interface SetUp {
  accounts?: Record<string, string[]>;
  replies?: ScriptedReply[];
  options?: Partial<LineOptions>;
  ports?: Partial<LinePorts>;
}

export function setUp({ accounts: names = { a: ["one"], b: ["three"] }, ...given }: SetUp = {}) {
  const accounts = new Accounts(names);
  const events: RecoveryEvent[] = [];
  const records: ModelCallRecord[] = [];
  /** `provider:token` of every call, in order. */
  const used: string[] = [];
  const requests: ModelRequest[] = [];
  const replies = [...(given.replies ?? [])];
  const line = new ModelLine({
    chain: [{ model: modelNamed("a") }, { model: modelNamed("b"), thinking: "low" }],
    call: (request, { credential, signal }) => {
      const stream = new ReplyStream();
      void (async () => {
        const found = await credential();
        requests.push(request);
        used.push(`${request.model.provider}:${found?.token}`);
        const { provider, id: model, wire } = request.model;
        const reply = signal.aborted ? failing("aborted") : (replies.shift() ?? { text: "ok" });
        for (const event of eventsOf(reply, { provider, model, wire }, 1)) stream.push(event);
      })();
      return stream;
    },
    credentials: accounts,
    settings: { ...DEFAULT_RETRY, baseDelayMs: 1, maxRetries: 2 },
    revert: "cooldown-expiry",
    sessionId: "s",
    ...given.options,
  });
  line.connect({
    mayPromote: true,
    emit: (event) => events.push(event),
    record: async (calls) => void records.push(...calls),
    keepLeftOut: async () => {},
    keepWindows: async () => {},
    ...given.ports,
  });
  const abort = new AbortController();
  const { signal } = abort;
  line.startRun();
  const callOnce = (system: string[] = []): Promise<AssistantMessage> => {
    const request = { model: line.target.model, system, messages: [], tools: [], stream: true };
    return line.call(request, { signal }).result();
  };
  const recover = (reply: AssistantMessage) => line.recover(reply, { signal });
  const ask = (options: Partial<AskOptions> = {}) =>
    line.ask({ system: [], messages: [userText("?", 0)] }, { purpose: "test", signal, ...options });
  return { line, accounts, events, records, used, requests, abort, callOnce, recover, ask };
}
