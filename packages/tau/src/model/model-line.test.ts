// The line to models: what it does about failures, for the conversation and beside it, and that
// the two do not get in each other's way.

import { describe, expect, test } from "bun:test";
import { Budget } from "@tau/agent/budget";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import type { Redactor } from "../base/redactor.ts";
import { failed, failing, modelNamed, setUp, type SetUp } from "./test/scripted-line.ts";

test("what is kept between calls is given up with the model, and with the session", async () => {
  let hungUp = 0;
  const options: SetUp["options"] = {
    hangUp: () => void hungUp++,
    larger: async (model) => ({ model: { ...model, id: "large", contextWindow: 9 } }),
  };
  const { line, callOnce, recover } = setUp({
    options,
    replies: [failing("auth"), failing("auth")],
  });
  await recover(await callOnce());
  expect(hungUp).toBe(0);
  await recover(await callOnce());
  expect([line.target.model.provider, hungUp]).toEqual(["b", 1]);
  await line.promote(modelFailure("context_overflow", "x"));
  expect([line.target.model.id, hungUp]).toEqual(["large", 2]);
  line.retarget([{ model: modelNamed("a") }]);
  expect(hungUp).toBe(3);
  await line.close();
  expect(hungUp).toBe(4);
});

describe("the conversation's replies", () => {
  test("401: renewed once, then the next account, then the next model", async () => {
    const { accounts, used, callOnce, recover } = setUp({
      accounts: { a: ["one", "two"], b: ["three"] },
    });
    await callOnce();
    const actions = [];
    for (let step = 0; step < 4; step++) {
      actions.push(await recover(failed("auth")));
      await callOnce();
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
      "rotate s from one",
      "refresh two",
      "rotate s from two",
    ]);
    expect(actions).toMatchObject([
      { type: "retry", action: "refresh" },
      { type: "retry", action: "rotate" },
      { type: "retry", action: "refresh" },
      { type: "retry", action: "fallback" },
    ]);
  });

  test("429: the sibling account at once, without a wait", async () => {
    const { used, callOnce, recover } = setUp({ accounts: { a: ["one", "two"] } });
    await callOnce();
    const limited = failed("rate_limit", { retryAfterMs: 60_000 });
    expect(await recover(limited)).toMatchObject({ action: "rotate", afterMs: 0 });
    await callOnce();
    expect(used).toEqual(["a:token-one", "a:token-two"]);
  });

  test("a busy server is waited for, then the fallback is asked at its own level", async () => {
    const { callOnce, recover } = setUp();
    await callOnce();
    const results = [];
    for (let step = 0; step < 3; step++) results.push(await recover(failed("overloaded")));
    expect(results).toMatchObject([
      { action: "wait", afterMs: 1 },
      { action: "wait", afterMs: 2 },
      { action: "fallback", request: { model: { provider: "b" }, thinking: "low" } },
    ]);
  });

  test("the next run begins with the first model again once its limit is over", async () => {
    let now = 1000;
    const { line, callOnce, recover } = setUp({ options: { now: () => now } });
    await callOnce();
    await recover(failed("rate_limit", { retryAfterMs: 400_000 }));
    expect(line.target.model.provider).toBe("b");
    line.startRun();
    expect(line.target.model.provider).toBe("b");
    now += 400_001;
    line.startRun();
    expect(line.target.model.provider).toBe("a");
  });

  test("a run that gave up leaves the next one its patience", async () => {
    const { line, callOnce, recover } = setUp({ options: { chain: [{ model: modelNamed("a") }] } });
    await callOnce();
    const actions = async () => {
      const found = [];
      for (let step = 0; step < 3; step++) found.push((await recover(failed("overloaded"))).type);
      return found;
    };
    expect(await actions()).toEqual(["retry", "retry", "give_up"]);
    line.startRun();
    expect(await actions()).toEqual(["retry", "retry", "give_up"]);
  });

  test("what cannot be mended is given up without an attempt", async () => {
    const { callOnce, recover } = setUp({ accounts: { a: ["one", "two"], b: ["three"] } });
    await callOnce();
    expect(await recover(failed("invalid_request"))).toEqual({ type: "give_up" });
    expect(await recover(failed("context_overflow"))).toEqual({ type: "give_up" });
  });
});

describe("a question beside it", () => {
  test("is tried again like a reply, told with its purpose, and put down once", async () => {
    const usage = { input: 3, output: 1 };
    const { ask, events, records, used } = setUp({
      replies: [failing("overloaded"), failing("overloaded"), failing("overloaded"), { usage }],
    });
    const reply = await ask({ isQuiet: true });
    expect(reply.error).toBeUndefined();
    expect(used).toEqual(["a:token-one", "a:token-one", "a:token-one", "b:token-three"]);
    expect(events).toMatchObject([
      { attempt: 1, action: "wait", purpose: "test", isQuiet: true, model: "a/m" },
      { attempt: 2, action: "wait", purpose: "test", isQuiet: true, model: "a/m" },
      { attempt: 3, action: "fallback", purpose: "test", isQuiet: true, model: "b/m" },
      { type: "auto_retry_end", success: true, attempts: 3, purpose: "test" },
    ]);
    const none = { cacheRead: 0, cacheWrite: 0 };
    expect(records).toEqual([
      {
        purpose: "test",
        model: "a/m",
        usage: { input: 30, output: 15, ...none },
        costUsd: 30,
        requests: 3,
        outcome: "failed",
      },
      {
        purpose: "test",
        model: "b/m",
        usage: { ...usage, ...none },
        costUsd: 3,
        requests: 1,
        outcome: "done",
      },
    ]);
  });

  test("neither spends the conversation's patience nor changes its account or model", async () => {
    const limited = failing("rate_limit", { retryAfterMs: 400_000 });
    const { line, ask, recover, callOnce, used, accounts } = setUp({
      accounts: { a: ["one", "two"], b: ["three"] },
      replies: [{ text: "first" }, limited, limited, { text: "aside" }, { text: "again" }],
    });
    await callOnce();
    const waiting = await recover(failed("overloaded"));
    expect(waiting).toMatchObject({ action: "wait", afterMs: 1 });
    expect(textOf(await ask())).toBe("aside");
    expect(line.target.model.provider).toBe("a");
    await callOnce();
    expect(used).toEqual([
      "a:token-one",
      "a:token-one",
      "a:token-two",
      "b:token-three",
      "a:token-one",
    ]);
    // The account that is limited is known to be, but the conversation did not ask for another.
    expect(accounts.log).toEqual(["rotate s/aside from one", "rotate s/aside from two"]);
    // The second wait of its two, not the first.
    expect(await recover(failed("overloaded"))).toMatchObject({ action: "wait", afterMs: 2 });
    expect(await recover(failed("overloaded"))).toMatchObject({ action: "fallback" });
  });

  test("goes to the model of its role, and from there along that role's chain", async () => {
    const { ask, used, line } = setUp({
      accounts: { a: ["one"], b: ["three"], c: ["small"] },
      replies: [failing("rate_limit", { retryable: false }), { text: "by b" }],
      options: {
        forRoles: async (roles) =>
          roles[0] === "smol"
            ? [{ model: modelNamed("c") }, { model: modelNamed("b") }]
            : undefined,
      },
    });
    expect(textOf(await ask({ roles: ["smol"] }))).toBe("by b");
    expect(used).toEqual(["c:token-small", "b:token-three"]);
    await ask({ roles: ["title"] });
    expect(used.at(-1)).toBe("a:token-one");
    expect(line.target.model.provider).toBe("a");
  });

  test("that does not fit goes to a larger sibling, once and for itself alone", async () => {
    const overflow = failing("context_overflow");
    const { ask, line, used } = setUp({
      accounts: { a: ["one"] },
      replies: [overflow, overflow, overflow],
      options: {
        chain: [{ model: modelNamed("a") }],
        larger: async (model) => ({ model: { ...model, id: "large", contextWindow: 9 } }),
      },
    });
    expect((await ask()).error?.kind).toBe("context_overflow");
    expect(used).toHaveLength(2);
    expect(line.target.model.id).toBe("m");
  });

  test("is refused when the budget is spent, between its attempts too, and says what to do", async () => {
    const budget = new Budget({ requests: 2 });
    const { ask, records, used, events } = setUp({
      replies: [failing("overloaded"), failing("overloaded")],
      ports: { budget },
    });
    const reply = await ask();
    expect(reply.error).toEqual({
      kind: "budget",
      message: "The limit of 2 model calls has been reached; raise it to call a model again.",
      retryable: false,
    });
    expect(used).toHaveLength(2);
    expect(records).toMatchObject([{ requests: 2, outcome: "failed" }]);
    expect(events.at(-1)).toMatchObject({ type: "auto_retry_end", success: false });
    await ask();
    expect({ sent: used.length, records: records.length }).toEqual({ sent: 2, records: 1 });
    expect(budget.spent).toMatchObject({ requests: 2, tokens: 30, costUsd: 20 });
  });

  test("ends at once when it is stopped while it waits, or when the line is closed", async () => {
    const busy = failing("overloaded", { retryAfterMs: 200_000 });
    const { ask, abort, line, records } = setUp({ replies: [busy, busy] });
    const stopped = ask();
    while (records.length === 0 && !abort.signal.aborted) {
      await Bun.sleep(1);
      abort.abort();
    }
    expect((await stopped).stopReason).toBe("error");
    const closed = ask({ signal: new AbortController().signal });
    await Bun.sleep(1);
    await line.close();
    expect((await closed).stopReason).toBe("error");
    expect(records).toHaveLength(2);
    expect((await ask({ signal: new AbortController().signal })).error?.kind).toBe("aborted");
    expect(records).toHaveLength(2);
  });

  test("secrets neither leave nor come back, also with a service", async () => {
    const hide = (text: string) => text.replaceAll("secret", "#");
    const deep = <T>(value: T): T => JSON.parse(hide(JSON.stringify(value)));
    const redactor: Redactor = {
      hide,
      hideIn: deep,
      hideInArguments: deep,
      openFrom: (text) => text.length,
    };
    const { ask, line, callOnce, requests, records } = setUp({
      replies: [{ text: "a secret" }, { text: "my secret" }],
      options: { redactor: () => redactor },
    });
    const replies = [await callOnce(["a secret"]), await ask()];
    expect(replies.map(textOf)).toEqual(["a #", "my #"]);
    const { signal } = new AbortController();
    const service = { name: "remote/x", send: async () => "unused" };
    const heard: (readonly string[])[] = [];
    const send: typeof service.send = async (...[request]: [{ system: readonly string[] }?]) => {
      heard.push(request!.system);
      return "a secret answer";
    };
    const asked = { system: ["secret"], messages: [] };
    const options = { purpose: "compaction", signal };
    expect(await line.askService({ ...service, send }, asked, options)).toBe("a # answer");
    expect([...requests.map(({ system }) => system), ...heard]).toEqual([["a #"], [], ["#"]]);
    expect(records.at(-1)).toMatchObject({ model: "remote/x", requests: 1, outcome: "done" });
  });

  test("a service is counted, and refused with a typed error", async () => {
    const { line, records } = setUp({ ports: { budget: new Budget({ requests: 1 }) } });
    const options = { purpose: "compaction", signal: new AbortController().signal };
    const broken = { name: "remote/x", send: () => Promise.reject(new TypeError("down")) };
    const asked = { system: [], messages: [] };
    expect(line.askService(broken, asked, options)).rejects.toThrow("down");
    await Bun.sleep(0);
    expect(records).toMatchObject([{ outcome: "failed", requests: 1 }]);
    expect(line.askService(broken, asked, options)).rejects.toMatchObject({
      failure: { kind: "budget" },
    });
    expect(records).toHaveLength(1);
  });
});

test("images that cannot be made ready, for a bug, end the reply", async () => {
  const broken = () => {
    throw new TypeError("not today");
  };
  const { line, abort } = setUp({ options: { call: broken } });
  const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
  const { model } = line.target;
  const request: ModelRequest = {
    model,
    system: [],
    messages: [{ role: "user", content: [image], timestamp: 0 }],
    tools: [],
    stream: true,
  };
  const reply = await line.call(request, { signal: abort.signal }).result();
  expect(reply.error).toMatchObject({ kind: "protocol", retryable: false });
});

test("a question whose tool is refused is asked again without it, and the session keeps that", async () => {
  const kept: unknown[] = [];
  const refused = modelFailure("invalid_request", "no", {
    blames: [{ part: "tool", name: "look" }],
  });
  const { line, abort, events, requests } = setUp({
    replies: [{ streamError: refused }],
    ports: { keepLeftOut: async (state) => void kept.push(state) },
  });
  const tools = ["look", "see"].map((name) => ({ name, description: "", parameters: {} }));
  const question = { system: [], messages: [userText("?", 0)], tools };
  const reply = await line.ask(question, { purpose: "test", signal: abort.signal });
  expect(textOf(reply)).toBe("ok");
  expect(requests.map((request) => request.tools.map(({ name }) => name))).toEqual([
    ["look", "see"],
    ["see"],
  ]);
  expect(events[0]).toMatchObject({ type: "auto_retry_start", action: "leave_out" });
  const { provider, id } = line.target.model;
  expect(kept).toMatchObject([
    { [`${provider}/${id}`]: { tools: ["look"], images: [], isBlind: false, forgetsBefore: 0 } },
  ]);
});
