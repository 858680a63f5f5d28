import { describe, expect, test } from "bun:test";
import { textOf, userText, type Message, type UserMessage } from "@tau/ai/message";
import fc from "fast-check";
import { messageTokens, TOKENS_PER_IMAGE } from "../base/message-tokens.ts";
import { isShortenable, levelFor, shortenMessage } from "./shorten-message.ts";

const WHOLE = "history://abc";
/** What the marks of one text block weigh at the most. */
const MARK_TOKENS = 80;

const image = { type: "image" as const, mimeType: "image/png", data: "AAAA", name: "a.png" };
const block = fc.oneof(
  fc
    .string({ unit: "grapheme", maxLength: 40 })
    .chain((text) => fc.integer({ min: 1, max: 400 }).map((times) => text.repeat(times)))
    .map((text) => ({ type: "text" as const, text })),
  fc.constant(image),
);
const said = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((content): UserMessage => ({ role: "user", content, timestamp: 1 }));

test("a message is sent whole if it fits, and at about its size otherwise", () => {
  fc.assert(
    fc.property(said, fc.integer({ min: 200, max: 5000 }), (message, tokens) => {
      const sent = shortenMessage(message, tokens, WHOLE);
      if (messageTokens(message) <= tokens) expect(sent).toBe(message);
      const slack = MARK_TOKENS * message.content.length;
      expect(messageTokens(sent)).toBeLessThanOrEqual(tokens + slack);
      expect(sent.content).toHaveLength(message.content.length);
      expect(sent.content.every((one) => one.type !== "text" || one.text.isWellFormed())).toBe(
        true,
      );
      // The same each time: what a vendor has cached stays as it was.
      expect(shortenMessage(message, tokens, WHOLE)).toEqual(sent);
    }),
  );
});

test("its beginning and its end are there, how much is missing, and where it is", () => {
  const text = `BEGIN ${"word ".repeat(4000)}END`;
  const sent = textOf(shortenMessage(userText(text, 0), 1000, WHOLE));
  const [head, mark, tail] = sent.split("\n\n");
  expect(text.startsWith(head!)).toBe(true);
  expect(text.endsWith(tail!)).toBe(true);
  const missing = text.length - head!.length - tail!.length;
  expect(mark).toContain(`${missing.toLocaleString("en")} characters`);
  expect(mark).toContain(WHOLE);
});

test("pictures are left out by name, and some stay if there is room", () => {
  const message: UserMessage = {
    role: "user",
    content: [...Array.from({ length: 5 }, () => image), { type: "text", text: "what are they?" }],
    timestamp: 0,
  };
  const sent = shortenMessage(message, TOKENS_PER_IMAGE * 4, WHOLE);
  expect(sent.content.map(({ type }) => type as string)).toEqual([
    "image",
    "image",
    "text",
    "text",
    "text",
    "text",
  ]);
  expect(textOf(sent)).toContain("[image: a.png; left out");
  expect(textOf(sent)).toEndWith("what are they?");
});

test("what the model said itself is never cut", () => {
  expect(isShortenable({ role: "assistant" } as Message)).toBe(false);
});

describe("the level to which sizes are cut", () => {
  test("is the largest that keeps within the sum", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }),
        fc.nat(5000),
        (sizes, total) => {
          const level = levelFor(sizes, total);
          const cutTo = (most: number): number =>
            sizes.reduce((sum, size) => sum + Math.min(size, most), 0);
          expect(cutTo(level)).toBeLessThanOrEqual(total);
          if (level !== Infinity) expect(cutTo(level + 1)).toBeGreaterThan(total);
        },
      ),
    );
  });
});
