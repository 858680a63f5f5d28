// Servers whose window is smaller than Tau believes, as a user meets them: a prompt, a result or pictures
// that do not fit never wedge the session. The server counts, as a real one does, and refuses in the words
// of real ones.

import { describe, expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ModelServer, type RecordedRequest, type Script } from "@tau/testkit/model-server";
import { greyPng } from "@tau/testkit/png";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

type Wire = "openai-completions" | "openai-responses" | "anthropic-messages";
type Refusal = (window: number, asked: number) => { status: number; body: object };

/** About four characters a token, of all that is sent. */
const tokensOf = ({ text }: RecordedRequest): number => Math.ceil(text.length / 4);

const VENDORS: Record<string, { wire: Wire; refuse: Refusal }> = {
  "llama.cpp": {
    wire: "openai-completions",
    refuse: (n_ctx, n_prompt_tokens) => ({
      status: 400,
      body: {
        error: {
          code: 400,
          message:
            "the request exceeds the available context size. try increasing the context size or enable context shift",
          type: "exceed_context_size_error",
          n_prompt_tokens,
          n_ctx,
        },
      },
    }),
  },
  vLLM: {
    wire: "openai-completions",
    refuse: (window, asked) => ({
      status: 400,
      body: {
        object: "error",
        message: `This model's maximum context length is ${window} tokens. However, you requested ${asked} tokens (${asked} in the messages, 0 in the completion). Please reduce the length of the messages or completion.`,
        type: "BadRequestError",
        code: 400,
      },
    }),
  },
  "OpenAI, which names nothing": {
    wire: "openai-responses",
    refuse: () => ({
      status: 400,
      body: {
        error: {
          message:
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
          type: "invalid_request_error",
          param: "input",
          code: "context_length_exceeded",
        },
      },
    }),
  },
  Anthropic: {
    wire: "anthropic-messages",
    refuse: (window, asked) => ({
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: `prompt is too long: ${asked} tokens > ${window} maximum`,
        },
      },
    }),
  },
};

interface Asking {
  vendor: string;
  window: number;
  /** What the model says to what fits. */
  script: Script;
  /** Of each start of the program, all in one session. */
  prompts: string[][];
  files?: Record<string, string | Uint8Array>;
  config?: string;
  large?: string;
}

async function ask({ vendor, window, script, prompts, files = {}, config, large = "" }: Asking) {
  const { wire, refuse } = VENDORS[vendor]!;
  let refusals = 0;
  let turn = 0;
  await using home = await isolatedHome();
  await using server = await ModelServer.start((request) => {
    const asked = tokensOf(request);
    if (asked > window && request.decoded.modelId === "m") {
      refusals++;
      const { status, body } = refuse(window, asked);
      return { httpError: { status, body: JSON.stringify(body) } };
    }
    return typeof script === "function" ? script(request, ++turn) : (script[turn++] as object);
  });
  await home.write(
    ".tau/agent/models.yml",
    `providers:
  here:
    baseUrl: ${server.baseUrl(wire)}
    api: ${wire}
    auth: none
    models: [{ id: m, input: [text, image] }${large}]
`,
  );
  if (config) await home.write(".tau/agent/config.yml", config);
  for (const [name, content] of Object.entries(files)) {
    await Bun.write(`${home.root}/${name}`, content);
  }
  const runs = [];
  for (const [index, words] of prompts.entries()) {
    const args = ["-p", "--yolo", "-m", "here/m", ...(index > 0 ? ["-c"] : []), ...words];
    const before = { requests: server.requests.length, refusals };
    const run = await runTau(args, { cwd: home.root, home, env: {} });
    runs.push({
      ...run,
      requests: server.requests.slice(before.requests),
      refusals: refusals - before.refusals,
    });
  }
  return runs;
}

/** More than Tau's own instructions and tools need. */
const WINDOW = 18_000;
const isSummary = ({ decoded }: RecordedRequest): boolean => decoded.tools.length === 0;
const saidIn = ({ decoded }: RecordedRequest): string => decoded.messages.map(textOf).join("\n");
const answer: Script = (request) => ({ text: isSummary(request) ? "SUMMARY" : "fine" });
const huge = `BEGIN ${"lorem ipsum dolor ".repeat(6000)}END`;

/** Fourteen files, read at once: each fits, together they do not. */
const PARTS = Array.from({ length: 14 }, (_, index) => `part-${index}.txt`);
const PART_FILES = Object.fromEntries(
  PARTS.map((name) => [
    name,
    Array.from({ length: 250 }, (_, line) => `${name} line ${line} of many words`).join("\n"),
  ]),
);
const reading: Script = (request) => {
  if (isSummary(request)) return { text: "SUMMARY" };
  const hasResults = request.decoded.messages.some(({ role }) => role === "toolResult");
  if (hasResults) return { text: "seen" };
  return { toolCalls: PARTS.map((path) => ({ name: "read", arguments: { path } })) };
};

describe.each(Object.keys(VENDORS))("%s", (vendor) => {
  test("a prompt that is larger than the window is told, and the next prompt works", async () => {
    const [first, second, third] = await ask({
      vendor,
      window: WINDOW,
      script: answer,
      files: { "huge.txt": huge },
      prompts: [["@huge.txt", "what is it?"], ["hello"], ["again"]],
    });
    expect(first).toMatchObject({ stdout: "", exitCode: 1, refusals: 1 });
    expect(first!.stderr).toMatch(
      /This prompt has about \d\d,\d{3} tokens, and there is room for about [\d,]+; .*\(choose a model with a larger context window, or put long text into a file/,
    );
    for (const run of [second, third]) {
      expect(run).toMatchObject({ stdout: "fine\n", stderr: "", exitCode: 0, refusals: 0 });
    }
    const said = saidIn(second!.requests.at(-1)!);
    expect(said).toContain("BEGIN lorem");
    expect(said).toContain("END");
    expect(said).toMatch(/characters \(about [\d,]+ tokens\) are left out here.*history:\/\//);
  });

  test.each([true, false])(
    "results that are too large are sent shortened (compaction: %p)",
    async (enabled) => {
      const [run, next] = await ask({
        vendor,
        window: WINDOW,
        config: `compaction: { enabled: ${enabled} }\n`,
        script: reading,
        files: PART_FILES,
        prompts: [["read them"], ["hello"]],
      });
      expect(run).toMatchObject({ stdout: "seen\n", exitCode: 0 });
      expect(run!.refusals).toBeWithin(1, 3);
      expect(run!.stderr.match(/; continuing with the longest messages shortened\n/g)).toHaveLength(
        run!.refusals,
      );
      const sent = saidIn(run!.requests.at(-1)!);
      for (const name of PARTS) expect(sent).toContain(`${name} line 0 of`);
      expect(sent).toContain("are left out here");
      expect(next).toMatchObject({ stdout: "seen\n", stderr: "", exitCode: 0, refusals: 0 });
    },
  );
});

test("pictures that do not fit are told, and left out of what follows", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}.png`);
  const noise = (seed: number): Uint8Array => greyPng(900 + seed, 700);
  const [first, second] = await ask({
    vendor: "vLLM",
    window: WINDOW,
    script: answer,
    files: Object.fromEntries(names.map((name, index) => [name, noise(index)])),
    prompts: [[...names.map((name) => `@${name}`), "what are they?"], ["hello"]],
  });
  expect(first).toMatchObject({ exitCode: 1 });
  expect(second).toMatchObject({ stdout: "fine\n", exitCode: 0 });
});

test("a larger model of the fallback chain takes over and gets everything", async () => {
  const [first, second] = await ask({
    vendor: "llama.cpp",
    window: WINDOW,
    script: answer,
    large: ", { id: large, contextWindow: 200000 }",
    config: "retry: { fallbackChains: { here/m: [here/large] } }\n",
    files: { "huge.txt": huge },
    prompts: [["@huge.txt", "what is it?"], ["hello"]],
  });
  expect(first).toMatchObject({ stdout: "fine\n", exitCode: 0, refusals: 1 });
  expect(first!.stderr).toMatch(
    /exceeds the available context size.*; continuing with here\/large\n$/,
  );
  expect(saidIn(first!.requests.at(-1)!)).toContain(huge);
  expect(second).toMatchObject({ stdout: "fine\n", exitCode: 0 });
});

test("a window that is too small for the instructions is told at once", async () => {
  const [run] = await ask({
    vendor: "llama.cpp",
    window: 2048,
    script: answer,
    prompts: [["hello"]],
  });
  expect(run).toMatchObject({ stdout: "", exitCode: 1 });
  expect(run!.stderr).toMatch(/The instructions and tools alone have about \d,\d{3} tokens/);
  expect(run!.refusals).toBe(1);
});

test("what the window is, is learnt once: long conversations are summarised in time", async () => {
  const runs = await ask({
    vendor: "llama.cpp",
    window: WINDOW,
    script: (request) =>
      isSummary(request)
        ? { text: "SUMMARY: sheep" }
        : { text: "sheep ".repeat(1500), usage: { input: tokensOf(request), output: 2250 } },
    prompts: Array.from({ length: 8 }, (_, index) => [`count ${index}`]),
  });
  expect(runs.map(({ exitCode }) => exitCode)).toEqual(Array<number>(8).fill(0));
  const refusals = runs.reduce((sum, run) => sum + run.refusals, 0);
  expect(refusals).toBe(1);
  expect(runs.flatMap(({ requests }) => requests).filter(isSummary).length).toBeGreaterThan(1);
});

test("a server that refuses whatever it gets is asked a few times, and each is told", async () => {
  const { refuse } = VENDORS["OpenAI, which names nothing"]!;
  const { status, body } = refuse(0, 0);
  const [, run] = await ask({
    vendor: "vLLM",
    window: Infinity,
    script: (request) => {
      const isRefused = saidIn(request).includes("now") || isSummary(request);
      return isRefused
        ? { httpError: { status, body: JSON.stringify(body) } }
        : reading(request, 0);
    },
    files: PART_FILES,
    prompts: [["read them"], ["now what?"]],
  });
  expect(run).toMatchObject({ stdout: "", exitCode: 1 });
  expect(run!.stderr).toContain("exceeds the context window");
  const told = run!.stderr.trimEnd().split("\n");
  expect(run!.requests.length).toBeLessThanOrEqual(12);
  expect(told.length).toBeGreaterThanOrEqual(4);
});

test("one result that does not fit costs no summary of a conversation that is short", async () => {
  const lines = Array.from({ length: 280 }, (_, line) => `${line} ${"words ".repeat(16)}`);
  const [, run] = await ask({
    vendor: "llama.cpp",
    window: 10_000,
    script: (request) => {
      const { messages } = request.decoded;
      const last = messages.at(-1)!;
      return last.role === "user" && textOf(last) === "read it"
        ? { toolCalls: [{ name: "read", arguments: { path: "long.txt" } }] }
        : answer(request, 0);
    },
    files: { "long.txt": lines.join("\n") },
    prompts: [["hello"], ["read it"]],
  });
  expect(run).toMatchObject({ stdout: "fine\n", exitCode: 0, refusals: 1 });
  expect(run!.requests.filter(isSummary)).toEqual([]);
  expect(saidIn(run!.requests.at(-1)!)).toContain("are left out here");
});

test("what is sent shortened is summarised as it is sent, not in many parts", async () => {
  const runs = await ask({
    vendor: "llama.cpp",
    window: WINDOW,
    script: answer,
    files: { "huge.txt": huge },
    prompts: [["@huge.txt", "what is it?"], ["hello"], ["again"], ["/compact"]],
  });
  const last = runs.at(-1)!;
  expect(last).toMatchObject({ exitCode: 0, refusals: 0 });
  expect(last.requests.length).toBeWithin(1, 3);
});
