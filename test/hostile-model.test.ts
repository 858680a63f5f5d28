// A model, or whoever stands in for it, that wants to do harm: replies without an end, a hundred
// thousand calls, arguments nested beyond reason, refusals that ask to be asked again at once. Every
// one of them ends as a failure that says what it was, within bounded memory.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher, runTau } from "./support/run-tau.ts";

const MAX_PEAK_BYTES = 300e6;
const TEST_MS = 60_000;
const PIECE = "x".repeat(16 * 1024);

type Delta = Record<string, unknown>;

interface Answer {
  /** One after the other, without an end where it has none. */
  deltas: () => Iterable<Delta>;
}

/** A server for one kind of reply; it counts how often it is asked. */
function serve(answer: Answer | (() => Response)) {
  const seen = { requests: 0 };
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      if (!request.url.endsWith("/chat/completions")) return new Response("{}", { status: 404 });
      seen.requests++;
      if (typeof answer === "function") return answer();
      const iterator = answer.deltas()[Symbol.iterator]();
      const encoder = new TextEncoder();
      const body = new ReadableStream({
        type: "direct",
        async pull(controller: ReadableStreamDirectController) {
          for (;;) {
            const { value, done } = iterator.next();
            const choice = done
              ? { delta: {}, finish_reason: "tool_calls" }
              : { delta: value as Delta };
            const frame = { choices: [{ index: 0, ...choice }] };
            controller.write(encoder.encode(`data: ${JSON.stringify(frame)}\n\n`));
            await controller.flush();
            if (request.signal.aborted) return;
            if (done) break;
            // A moment in which the other side may hang up.
            await Bun.sleep(0);
          }
          controller.write(encoder.encode("data: [DONE]\n\n"));
          controller.end();
        },
      } as never);
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const url = `http://localhost:${server.port}/v1`;
  return { url, seen, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function ask(url: string) {
  await using home = await isolatedHome();
  const child = Bun.spawn([launcher, "-p", "-m", "ollama/x", "hi", "--mode", "json"], {
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: url },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const peak = peakMemory(child.pid);
  const last: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    last.push(decoder.decode(chunk, { stream: true }));
    if (last.length > 50) last.shift();
  }
  const stderr = await child.stderr.text();
  const exitCode = await child.exited;
  return { exitCode, stderr, peak: await peak, tail: last.join("") };
}

/** What the kernel counts for a child begins with its parent's: only the program's own is asked for. */
async function peakMemory(pid: number): Promise<number> {
  let peak = 0;
  for (;;) {
    const status = await Bun.file(`/proc/${pid}/status`)
      .text()
      .catch(() => "");
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(status) ?? [];
    if (kilobytes === undefined) return peak;
    peak = Math.max(peak, Number(kilobytes) * 1024);
    await Bun.sleep(5);
  }
}

function* forever(delta: Delta): Iterable<Delta> {
  for (;;) yield delta;
}

const call = (id: number, args: string): Delta => ({
  tool_calls: [{ index: id, id: `c${id}`, function: { name: "read", arguments: args } }],
});

test.each<[string, () => Iterable<Delta>]>([
  ["text", () => forever({ content: PIECE })],
  ["thinking", () => forever({ reasoning_content: PIECE })],
  [
    "arguments",
    function* () {
      yield call(0, '{"path":"');
      yield* forever({ tool_calls: [{ index: 0, function: { arguments: PIECE } }] });
    },
  ],
  [
    "calls",
    function* () {
      for (let id = 0; id < 100_000; id++) yield call(id, '{"path":"a"}');
    },
  ],
])(
  "endless %s is cut off, typed, within bounded memory, and not asked for again",
  async (_what, deltas) => {
    await using server = serve({ deltas });
    const { exitCode, stderr, peak, tail } = await ask(server.url);
    expect(tail).toContain("The model's reply did not end");
    expect(stderr).not.toContain("a bug in Tau");
    expect(exitCode).toBe(1);
    expect(server.seen.requests).toBe(1);
    expect(peak).toBeLessThan(MAX_PEAK_BYTES);
    if (process.platform === "linux") expect(peak).toBeGreaterThan(20e6);
  },
  TEST_MS,
);

test(
  "arguments nested 20,000 deep are refused to the model, and the run goes on",
  async () => {
    let isFirst = true;
    await using server = serve({
      *deltas() {
        const deep = `{"path":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
        if (isFirst) yield call(0, deep);
        else yield { content: "all right" };
        isFirst = false;
      },
    });
    const { exitCode, stderr, tail } = await ask(server.url);
    expect(stderr).not.toContain("bug");
    expect(tail).toContain("nested too deep");
    expect(tail).toContain("all right");
    expect(exitCode).toBe(0);
  },
  TEST_MS,
);

test(
  "a refusal that asks to be asked again in the past is not asked ten times at once",
  async () => {
    const at: number[] = [];
    await using server = serve(() => {
      at.push(performance.now());
      const headers = { "retry-after": "-5" };
      if (at.length < 4) return Response.json({ error: "busy" }, { status: 429, headers });
      return Response.json({ choices: [{ message: { content: "now" }, finish_reason: "stop" }] });
    });
    expect((await ask(server.url)).tail).toContain("now");
    expect(at).toHaveLength(4);
    const gaps = at.slice(1).map((time, index) => time - at[index]!);
    expect(Math.min(...gaps)).toBeGreaterThan(200);
  },
  TEST_MS,
);

test(
  "in a terminal an answer is read and not obeyed, printed, shown again or exported",
  async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start(() => ({
      text: "before\u001b]52;c;aGFybQ==\u0007\u001b]0;mine\u0007\u001b[2J\u001b[31mafter\u009b2J",
    }));
    const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
    const run = async (...args: string[]): Promise<string> => {
      await using terminal = runInTerminal([launcher, ...args], { cwd: home.root, env });
      await terminal.exited;
      return new TextDecoder().decode(terminal.bytes());
    };
    const obeyed = /\u001b\](?:52|0;mine)|\u001b\[2J|\u009b|\u001b\[31m/;
    const printed = await run("-p", "-m", "ollama/x", "hi");
    expect(printed).toContain("beforeafter");
    expect(printed).not.toMatch(obeyed);
    const listed = await runTau(["sessions", "--json"], { cwd: home.root, home });
    const [{ id }] = JSON.parse(listed.stdout) as [{ id: string }];
    for (const how of [
      ["show", id],
      ["export", id, "--format", "md"],
    ]) {
      const shown = await run("sessions", ...how);
      expect(shown).toContain("before");
      expect(shown).not.toMatch(/\u001b\](?:52|0;mine)|\u001b\[2J|\u009b/);
    }
  },
  TEST_MS,
);
