// The law of the budget: whoever asks models, and whatever they answer, no more requests leave than
// it allows. Titles, every way of compacting, overflows, retries, fallbacks, branch summaries, code
// cells and the loop with its tools take part, in any order; a summary service counts too. And what
// the budget counted is what the log says was used.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { modelFailure } from "@tau/ai/error";
import { STRATEGY_NAMES } from "@tau/tau/features/compaction/strategies";
import { Budget, createSession, userText, type Session } from "@tau/tau/sdk";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import type { ScriptedTurn } from "@tau/testkit/script";

const REQUESTS = 12;
const long = (word: string): string => `${word} `.repeat(2000);
const httpError = (...args: Parameters<typeof modelFailure>) => ({
  httpError: { failure: modelFailure(...args) },
});

/** What a model may do when it is asked, whatever for. */
const TURNS: Record<string, ScriptedTurn> = {
  words: { text: long("words"), usage: { input: 3000, output: 2000 } },
  few: { text: "few words" },
  nothing: { text: "" },
  name: { toolCalls: [{ name: "set_title", arguments: { title: "A name" } }] },
  tool: { text: "look", toolCalls: [{ name: "bash", arguments: { command: "echo out" } }] },
  cell: {
    toolCalls: [
      {
        name: "eval",
        arguments: {
          cells: [
            {
              language: "js",
              code: "await parallel([1, 2].map((n) => () => completion(`${n}?`)))",
            },
          ],
        },
      },
    ],
  },
  cut: { text: "I was about to s", stop: "length", usage: { input: 7900, output: 100 } },
  busy: httpError("overloaded", "too busy", { status: 503 }),
  broken: { text: "half", streamError: modelFailure("overloaded", "went away") },
  limited: httpError("rate_limit", "slow down", { status: 429 }),
  full: httpError("context_overflow", "too long", {
    status: 400,
    code: "context_length_exceeded",
  }),
  refused: httpError("invalid_request", "no", { status: 400 }),
};

type Move =
  | { do: "prompt" }
  | { do: "compact"; strategy: string }
  | { do: "navigate"; at: number }
  | { do: "ask"; role: string };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: "prompt" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("compact" as const),
      strategy: fc.constantFrom(...STRATEGY_NAMES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("navigate" as const), at: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      role: fc.constantFrom("smol", "unset"),
    }),
  },
);

async function configure(
  home: IsolatedHome,
  server: ModelServer,
  { strategy, remote }: { strategy: string; remote: string },
): Promise<void> {
  await home.write(
    ".tau/agent/models.yml",
    `providers:
  mine:
    baseUrl: ${server.baseUrl("openai-completions")}
    api: openai-completions
    auth: none
    models:
      - { id: small, contextWindow: 8000, contextPromotionTarget: large }
      - { id: large, contextWindow: 100000 }
      - { id: other, contextWindow: 8000 }
      - { id: tiny, contextWindow: 8000 }
`,
  );
  await home.write(
    ".tau/agent/config.yml",
    `modelRoles: { smol: mine/tiny }
retry: { baseDelayMs: 1, maxRetries: 2, fallbackChains: { "*": [mine/other] } }
compaction:
  { strategy: ${strategy}, keepRecentTokens: 50, thresholdTokens: 2500, remoteEndpoint: "${remote}" }
`,
  );
}

async function make(session: Session, wanted: Move): Promise<void> {
  if (wanted.do === "prompt") await session.prompt(userText("go on"));
  if (wanted.do === "compact") await session.compact({ strategy: wanted.strategy });
  if (wanted.do === "ask") {
    const { signal } = new AbortController();
    const request = { system: [], messages: [userText("?")] };
    await session.ask(request, { purpose: "test", roles: [wanted.role], signal });
  }
  if (wanted.do !== "navigate") return;
  const entries = await session.log.branch();
  const target = entries[wanted.at % Math.max(1, entries.length)];
  // A summary that could not be made leaves the session where it is, with a typed reason.
  if (target) await session.navigate(target.id, { summarise: true }).catch(expectModelError);
}

function expectModelError(error: unknown): void {
  expect(error).toMatchObject({ name: "ModelError" });
}

/** So that everybody who asks takes part, whatever the rest of the cases are. */
const EXAMPLES: [string, string[], Move[], boolean][] = [
  ["summary", ["cell"], [{ do: "prompt" }, { do: "prompt" }, { do: "prompt" }], true],
  [
    "summary",
    ["words"],
    [
      { do: "ask", role: "smol" },
      { do: "prompt" },
      { do: "compact", strategy: "summary" },
      { do: "compact", strategy: "remote" },
      { do: "prompt" },
      { do: "navigate", at: 0 },
    ],
    true,
  ],
  [
    "off",
    ["words", "words", "words", "words", "limited", "busy", "busy", "busy", "words"],
    [
      { do: "prompt" },
      { do: "navigate", at: 1 },
      { do: "compact", strategy: "summary" },
      { do: "compact", strategy: "remote" },
    ],
    false,
  ],
];

test(
  "no more requests leave than the budget allows, and the log says what they used",
  async () => {
    let mostAsked = 0;
    const purposes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STRATEGY_NAMES),
        fc.array(fc.constantFrom(...Object.keys(TURNS)), { minLength: 1, maxLength: 12 }),
        fc.array(move, { minLength: 3, maxLength: 9 }),
        fc.boolean(),
        async (strategy, script, moves, serves) => {
          let posts = 0;
          await using remote = Bun.serve({
            port: 0,
            hostname: "127.0.0.1",
            fetch: () => {
              posts++;
              return serves ? Response.json({ summary: "from afar" }) : new Response("no");
            },
          });
          await using home = await isolatedHome();
          await using server = await ModelServer.start(
            (_request, turn) => TURNS[script[(turn - 1) % script.length]!]!,
          );
          await configure(home, server, { strategy, remote: remote.url.href });
          const budget = new Budget({ requests: REQUESTS });
          const options = {
            cwd: home.root,
            env: home.env,
            model: "mine/small",
            titles: "on" as const,
            approvalMode: "yolo" as const,
            toolNames: ["bash", "eval"],
          };
          const { session } = await createSession({ ...options, budget });
          session.subscribe((event) => {
            if (event.type === "model_call") purposes.add(`${event.purpose} ${event.model}`);
          });
          await session.prompt(userText("begin"));
          for (const wanted of moves) await make(session, wanted);
          await session[Symbol.asyncDispose]();
          const seen = server.requests.length + posts;
          const { requests, tokens } = budget.spent;
          expect(requests).toBeLessThanOrEqual(REQUESTS);
          // A title that leaving stopped may have been counted and not sent.
          expect(requests - seen).toBeWithin(0, 2);
          const resumed = await createSession({
            ...options,
            session: { kind: "resume", wanted: session.id },
          });
          const spend = await resumed.session.spend();
          await resumed.session[Symbol.asyncDispose]();
          expect(spend.inputTokens + spend.outputTokens).toBe(tokens);
          expect(server.requests.length + posts).toBe(seen);
          mostAsked = Math.max(mostAsked, seen);
        },
      ),
      { numRuns: 25, examples: EXAMPLES },
    );
    // Otherwise the law held because nobody asked.
    expect(mostAsked).toBe(REQUESTS);
    expect([...purposes].map((name) => name.replace(/127.*/, "x"))).toEqual(
      expect.arrayContaining([
        "title mine/tiny",
        "cell mine/tiny",
        "compaction mine/small",
        "compaction remote/x",
        "branch_summary mine/small",
        "test mine/tiny",
      ]),
    );
    expect([...purposes].some((name) => name.endsWith("mine/other"))).toBe(true);
  },
  { timeout: 120_000 },
);
