// What servers say when they refuse, as a user gets to see it and as the session's log keeps it: in
// plain words, with the wait that was asked for, without the key.

import { expect, test } from "bun:test";
import { encodeSse } from "@tau/ai/sse";
import { isolatedHome } from "@tau/testkit/scratch";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runTau } from "./support/run-tau.ts";

const KEY = "sk-or-v1-0123456789abcdef";
const FAST = "retry: { baseDelayMs: 5, maxRetries: 1 }\n";

/** Every file that the run left in its home, as text. */
async function leftBehind(root: string): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push(await Bun.file(join(entry.parentPath, entry.name)).text());
  }
  return texts.join("\n");
}

async function ask(answers: readonly (() => Response)[], models = "") {
  let at = 0;
  const arrivals: number[] = [];
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", FAST);
  await home.write(".tau/agent/models.yml", models);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      arrivals.push(performance.now());
      return answers[Math.min(at++, answers.length - 1)]!();
    },
  });
  try {
    const result = await runTau(["-p", "-m", "openrouter/m", "hi"], {
      cwd: home.root,
      home,
      env: { OPENROUTER_API_KEY: KEY, OPENROUTER_BASE_URL: `http://127.0.0.1:${server.port}/v1` },
    });
    return { ...result, arrivals, left: await leftBehind(home.root) };
  } finally {
    await server.stop(true);
  }
}

/** Never ends by itself. */
const onlyComments = (): Response => {
  const body = new ReadableStream({
    pull: async (controller) => {
      await Bun.sleep(100);
      controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

const said = (text: string) => (): Response => {
  const delta = {
    id: "c",
    choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }],
  };
  const body = encodeSse(JSON.stringify(delta)) + encodeSse("[DONE]");
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

const refused =
  (status: number, message: string, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json({ error: { message } }, { status, headers });

test("a key that a server repeats is neither printed nor kept", async () => {
  const message = `Incorrect API key provided: ${KEY}. (${encodeURIComponent(`Bearer ${KEY}`)})`;
  const { stderr, exitCode, left } = await ask([refused(401, message)]);
  expect(stderr).toStartWith(
    "tau: openrouter/m: Incorrect API key provided: [credential hidden]. (",
  );
  expect(stderr).not.toContain("0123456789abcdef");
  expect(exitCode).toBe(3);
  expect(left).toContain("Incorrect API key provided: [credential hidden]");
  expect(left).not.toContain("0123456789abcdef");
});

test("a wait that is asked for in words, in a duration or by a limit is kept and told", async () => {
  const wait = "tau: openrouter/m: Slow down; retrying in 1 s\n";
  for (const [answer, stderr] of [
    [refused(429, "Slow down.", { "retry-after": "1s" }), wait],
    [refused(429, "Slow down.", { "x-ratelimit-reset-requests": "1s" }), wait],
    [
      refused(429, "Limit reached. Please try again in 1.0s."),
      "tau: openrouter/m: Limit reached. Please try again in 1.0s; retrying in 1 s\n",
    ],
  ] as const) {
    const run = await ask([answer, said("here")]);
    expect({ stdout: run.stdout, stderr: run.stderr }).toEqual({ stdout: "here\n", stderr });
    expect(run.arrivals[1]! - run.arrivals[0]!).toBeGreaterThanOrEqual(950);
  }
});

test("a wait that is too long is told and not waited for; none is of 0 seconds", async () => {
  const long = await ask([refused(429, "Limit reached. Please try again in 6m0s.")]);
  expect(long.arrivals).toHaveLength(1);
  expect(long.stderr).toContain("Please try again in 6m0s, retry in 360 s");
  const none = await ask([refused(429, "Slow down", { "retry-after": "0" })]);
  expect(none.stderr).toContain("Slow down, retry in 1 s");
});

test("a broken compression is one sentence, however often it was tried", async () => {
  const headers = { "content-type": "text/event-stream", "content-encoding": "gzip" };
  const { stderr, arrivals } = await ask([() => new Response("not compressed", { headers })]);
  expect(arrivals.length).toBeGreaterThan(1);
  expect(stderr).toBe(
    "tau: openrouter/m: openrouter sent a reply that cannot be read: its gzip compression is broken " +
      "(check that the base URL speaks the provider's API)\n",
  );
});

test("what a server says commands no terminal, also by way of a file", async () => {
  const hostile =
    "Down\u001b]0;owned\u0007\u001b]52;c;AAAA\u001b\\ for \u001b[2J\u009b1Amaintenance\r\u0008";
  for (const status of [400, 503]) {
    const { stderr } = await ask([refused(status, hostile)]);
    expect(stderr).toContain("Down for maintenance");
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  }
});

test("a server that sends comments and nothing else is given up, and the sentence says why", async () => {
  const models = "providers: { openrouter: { compat: { keepAliveTimeoutMs: 900 } } }\n";
  const { stderr, exitCode } = await ask([onlyComments], models);
  expect({ stderr, exitCode }).toEqual({
    stderr:
      "tau: openrouter/m: openrouter sent no content for 1 s, only keep-alive comments " +
      "(try again in a moment)\n",
    exitCode: 1,
  });
});
