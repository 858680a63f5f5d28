import { expect, test } from "bun:test";
import fc from "fast-check";
import { isTerminal, type StreamEvent } from "@tau/ai/event";
import { textOf, userText, type Message } from "@tau/ai/message";
import { callDemoModel, demoModel } from "./demo-model.ts";
import { converse, requestOf, scripted, type ToolAnswer } from "./test/converse.ts";

test("the model is what the catalogue says", () => {
  expect(`${demoModel.provider}/${demoModel.id}`).toBe("tau/demo");
  expect(demoModel).toMatchObject({ wire: "in-process", auth: "none", contextWindow: 128_000 });
});

test("text arrives in order, in word-sized deltas that join to the message", async () => {
  const events: StreamEvent[] = [];
  const stream = callDemoModel(requestOf([userText("hello", 0)]));
  let deltas = 0;
  let joined = "";
  for await (const event of stream) {
    events.push(event);
    if (event.type !== "text_delta") continue;
    deltas++;
    joined += event.delta;
  }
  const message = await stream.result();
  expect(events.map((event) => event.type).filter((type) => type !== "text_delta")).toEqual([
    "start",
    "text_start",
    "text_end",
    "done",
  ]);
  expect(deltas).toBeGreaterThan(3);
  expect(joined).toBe(textOf(message));
  expect(message).toMatchObject({ provider: "tau", model: "demo", stopReason: "stop" });
  expect(message.usage.input).toBeGreaterThan(0);
  expect(message.usage.output).toBe(Math.ceil(joined.length / 4));
});

test("abort during the reply keeps what had arrived and ends the stream once", async () => {
  const controller = new AbortController();
  const stream = callDemoModel(requestOf([userText("hello", 0)]), { signal: controller.signal });
  const terminal: StreamEvent[] = [];
  for await (const event of stream) {
    if (event.type === "text_delta") controller.abort();
    if (isTerminal(event)) terminal.push(event);
  }
  const message = await stream.result();
  const whole = (await converse("hello")).answer;
  expect(terminal).toHaveLength(1);
  expect(terminal[0]).toMatchObject({
    type: "error",
    reason: "aborted",
    error: { kind: "aborted" },
  });
  expect(message.stopReason).toBe("aborted");
  expect(textOf(message).length).toBeGreaterThan(0);
  expect(whole.startsWith(textOf(message))).toBe(true);
  expect(textOf(message).length).toBeLessThan(whole.length);
});

test("a request that is aborted already says nothing", async () => {
  const stream = callDemoModel(requestOf([userText("hello", 0)]), { signal: AbortSignal.abort() });
  const message = await stream.result();
  expect(message.stopReason).toBe("aborted");
  expect(message.content).toEqual([]);
});

test("an aborted tool call never looks complete", async () => {
  const controller = new AbortController();
  const request = requestOf([userText(`run echo ${"word ".repeat(400)}`, 0)]);
  const stream = callDemoModel(request, { signal: controller.signal });
  for await (const event of stream) if (event.type === "toolcall_delta") controller.abort();
  const [call] = (await stream.result()).content;
  expect(call).toMatchObject({ type: "toolCall", malformed: expect.any(String) });
});

test("call ids follow turn and step, and never repeat one that is in view", async () => {
  const first = await converse("run true", scripted("(no output)"));
  expect(first.calls.map((call) => call.id)).toEqual(["demo_1_1"]);
  const second = await converse("look around", scripted("a.txt", ""), { before: first.messages });
  expect(second.calls.map((call) => call.id)).toEqual(["demo_2_1", "demo_2_2"]);
  // After compaction the view begins later; numbering goes on from what is left.
  const view = second.messages.slice(first.messages.length);
  const third = await converse("run true", scripted(""), { before: view });
  expect(third.calls.map((call) => call.id)).toEqual(["demo_3_1"]);
});

test("the next step depends on nothing but the conversation", async () => {
  const { messages } = await converse("look around", scripted("README.md\nsrc/", "", "# X\n\nY."));
  for (let length = 1; length <= messages.length; length++) {
    const view = messages.slice(0, length);
    if (view.at(-1)!.role === "assistant") continue;
    const again = await callDemoModel(requestOf(view)).result();
    expect(again.content).toEqual((messages[length] as Message & { role: "assistant" }).content);
  }
});

test("only the results since the last user message count", async () => {
  const done = await converse("run true", scripted("(no output)"));
  const again = await converse("run true", scripted("(no output)"), { before: done.messages });
  expect(again.calls).toHaveLength(1);
});

test.each([[[]], [["bash"]], [["read"]]])(
  "without its tools (%p left) it says so and stops",
  async (offered) => {
    for (const text of ["look around", "explain a.ts", "find x", "run ls", "add 'x' to a.txt"]) {
      const answers = (): ToolAnswer => ({ text: "a.ts" });
      const { calls, answer } = await converse(text, answers, { offered });
      for (const call of calls) expect(offered).toContain(call.name);
      expect(answer).not.toBe("");
      if (offered.length === 0)
        expect(answer.replaceAll("\n", " ")).toContain("not available in this session");
    }
  },
);

const VERBS = [
  "run ",
  "find ",
  "explain ",
  "replace ",
  'add "x" to ',
  "create ",
  "look around ",
  "please ",
  "$ ",
  "what does ",
  "@",
];
const JOINS = [" with ", " in ", " to ", '"', "`", "'", "a.txt", "../x", " everywhere", "?", " do"];
const anyText = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .tuple(
      fc.constantFrom(...VERBS),
      fc.array(fc.oneof(fc.constantFrom(...JOINS), fc.string({ maxLength: 12 })), { maxLength: 8 }),
    )
    .map(([verb, parts]) => verb + parts.join("")),
);
const anyResult = fc.record({
  text: fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.constantFrom(
      "README.md\npackage.json\nsrc/",
      "tau-edit: done 1",
      "tau-edit: refused many",
      "a.ts:1:x",
      "[exit code 3]",
    ),
  ),
  isError: fc.boolean(),
});

test("any text and any tool results end in an answer after at most six calls", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.infiniteStream(anyResult), async (text, results) => {
      // `converse` throws on a seventh call and on any reply without exactly one `done`.
      const { answer } = await converse(text, () => results.next().value);
      expect(answer.trim()).not.toBe("");
      // oxlint-disable-next-line no-control-regex
      expect(answer).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
    }),
    { numRuns: 300 },
  );
});
