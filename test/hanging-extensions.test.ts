// An extension that hangs, at every hook point in turn: whoever stops the run has it stopped at once, and is
// told whose fault it was; what nobody can stop is not waited for long.

import { expect, test } from "bun:test";
import { UNSTOPPABLE } from "@tau/agent/hook-calls";
import { RUN_HOOK_NAMES } from "@tau/agent/hook-names";
import { modelFailure } from "@tau/ai/error";
import { createSession, userText, type Feature } from "@tau/tau/sdk";
import { ActiveSession } from "@tau/tau/assembly/active-session";
import { BUILT_IN } from "@tau/tau/features/built-in";
import { NOBODY } from "@tau/tau/feature-api/user-interface";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { mkdir } from "node:fs/promises";

/** What a person takes for at once, and what a busy machine adds to it. */
const ESC_MS = 100;
const SLACK_MS = 150;

/** The stream's handlers answer at once or not at all: a promise of theirs is not waited for. */
const POINTS = RUN_HOOK_NAMES.filter((hook) => hook !== "stream");

test.each(POINTS)("at %s", async (hook) => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  await using server = await ModelServer.start((_request, turn) => {
    if (hook === "failure") {
      return { httpError: { failure: modelFailure("invalid_request", "no") } };
    }
    return turn === 1
      ? { toolCalls: [{ name: "bash", arguments: { command: "echo hello" } }] }
      : { text: "Done." };
  });
  const called = Promise.withResolvers<void>();
  const hanging: Feature = {
    name: "sloth",
    setup: () => ({
      hooks: {
        [hook]: () => {
          called.resolve();
          return new Promise<never>(() => {});
        },
      },
    }),
  };
  const { session } = await createSession({
    cwd,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    model: "ollama/x",
    features: [...BUILT_IN, hanging],
  });
  await using opened = session;
  const told: string[] = [];
  opened.subscribe((event) => {
    if (event.type === "hook_error") told.push(`${event.behaviour} ${event.hook}`);
  });
  const running = opened.prompt(userText("go"));
  await called.promise;
  // Whoever waits a little longer sees who it is before they press anything.
  const started = performance.now();
  await opened.abort();
  const took = performance.now() - started;
  await running;
  expect(took).toBeLessThan(ESC_MS + SLACK_MS);
  expect(told).toContain(`sloth ${hook}`);
});

test("who keeps everybody waiting is told while it does", async () => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  const sloth: Feature = {
    name: "sloth",
    setup: () => ({ hooks: { run_start: async () => void (await Bun.sleep(2500)) } }),
  };
  const { session } = await createSession({
    cwd,
    env: home.env,
    model: "tau/demo",
    features: [...BUILT_IN, sloth],
  });
  await using opened = session;
  const told: string[] = [];
  opened.subscribe((event) => {
    if (event.type === "hook_slow") told.push(`${event.behaviour} ${event.hook}`);
  });
  await opened.prompt(userText("hello"));
  expect(told).toEqual(["sloth run_start"]);
});

test("a handler that nobody can stop is passed over: the session is there all the same", async () => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  const sloth: Feature = {
    name: "sloth",
    setup: () => ({ hooks: { session_start: () => new Promise<never>(() => {}) } }),
  };
  const started = performance.now();
  const { session } = await createSession({
    cwd,
    env: home.env,
    model: "tau/demo",
    features: [...BUILT_IN, sloth],
  });
  await using opened = session;
  expect(performance.now() - started).toBeLessThan(8000);
  expect((await opened.prompt(userText("hello"))).reason).toBe("done");
}, 20_000);

test("a person whom it asks is waited for, however long they think", async () => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  const gate: Feature = {
    name: "gate",
    setup: ({ ui }) => ({
      hooks: {
        session_before_switch: async () =>
          (await ui.confirm("Leave?", "")) ? undefined : { cancel: true, reason: "stay" },
      },
    }),
  };
  const thinks = UNSTOPPABLE.outsideLimitMs + 300;
  await using active = await ActiveSession.open({
    cwd,
    env: home.env,
    model: "tau/demo",
    features: [...BUILT_IN, gate],
    ui: { ...NOBODY, canAsk: true, confirm: () => Bun.sleep(thinks).then(() => false) },
  });
  const told: string[] = [];
  active.subscribe(({ type }) => void (type.startsWith("hook_") && told.push(type)));
  const { id } = active.session;
  await expect(active.startNew()).rejects.toThrow("stay");
  expect(active.session.id).toBe(id);
  expect(told).toEqual([]);
}, 20_000);
