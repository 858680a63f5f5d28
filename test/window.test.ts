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
const WINDOW = 16_000;
const isSummary = ({ decoded }: RecordedRequest): boolean => decoded.tools.length === 0;
const saidIn = ({ decoded }: RecordedRequest): string => decoded.messages.map(textOf).join("\n");
const answer: Script = (request) => ({ text: isSummary(request) ? "SUMMARY" : "fine" });
const huge = `BEGIN ${"lorem ipsum dolor ".repeat(6000)}END`;

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

  test("a result that is too large is sent shortened, and the run goes on", async () => {
    const [run, next] = await ask({
      vendor,
      window: WINDOW,
      script: (request) => {
        if (isSummary(request)) return { text: "SUMMARY" };
        const { messages } = request.decoded;
        const hasResults = messages.some(({ role }) => role === "toolResult");
        if (hasResults) return { text: "seen" };
        const paths = Array.from({ length: 14 }, (_, index) => ({
          name: "read",
          arguments: { path: `part-${index}.txt` },
        }));
        return { toolCalls: paths };
      },
      files: Object.fromEntries(
        Array.from({ length: 14 }, (_, index) => [
          `part-${index}.txt`,
          Array.from({ length: 250 }, (_, line) => `${index} line ${line} of many words`).join("\n"),
        ]),
      ),
      prompts: [["read them"], ["hello"]],
    });
    expect(run).toMatchObject({ stdout: "seen\n", exitCode: 0 });
    expect(run!.refusals).toBeGreaterThan(0);
    expect(run!.refusals).toBeLessThanOrEqual(5);
    expect(next).toMatchObject({ stdout: "seen\n", exitCode: 0, refusals: 0 });
  });
});

test("with compaction switched off, results are shortened all the same", async () => {
  const [run, next] = await ask({
    vendor: "llama.cpp",
    window: WINDOW,
    config: "compaction: { enabled: false }\n",
    script: ({ decoded }) =>
      decoded.messages.some(({ role }) => role === "toolResult")
        ? { text: "seen" }
        : { toolCalls: [{ name: "bash", arguments: { command: "cat one two" } }] },
    files: { one: "one\n".repeat(10), two: "two\n".repeat(10) },
    prompts: [["read them"], ["hello"]],
  });
  expect([run!.exitCode, next!.exitCode]).toEqual([0, 0]);
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

test("a larger model of the fallback chain takes over, for the rest of the session", async () => {
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
  expect(first!.stderr).toMatch(/exceeds the available context size.*; continuing with here\/large\n$/);
  expect(saidIn(first!.requests.at(-1)!)).toContain(huge);
  expect(second).toMatchObject({ stdout: "fine\n", exitCode: 0 });
});

test("a server that refuses everything is asked a few times, and each time is told", async () => {
  const [run] = await ask({
    vendor: "OpenAI, which names nothing",
    window: 10,
    script: answer,
    files: { "huge.txt": huge },
    prompts: [["hello"]],
  });
  expect(run!.exitCode).toBe(1);
  expect(run!.refusals).toBeLessThanOrEqual(8);
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
