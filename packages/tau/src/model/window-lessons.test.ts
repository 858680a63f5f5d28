import { describe, expect, test } from "bun:test";
import { modelFailure, type ModelFailure } from "@tau/ai/error";
import { userText, type Message, type ToolResultMessage } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import fc from "fast-check";
import { messagesTokens } from "../base/message-tokens.ts";
import { describeShortening, WindowLessons, type SentSize } from "./window-lessons.ts";

const MODEL: Model = {
  provider: "p",
  id: "m",
  name: "m",
  wire: "openai-completions",
  baseUrl: "http://127.0.0.1:1",
  auth: "none",
  contextWindow: 100_000,
  maxOutput: 16_000,
  input: ["text"],
  cost: FREE,
};
const OTHER = { ...MODEL, id: "n" };

const overflow = (details: Partial<ModelFailure> = {}) =>
  modelFailure("context_overflow", "too long", { status: 400, ...details });
const prompt = (tokens: number, at: number): Message => userText("word".repeat(tokens), at);
const result = (tokens: number, id: string): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "read",
  content: [{ type: "text", text: "word".repeat(tokens) }],
  isError: false,
  timestamp: 0,
});
const sent = (messages: Message[], overhead = 1000): SentSize => ({
  model: MODEL,
  overhead,
  messages,
});
const lessons = () => new WindowLessons("history://abc");
const GUESS = { mayGuess: true };
const PROMPT = { hasPrompt: true };
const weightIn = (known: WindowLessons, { messages }: SentSize): number =>
  messagesTokens(known.messages({ messages, model: MODEL }));

describe("the window", () => {
  test("that a server names is the model's from then on, and leaves room for a reply", () => {
    const known = lessons();
    expect(known.learn(overflow({ windowTokens: 8192 }), sent([]), GUESS)).toBe(true);
    expect(known.learn(overflow({ windowTokens: 8192 }), sent([]), GUESS)).toBe(false);
    expect(known.fitted(MODEL)).toMatchObject({ contextWindow: 8192, maxOutput: 2048 });
    expect(known.fitted(OTHER)).toBe(OTHER);
  });

  test("that is larger than the model's own changes nothing", () => {
    const known = lessons();
    known.learn(overflow({ windowTokens: 1_000_000 }), sent([]), GUESS);
    expect(known.fitted(MODEL)).toBe(MODEL);
  });

  test("that nobody names is smaller than what was refused, until that is taken", () => {
    const known = lessons();
    const refused = sent([prompt(9000, 1)]);
    known.learn(overflow(), refused, { mayGuess: false });
    expect(known.fitted(MODEL)).toBe(MODEL);
    known.learn(overflow(), refused, GUESS);
    expect(known.fitted(MODEL).contextWindow).toBe(10_004);
    known.passed(sent([prompt(8000, 1)]));
    expect(known.fitted(MODEL).contextWindow).toBe(10_004);
    known.passed(sent([prompt(20_000, 1)]));
    expect(known.fitted(MODEL)).toBe(MODEL);
  });

  test.each([
    ["bytes are not tokens", overflow({ status: 413 }), [prompt(9000, 1)]],
    [
      "nobody knows what an image weighs",
      overflow(),
      [
        {
          role: "user" as const,
          content: [{ type: "image" as const, mimeType: "image/png", data: "AAAA" }],
          timestamp: 1,
        },
      ],
    ],
  ])("is not guessed: %s", (_why, failure, messages) => {
    const known = lessons();
    known.learn(failure, sent(messages), GUESS);
    expect(known.fitted(MODEL)).toBe(MODEL);
  });

  test("that is named is believed, whatever a reply seems to show", () => {
    const known = lessons();
    known.learn(overflow({ windowTokens: 8192 }), sent([]), GUESS);
    known.passed(sent([prompt(20_000, 1)]));
    expect(known.fitted(MODEL).contextWindow).toBe(8192);
  });
});

describe("what is too long", () => {
  const named = overflow({ windowTokens: 8192, requestTokens: 21_000 });

  test("a result is cut, the prompt before it is not, and a resumed session knows", () => {
    const known = lessons();
    const refused = sent([prompt(2000, 1), result(20_000, "a"), result(100, "b")]);
    known.learn(named, refused, GUESS);
    expect(known.shorten(refused, PROMPT)).toEqual({ type: "shortened" });
    const again = lessons();
    again.restore(JSON.parse(JSON.stringify(known.state)));
    for (const one of [known, again]) {
      const [first, long, short] = one.messages({ messages: refused.messages, model: MODEL });
      expect(first).toBe(refused.messages[0]!);
      expect(messagesTokens([long!])).toBeLessThan(4000);
      expect(short).toBe(refused.messages[2]!);
      expect(one.messages({ messages: refused.messages, model: OTHER })).toBe(refused.messages);
    }
  });

  test("a prompt is not cut without a word: it is told, and cut after its turn", () => {
    const known = lessons();
    const refused = sent([prompt(20_000, 1)]);
    known.learn(named, refused, GUESS);
    const found = known.shorten(refused, PROMPT);
    expect(found).toMatchObject({ type: "prompt_too_large", promptTokens: 20_004 });
    const sentence = describeShortening(found as Extract<typeof found, { promptTokens: number }>);
    expect(sentence).toContain("about 20,004 tokens");
    const next = sent([...refused.messages, prompt(10, 2)]);
    expect(weightIn(known, next)).toBeLessThan(5000);
  });

  test("instructions that fill the window are told", () => {
    const known = lessons();
    const refused = sent([prompt(20, 1)], 9000);
    known.learn(named, refused, GUESS);
    const found = known.shorten(refused, PROMPT);
    expect(found).toEqual({ type: "no_room", overheadTokens: 9000, windowTokens: 8192 });
  });

  test("nothing of a state that is damaged counts", () => {
    for (const state of [null, 7, [], { "p/m": null }, { "p/m": { window: "x", shortened: 3 } }]) {
      const known = lessons();
      known.restore(state);
      expect(known.fitted(MODEL)).toBe(MODEL);
    }
  });
});

const conversation = fc
  .array(fc.record({ tokens: fc.nat(30_000), isResult: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((rows) =>
    rows.map(({ tokens, isResult }, at) =>
      isResult ? result(tokens, String(at)) : prompt(tokens, at + 1),
    ),
  );

test("whatever the conversation: a few lessons later the next prompt fits, or nothing can be cut", () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 4000, max: 60_000 }), (messages, window) => {
      const known = lessons();
      const overhead = 1000;
      let fits = false;
      // The first turn may end with a sentence; then there is a next prompt, which may be repaired.
      for (let attempt = 0; attempt < 6 && !fits; attempt++) {
        const next = sent([...messages, prompt(50, 1000)], overhead);
        const weight = weightIn(known, next);
        fits = overhead + weight <= window;
        if (fits) break;
        const before = weight;
        known.learn(
          overflow({ windowTokens: window, requestTokens: overhead + weight }),
          next,
          GUESS,
        );
        expect(known.shorten(next, PROMPT)).toEqual({ type: "shortened" });
        expect(weightIn(known, next)).toBeLessThan(before);
      }
      expect(fits).toBe(true);
    }),
  );
});
