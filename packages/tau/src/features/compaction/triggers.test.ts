// When to compact, and how full the context is.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { buildContext } from "../../session/context/build-context.ts";
import { contextTokens, usageRatio } from "./estimate-tokens.ts";
import { keepBudget } from "./plan-cut.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { COMPACTION_ROWS } from "./settings.ts";
import { call, long, MODEL, reply, result, sessionOf, user } from "./test/scenario.ts";
import { decideAfterReply, decideWhenIdle, isOneTooLarge, thresholdTokens } from "./triggers.ts";

const DEFAULT_COMPACTION = defaultsOf(COMPACTION_ROWS);

const settings = DEFAULT_COMPACTION;

describe("the threshold", () => {
  test("leaves the larger of 15 percent and the reserve", () => {
    expect(thresholdTokens(200_000, settings)).toBe(170_000);
    expect(thresholdTokens(64_000, settings)).toBe(64_000 - 16_384);
    expect(thresholdTokens(8000, settings)).toBe(4000);
  });

  test("can be set, in tokens before percent", () => {
    expect(thresholdTokens(200_000, { ...settings, thresholdPercent: 50 })).toBe(100_000);
    expect(
      thresholdTokens(200_000, { ...settings, thresholdPercent: 50, thresholdTokens: 9 }),
    ).toBe(9);
  });
});

describe("after a reply", () => {
  const facts = { model: MODEL, settings, contextTokens: 1000 };
  const overflow = {
    ...reply(""),
    stopReason: "error" as const,
    error: modelFailure("context_overflow", "too long"),
  };

  test("nothing below the threshold; above it, the work goes on if there is any", () => {
    expect(decideAfterReply({ ...facts, reply: reply("ok") })).toEqual({ type: "none" });
    const full = { ...facts, contextTokens: 170_001 };
    expect(decideAfterReply({ ...full, reply: reply("ok") })).toMatchObject({
      reason: "threshold",
      discardsReply: false,
      continues: false,
    });
    const busy = reply([call("1")], { stopReason: "toolUse" });
    expect(decideAfterReply({ ...full, reply: busy })).toMatchObject({ continues: true });
    const off = { ...settings, strategy: "off" as const };
    expect(decideAfterReply({ ...full, settings: off, reply: busy }).type).toBe("none");
  });

  test("an overflow is recovered from if that is on, and only the model's own", () => {
    expect(decideAfterReply({ ...facts, reply: overflow })).toEqual({
      type: "compact",
      reason: "overflow",
      discardsReply: true,
      retries: true,
      continues: false,
    });
    const off = { ...settings, enabled: false };
    expect(decideAfterReply({ ...facts, settings: off, reply: overflow })).toEqual({
      type: "give_up",
      reason: "overflow",
    });
    const other = { ...MODEL, id: "other" };
    expect(decideAfterReply({ ...facts, model: other, reply: overflow }).type).toBe("none");
  });

  test("a reply cut by the window is recovered; one cut by its own limit is not", () => {
    const cut = (input: number) =>
      reply("…", { stopReason: "length", usage: { input, output: 100 } });
    expect(decideAfterReply({ ...facts, reply: cut(190_000) })).toMatchObject({
      reason: "incomplete",
      retries: true,
    });
    expect(decideAfterReply({ ...facts, reply: cut(1000) }).type).toBe("none");
    expect(
      decideAfterReply({ ...facts, reply: reply("…", { stopReason: "length" }) }),
    ).toMatchObject({ reason: "incomplete" });
  });

  test("other failures are not compaction's business", () => {
    const failed = { ...overflow, error: modelFailure("rate_limit", "slow down") };
    expect(decideAfterReply({ ...facts, contextTokens: 1e6, reply: failed }).type).toBe("none");
  });
});

test("idle: off by default, then by size and time", () => {
  const idle = { contextTokens: 200_001, idleMs: 300_000, settings };
  expect(decideWhenIdle(idle).type).toBe("none");
  const on = { ...idle, settings: { ...settings, idleEnabled: true } };
  expect(decideWhenIdle(on)).toMatchObject({ type: "compact", reason: "idle", continues: false });
  expect(decideWhenIdle({ ...on, idleMs: 299_999 }).type).toBe("none");
  expect(decideWhenIdle({ ...on, contextTokens: 200_000 }).type).toBe("none");
});

test("a failure is named by what it was for", () => {});

describe("how full it is", () => {
  test("the last reply's measure and an estimate of what came after", () => {
    const session = sessionOf(
      user(long(100)),
      reply("ok", { usage: { input: 10, cacheRead: 5000, output: 7 } }),
      user(long(100)),
    );
    expect(contextTokens(buildContext(session.branch()), 50)).toBeWithin(5115, 5130);
  });

  test("a failed reply measures nothing; nor does one from before a compaction", () => {
    const before = reply("ok", { usage: { input: 90_000 } });
    const session = sessionOf(user("a"), before);
    session.append({
      type: "compaction",
      summary: "s",
      firstKeptEntryId: "e1",
      tokensBefore: 2,
      tokensAfter: 1,
    });
    session.append({
      type: "message",
      message: { ...before, stopReason: "error", error: modelFailure("network", "x") },
    });
    const context = buildContext(session.branch());
    expect(contextTokens(context, 0)).toBeLessThan(300);
    expect(usageRatio(context, 0)).toBe(1);
  });

  test("what was pruned since is taken off", () => {
    const session = sessionOf(
      reply([call("1")], { usage: { input: 100 } }),
      result("1", long(9000)),
      reply("ok", { usage: { input: 9500 } }),
    );
    session.append({ type: "prune", entryIds: ["e1"], tokensSaved: 8980 });
    expect(contextTokens(buildContext(session.branch()), 0)).toBe(520);
  });

  test("where tokens are more than estimated, less text is kept", () => {
    const facts = {
      settings,
      contextWindow: 200_000,
      ratio: 2,
      estimatedTokens: 60_000,
      reason: "threshold" as const,
    };
    expect(keepBudget(facts)).toBe(10_000);
    expect(keepBudget({ ...facts, contextWindow: 8000 })).toBe(1000);
    expect(keepBudget({ ...facts, estimatedTokens: 4000, reason: "overflow" })).toBe(2000);
  });
});

describe("after an overflow", () => {
  const facts = { model: { ...MODEL, contextWindow: 20_000 }, system: [], tools: [], settings };
  const huge = user(long(30_000));

  test("one message of the newest turn is what does not fit: a summary would keep it", () => {
    const messages = [user("a"), reply("b"), huge];
    expect(isOneTooLarge({ ...facts, messages })).toBe(true);
    expect(isOneTooLarge({ ...facts, messages: [...messages, reply("c"), user("d")] })).toBe(false);
  });

  test("a summary comes first if the rest is too long as well, or if nothing is large", () => {
    const history = Array.from({ length: 12 }, () => user(long(1500)));
    expect(isOneTooLarge({ ...facts, messages: [...history, huge] })).toBe(false);
    expect(isOneTooLarge({ ...facts, messages: history })).toBe(false);
  });
});
