// Refusals as users recorded them, as vendors' pages give them, or as they are known to be worded (ids are made up;
// fixtures/failures.jsonl), taken through their wires: what each is understood as, and what is done
// about it with more accounts, with a fallback, with both and with neither. A body that Tau did
// not understand becomes a line there.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Blame } from "../blame.ts";
import { callModel } from "../call.ts";
import type { ModelErrorKind, ModelFailure } from "../error.ts";
import { decideRecovery, DEFAULT_RETRY, type FailureAction } from "../failure-policy.ts";
import { FREE, type Model } from "../model.ts";
import { findProvider } from "../providers.ts";
import { placementOf } from "../providers/placement.ts";
import type { HttpWireId } from "../wire.ts";

interface RecordedFailure {
  kind: ModelErrorKind;
  /** A provider's id, or a server that has no row of its own. */
  host: string;
  wire: HttpWireId;
  status: number;
  headers?: Record<string, string>;
  /** Text where it was none of JSON's. */
  body: unknown;
  /** The window that it names, and what it counted; null where it does not say. */
  sizes?: readonly [number | null, number | null];
  /** What of the request it is about, if that is known. */
  blames?: readonly Blame[];
}

const RECORDED_FAILURES = Bun.JSONL.parse(
  await Bun.file(join(import.meta.dir, "fixtures/failures.jsonl")).text(),
) as RecordedFailure[];

type Outcome = FailureAction["type"];

/** With two keys, with a fallback chain, with both, with none. */
const OUTCOMES: Partial<Record<ModelErrorKind, readonly [Outcome, Outcome, Outcome, Outcome]>> = {
  // To the session, which promotes the conversation or compacts it.
  context_overflow: ["hand_over", "hand_over", "hand_over", "hand_over"],
  credit: ["rotate", "fallback", "rotate", "give_up"],
  not_found: ["give_up", "fallback", "fallback", "give_up"],
  rate_limit: ["rotate", "wait", "rotate", "wait"],
  auth: ["rotate", "fallback", "rotate", "give_up"],
  invalid_request: ["give_up", "give_up", "give_up", "give_up"],
  overloaded: ["wait", "wait", "wait", "wait"],
};

function modelAt({ host, wire }: RecordedFailure): Model {
  const row = findProvider(host);
  const placement = row && placementOf(row, "m", {});
  return {
    provider: host,
    id: "m",
    name: "m",
    wire,
    baseUrl: "http://127.0.0.1:1/v1",
    auth: "bearer",
    contextWindow: 1000,
    maxOutput: 100,
    input: ["text"],
    cost: FREE,
    failureCodes: placement?.failureCodes,
  };
}

async function failureOf(row: RecordedFailure): Promise<ModelFailure> {
  const body = typeof row.body === "string" ? row.body : JSON.stringify(row.body);
  const request = {
    model: modelAt(row),
    system: [],
    messages: [],
    tools: row.blames ? [{ name: "read", description: "", parameters: {} }] : [],
    stream: true,
  };
  const { error } = await callModel(request, {
    credential: "k",
    env: {
      AWS_BEARER_TOKEN_BEDROCK: "k",
      GOOGLE_CLOUD_API_KEY: "k",
      GOOGLE_CLOUD_PROJECT: "p",
      GOOGLE_CLOUD_LOCATION: "global",
    },
    fetch: async () => new Response(body, { status: row.status, headers: row.headers }),
  }).result();
  return error!;
}

function outcomes(failure: ModelFailure): Outcome[] {
  const fresh = { refreshed: false, waits: 0, canRefresh: false };
  const situations = [
    { otherCredentials: 1, otherModels: 0 },
    { otherCredentials: 0, otherModels: 1 },
    { otherCredentials: 1, otherModels: 1 },
    { otherCredentials: 0, otherModels: 0 },
  ];
  return situations.map(
    (situation) => decideRecovery(failure, { ...fresh, ...situation }, DEFAULT_RETRY).type,
  );
}

describe("a recorded refusal is understood", () => {
  for (const [at, row] of RECORDED_FAILURES.entries()) {
    test(`${at + 1}: ${row.host}, ${row.wire}, ${row.status}: ${row.kind}`, async () => {
      const failure = await failureOf(row);
      expect(failure).toMatchObject({ kind: row.kind, provider: row.host, model: "m" });
      expect(failure.blames).toEqual(row.blames);
      const { windowTokens = null, requestTokens = null } = failure;
      expect([windowTokens, requestTokens]).toEqual([...(row.sizes ?? [null, null])]);
      // What people are shown is a reason, not an envelope.
      expect(failure.message).not.toMatch(/^\s*[{[]|Provider returned error/);
      expect(outcomes(failure)).toEqual([...OUTCOMES[row.kind]!]);
    });
  }
});

test("there are enough of them, of every kind that has its own way out", () => {
  const count = (kind: ModelErrorKind): number =>
    RECORDED_FAILURES.filter((row) => row.kind === kind).length;
  expect(count("context_overflow")).toBeGreaterThanOrEqual(40);
  expect(count("credit")).toBeGreaterThanOrEqual(12);
  expect(count("not_found")).toBeGreaterThanOrEqual(12);
});

test("a host's own code counts in the middle of a stream too", async () => {
  const zai = RECORDED_FAILURES.find((row) => row.host === "zai" && row.kind === "not_found")!;
  const body = `data: ${JSON.stringify(zai.body)}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  expect(await failureOf({ ...zai, status: 200, headers, body })).toMatchObject({
    kind: "not_found",
    code: "1211",
    retryable: false,
  });
});
