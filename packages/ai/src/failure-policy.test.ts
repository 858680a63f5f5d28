import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { modelFailure, type ModelErrorKind } from "./error.ts";
import {
  decideRecovery,
  DEFAULT_RETRY,
  type FailureAction,
  type RecoveryState,
} from "./failure-policy.ts";

const FRESH: RecoveryState = {
  refreshed: false,
  waits: 0,
  canRefresh: false,
  otherCredentials: 0,
  otherModels: 0,
};

function decide(
  kind: ModelErrorKind,
  state: Partial<RecoveryState> = {},
  details: Parameters<typeof modelFailure>[2] = {},
): FailureAction {
  const failure = modelFailure(kind, "x", details);
  return decideRecovery(failure, { ...FRESH, ...state }, DEFAULT_RETRY, () => 1);
}

describe("a refused credential", () => {
  test("is renewed once, then replaced, then the model is", () => {
    expect(decide("auth", { canRefresh: true, otherCredentials: 1 })).toEqual({ type: "refresh" });
    const renewed = { canRefresh: true, refreshed: true };
    expect(decide("auth", { ...renewed, otherCredentials: 1 })).toEqual({ type: "rotate" });
    expect(decide("auth", { ...renewed, otherModels: 1 })).toEqual({ type: "fallback" });
    expect(decide("auth", renewed)).toEqual({ type: "give_up" });
  });
});

describe("a limit", () => {
  test("takes a sibling at once, however long the vendor wants to be left alone", () => {
    const action = decide("rate_limit", { otherCredentials: 2 }, { retryAfterMs: 3_600_000 });
    expect(action).toEqual({ type: "rotate" });
  });

  test("is waited out as the vendor asks, up to the limit", () => {
    expect(decide("rate_limit", {}, { retryAfterMs: 7000 })).toEqual({ type: "wait", ms: 7000 });
    expect(decide("rate_limit", {}, { retryAfterMs: 1 })).toEqual({ type: "wait", ms: 250 });
    const backOff = decide("rate_limit", {}, {});
    for (const retryAfterMs of [0, -5000]) {
      expect(decide("rate_limit", {}, { retryAfterMs })).toEqual(backOff);
    }
    const tooLong = { retryAfterMs: DEFAULT_RETRY.maxDelayMs + 1 };
    expect(decide("rate_limit", { otherModels: 1 }, tooLong)).toEqual({ type: "fallback" });
    expect(decide("rate_limit", {}, tooLong)).toEqual({ type: "give_up" });
  });

  test("that no waiting mends goes straight to another model", () => {
    const spent = { retryable: false, code: "insufficient_quota" };
    expect(decide("rate_limit", { otherModels: 1 }, spent)).toEqual({ type: "fallback" });
    expect(decide("rate_limit", {}, spent)).toEqual({ type: "give_up" });
  });
});

test("waits double, end at the limit, and are followed by the fallback", () => {
  const waits = Array.from({ length: 12 }, (_, count) => decide("overloaded", { waits: count }));
  const lengths = waits.map((action) => (action.type === "wait" ? action.ms : 0));
  expect(lengths.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(DEFAULT_RETRY.maxDelayMs);
  expect(waits.slice(10)).toEqual([{ type: "give_up" }, { type: "give_up" }]);
  expect(decide("network", { waits: 10, otherModels: 1 })).toEqual({ type: "fallback" });
});

test("an address at which nobody listens is not waited for long", () => {
  const refused = { code: "ECONNREFUSED" };
  expect(decide("network", { waits: 2 }, refused).type).toBe("wait");
  expect(decide("network", { waits: 3 }, refused)).toEqual({ type: "give_up" });
  expect(decide("network", { waits: 3, otherModels: 1 }, refused)).toEqual({ type: "fallback" });
  expect(decide("network", { waits: 3 }, { code: "ECONNRESET" }).type).toBe("wait");
});

test("overflow is the session's to solve; a bad request is nobody's", () => {
  expect(decide("context_overflow", { otherModels: 3 })).toEqual({ type: "hand_over" });
  expect(decide("invalid_request", { otherModels: 3, otherCredentials: 3 })).toEqual({
    type: "give_up",
  });
  expect(decide("content_filter", { otherModels: 3 })).toEqual({ type: "give_up" });
});

test("nothing is tried after an abort, or when retrying is off", () => {
  expect(decide("aborted", { otherModels: 1, otherCredentials: 1 })).toEqual({ type: "give_up" });
  const off = { ...DEFAULT_RETRY, enabled: false };
  expect(decideRecovery(modelFailure("overloaded", "x"), FRESH, off)).toEqual({ type: "give_up" });
});

test("carried out to its end, every failure ends in finitely many steps", () => {
  const kinds = fc.constantFrom<ModelErrorKind>(
    "auth",
    "rate_limit",
    "overloaded",
    "invalid_request",
    "network",
    "timeout",
    "protocol",
    "content_filter",
    "budget",
  );
  fc.assert(
    fc.property(
      kinds,
      fc.nat(4),
      fc.nat(3),
      fc.boolean(),
      (kind, credentials, models, canRefresh) => {
        const state = { ...FRESH, otherCredentials: credentials, otherModels: models, canRefresh };
        let steps = 0;
        for (; steps < 200; steps++) {
          const action = decideRecovery(modelFailure(kind, "x"), state, DEFAULT_RETRY);
          if (action.type === "give_up" || action.type === "hand_over") break;
          if (action.type === "refresh") state.refreshed = true;
          else if (action.type === "rotate") {
            state.otherCredentials--;
            state.refreshed = false;
          } else if (action.type === "wait") state.waits++;
          else
            Object.assign(state, {
              otherModels: state.otherModels - 1,
              waits: 0,
              refreshed: false,
            });
        }
        expect(steps).toBeLessThan(100);
      },
    ),
  );
});
