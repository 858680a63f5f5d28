// A conversation that outgrows its model, as a user meets it: it is summarised, the run
// goes on, and what follows continues from the summary, also after a restart.

import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf } from "@tau/ai/message";
import { ModelServer, type RecordedRequest } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const overflow = {
  httpError: {
    failure: modelFailure("context_overflow", "too long", {
      status: 400,
      code: "context_length_exceeded",
    }),
  },
};
const long = (word: string): string => `${word} `.repeat(9000);

/** The summariser is asked with instructions of its own and without the run's tools. */
const isSummary = (request: RecordedRequest): boolean => request.decoded.tools.length === 0;

async function ask(home: IsolatedHome, server: ModelServer, args: string[]) {
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  return await runTau(["-p", "-m", "ollama/x", ...args], { cwd: home.root, home, env });
}

test("an overflow is summarised, asked again, and continued from", async () => {
  await using home = await isolatedHome();
  let refuse = 0;
  await using server = await ModelServer.start((request) => {
    if (isSummary(request)) return { text: "SUMMARY: the user counts sheep." };
    if (refuse-- > 0) return overflow;
    const said = request.decoded.messages.length;
    return { text: said < 6 ? long(`reply${said}`) : "still here" };
  });
  await ask(home, server, ["count alpha sheep"]);
  await ask(home, server, ["-c", "count beta sheep"]);
  await ask(home, server, ["-c", "count gamma sheep"]);
  const before = server.requests.length;
  refuse = 1;
  const result = await ask(home, server, ["-c", "what do I count?"]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  const [refused, ...after] = server.requests.slice(before);
  expect(after.filter(isSummary).length).toBeGreaterThan(0);
  const retried = after.at(-1)!;
  const text = retried.decoded.messages.map(textOf).join("\n");
  expect(text).toContain("SUMMARY: the user counts sheep.");
  expect(text).toContain("what do I count?");
  expect(retried.text.length).toBeLessThan(refused!.text.length);
  expect(text).not.toContain(long("reply1").trim());

  const again = await ask(home, server, ["-c", "and now?"]);
  expect(again.exitCode).toBe(0);
  const messages = server.requests.at(-1)!.decoded.messages.map(textOf);
  expect(messages.join("\n")).toContain("SUMMARY: the user counts sheep.");
  expect(messages.at(-1)).toBe("and now?");
  const shown = await runTau(["sessions", "list", "--json"], { cwd: home.root, home });
  expect(JSON.parse(shown.stdout)).toHaveLength(1);
});

test("a model that still does not fit ends the run with a sentence, once", async () => {
  await using home = await isolatedHome();
  let refuseAll = false;
  await using server = await ModelServer.start((request) => {
    if (isSummary(request)) return { text: "SUMMARY" };
    return refuseAll ? overflow : { text: long("x") };
  });
  await ask(home, server, ["one"]);
  await ask(home, server, ["-c", "two"]);
  refuseAll = true;
  const result = await ask(home, server, ["-c", "three"]);
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("too long");
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("a model that names a larger sibling hands over, and nothing is summarised", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start((request) =>
    request.decoded.modelId === "small" ? overflow : { text: "there is room" },
  );
  await home.write(
    ".tau/agent/models.yml",
    `providers:
  mine:
    baseUrl: ${server.baseUrl("openai-completions")}
    api: openai-completions
    auth: none
    models:
      - { id: small, contextWindow: 1000, contextPromotionTarget: large }
      - { id: large, contextWindow: 100000 }
`,
  );
  const result = await runTau(["-p", "-m", "mine/small", "hi"], { cwd: home.root, home });
  expect(result).toMatchObject({ stdout: "there is room\n", exitCode: 0 });
  expect(result.stderr).toBe("tau: mine/small: too long; continuing with mine/large\n");
  expect(server.requests.map((request) => request.decoded.modelId)).toEqual(["small", "large"]);
});

test.each([
  ["refuses the key", 401, 3],
  ["refuses the request", 400, 1],
])(
  "/compact with a model that %s is an error, with an exit code",
  async (_name, status, exitCode) => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start((request) =>
      isSummary(request)
        ? { httpError: { status, body: JSON.stringify({ error: { message: "not today" } }) } }
        : { text: long("sheep") },
    );
    await ask(home, server, ["one"]);
    await ask(home, server, ["-c", "two"]);
    const result = await ask(home, server, ["-c", "/compact"]);
    expect(result).toMatchObject({ stdout: "", exitCode });
    expect(result.stderr).toMatch(
      /^tau: the conversation is unchanged: ollama\/x: not today \(.*\)\n$/,
    );
  },
);

test("/compact with nothing to summarise says so, and is no failure", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([]);
  const result = await ask(home, server, ["/compact"]);
  expect(result).toMatchObject({ stderr: "", exitCode: 0 });
  expect(result.stdout).toContain("nothing to summarise");
});
