// A turn end to end, as a script would run it: the real program, a scripted model on every
// wire, real tools on a real directory.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf } from "@tau/ai/message";
import type { WireId } from "@tau/ai/wire";
import { BUILT_IN_TOOLS } from "@tau/tau/features/tool-names";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau, type RunResult } from "./support/run-tau.ts";

type HttpWire = Extract<
  WireId,
  "openai-completions" | "openai-responses" | "anthropic-messages" | "google-generative-ai"
>;

/** How a user points Tau at a server of each wire. */
const SETUPS: Record<HttpWire, { model: string; key: string; url: string }> = {
  "openai-completions": {
    model: "openrouter/m",
    key: "OPENROUTER_API_KEY",
    url: "OPENROUTER_BASE_URL",
  },
  "openai-responses": { model: "openai/m", key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL" },
  "anthropic-messages": {
    model: "anthropic/m",
    key: "ANTHROPIC_API_KEY",
    url: "ANTHROPIC_BASE_URL",
  },
  "google-generative-ai": { model: "google/m", key: "GEMINI_API_KEY", url: "GEMINI_BASE_URL" },
};
const WIRES = Object.keys(SETUPS) as HttpWire[];

function connect(
  server: ModelServer,
  wire: HttpWire,
): { env: Record<string, string>; args: string[] } {
  const setup = SETUPS[wire];
  return {
    env: { [setup.key]: "secret-key", [setup.url]: server.baseUrl(wire) },
    args: ["--model", setup.model],
  };
}

async function ask(
  script: Script,
  options: { wire?: HttpWire; args?: string[]; stdin?: string; home?: IsolatedHome } = {},
): Promise<RunResult & { server: ModelServer }> {
  await using repository = await createScratchRepository({
    files: { "hello.txt": "first line\nsecond line\n", "src/main.ts": "export {};\n" },
  });
  await using home = await isolatedHome();
  await using server = await ModelServer.start(script);
  const { env, args } = connect(server, options.wire ?? "openai-completions");
  // How failures look is tested here; what is done about them in recovery.test.ts.
  await home.write(".tau/agent/config.yml", "retry:\n  enabled: false\n");
  const result = await runTau(["-p", ...args, ...(options.args ?? ["hi"])], {
    cwd: repository.root,
    home,
    env,
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
  });
  return { ...result, server };
}

/** There is no host to reach and nobody to ask; checkpoints are off, and only agents hand in a result. */
const NOT_OFFERED = new Set(["ssh", "ask", "checkpoint", "rewind", "yield", "submit_plan"]);

describe.each(WIRES)("over %s", (wire) => {
  test("reads, runs, answers; only the answer is on standard output", async () => {
    const { stdout, stderr, exitCode, server } = await ask(
      [
        {
          thinking: "Two things to look at.",
          text: "Let me look.",
          toolCalls: [
            { name: "read", arguments: { path: "hello.txt:raw" } },
            { name: "bash", arguments: { command: "git rev-parse --abbrev-ref HEAD; exit 3" } },
          ],
        },
        { text: "It says “first line”." },
      ],
      { wire, args: ["what does", "hello.txt say?"] },
    );
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "It says “first line”.\n",
      stderr: "",
      exitCode: 0,
    });
    const [first, second] = server.requests;
    expect(server.requests).toHaveLength(2);
    expect(first!.wire).toBe(wire);
    expect([...first!.headers.values()].join(" ")).toContain("secret-key");
    const offered = first!.decoded.tools.map((tool) => tool.name);
    expect(offered).toEqual(BUILT_IN_TOOLS.filter((name) => !NOT_OFFERED.has(name)));
    const said = first!.decoded.messages.flatMap(({ content }) =>
      content.map((block) => (block.type === "text" ? block.text : "")),
    );
    expect(said).toEqual([
      "what does hello.txt say?",
      expect.stringMatching(/^The repository as the session begins/),
    ]);
    const results = second!.decoded.messages.filter((message) => message.role === "toolResult");
    expect(results.map(textOf)).toEqual(["first line\nsecond line", "main\n[exit code 3]"]);
  });

  test("byte by byte is the same answer", async () => {
    const { stdout, exitCode } = await ask(
      [{ text: "näive 日本 👩‍👩‍👧‍👦 text", delivery: { chunkBytes: 1 } }],
      { wire },
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "näive 日本 👩‍👩‍👧‍👦 text\n", exitCode: 0 });
  });

  test.each([
    ["auth", 401, 3, "no such key"],
    ["rate_limit", 429, 1, "slow down"],
    ["overloaded", 503, 1, "too busy"],
  ] as const)(
    "%s (%i) ends with exit code %i and the vendor's words",
    async (kind, status, code, words) => {
      const failure = modelFailure(kind, words, { status });
      const { stdout, stderr, exitCode } = await ask([{ httpError: { failure } }], { wire });
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: code });
      expect(stderr).toContain(words);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    },
  );

  test("an error inside the stream, a cut connection, a reply without its end: all fail", async () => {
    const broken: Script[] = [
      [{ text: "half", streamError: modelFailure("overloaded", "went away") }],
      [{ text: "half an answer that is long", delivery: { disconnectAfterBytes: 90 } }],
      [{ text: "half an answer that is long", delivery: { endAfterBytes: 90 } }],
    ];
    for (const script of broken) {
      const { stdout, stderr, exitCode } = await ask(script, { wire });
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
      expect(stderr).toStartWith("tau: ");
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
  });

  test("a call that was cut off by the output limit does not run", async () => {
    const malformed = '{"command":"touch made';
    const { server, exitCode, stderr } = await ask(
      [
        {
          blocks: [{ type: "toolCall", id: "c1", name: "bash", arguments: {}, malformed }],
          stop: "length",
        },
        { text: "ok" },
      ],
      { wire },
    );
    if (wire === "google-generative-ai") {
      // This wire has only whole calls: half of one is none.
      expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 1, requests: 1 });
      expect(stderr).toBe("tau: the model's output limit cut the answer short\n");
      return;
    }
    const messages = server.requests[1]!.decoded.messages;
    const results = messages.filter((message) => message.role === "toolResult");
    expect(results.map(textOf)).toEqual([expect.stringContaining("Send the call again")]);
  });
});

test("files and piped text come before the words", async () => {
  const { server } = await ask([{ text: "ok" }], {
    args: ["compare", "@hello.txt"],
    stdin: "from the pipe\n",
  });
  expect(server.requests[0]!.decoded.messages[0]!.content).toEqual([
    { type: "text", text: '<file path="hello.txt">\nfirst line\nsecond line\n\n</file>' },
    { type: "text", text: "from the pipe\n" },
    { type: "text", text: "compare" },
  ]);
});

test("piped text alone is a prompt", async () => {
  const { server, exitCode } = await ask([{ text: "ok" }], { args: [], stdin: "just this" });
  expect(exitCode).toBe(0);
  expect(textOf(server.requests[0]!.decoded.messages[0]!)).toBe("just this");
});

test("--max-turns stops a model that never stops", async () => {
  const forever: Script = () => ({ toolCalls: [{ name: "read", arguments: { path: "." } }] });
  const { exitCode, stderr, server } = await ask(forever, { args: ["--max-turns", "3", "go"] });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("stopped at the limit of 3 model calls");
  expect(server.requests).toHaveLength(3);
});

test("an unreachable server is one sentence with the host in it", async () => {
  await using home = await isolatedHome();
  const env = { OLLAMA_BASE_URL: "http://127.0.0.1:1/v1" };
  await home.write(".tau/agent/config.yml", "retry: { enabled: false }\n");
  const result = await runTau(["-p", "hi", "-m", "ollama/x"], { cwd: home.root, home, env });
  expect(result).toMatchObject({ stdout: "", exitCode: 1 });
  expect(result.stderr).toStartWith("tau: ollama/x: Cannot reach 127.0.0.1:1");
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("a base URL that is none says which variable to correct", async () => {
  await using home = await isolatedHome();
  const env = { OLLAMA_BASE_URL: "localhost" };
  const result = await runTau(["-p", "hi", "-m", "ollama/x"], { cwd: home.root, home, env });
  expect(result).toEqual({
    stdout: "",
    stderr: 'tau: "localhost" is not a URL; correct OLLAMA_BASE_URL\n',
    exitCode: 2,
  });
});

test("a command does not see the key", async () => {
  const { server } = await ask([
    { toolCalls: [{ name: "bash", arguments: { command: "env | grep -c secret-key || true" } }] },
    { text: "ok" },
  ]);
  expect(server.requests[1]!.decoded.messages.map(textOf).at(-1)).toBe("0");
});
