// Secrets that a model writes itself: however its reply is cut into pieces, nothing that comes after the
// line to the model has one, and what a tool is given has them all.

import { describe, expect, test } from "bun:test";
import type { StreamEvent } from "@tau/ai/event";
import type { AssistantBlock, AssistantMessage } from "@tau/ai/message";
import { modelFailure } from "@tau/ai/error";
import { ReplyAssembler } from "@tau/ai/reply-assembler";
import { ReplyStream } from "@tau/ai/reply-stream";
import fc from "fast-check";
import { RedactingArguments } from "../../base/redacting-arguments.ts";
import { redactReply } from "../../base/redact-reply.ts";
import { SecretVault } from "./secret-vault.ts";

const ORIGIN = { provider: "p", model: "m", wire: "anthropic-messages" } as const;
const PLAIN = [
  "hunter2-hunter2",
  "hunter2-",
  'qu"ote\\back',
  "two\nlines",
  "sécret-válue😀",
  "12345678",
];
const FOR_GOOD = "never-restored";
const VAULT = new SecretVault(
  [
    ...PLAIN.map((value) => ({ value })),
    { value: FOR_GOOD, replacement: { text: "***" } },
    { pattern: /AKIA[0-9A-Z]{4}/g },
    { pattern: /pass\s*=\s*\w+/gi },
  ],
  "a key of the user",
);
const SECRETS = [...PLAIN, FOR_GOOD, "AKIAABCD"];

const piece = fc.constantFrom(
  ...SECRETS,
  "hunter2",
  "-hunt",
  "two\n",
  "AKIA",
  "pass = x ",
  'qu"',
  "\\",
  "#",
  "x",
  " ",
  "😀",
);
const words = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const value = fc.oneof(
  words,
  fc.constantFrom(12345678, 7, true, null),
  fc.array(words, { maxLength: 3 }),
);
const call = fc.dictionary(words, value, { maxKeys: 3 }).map((args) => ({
  type: "toolCall" as const,
  id: "c",
  name: "write",
  arguments: args,
}));
const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  words.map((text) => ({ type: "thinking" as const, text })),
  call,
);

interface Heard {
  events: StreamEvent[];
  reply: AssistantMessage;
  deltas: string[];
}

/** A reply of these blocks, in pieces of these sizes; cut off instead of ended if that is wanted. */
async function hear(
  blocks: readonly AssistantBlock[],
  sizes: readonly number[],
  end: "whole" | "cut" = "whole",
): Promise<Heard> {
  const raw = new ReplyStream();
  const out = new ReplyAssembler(ORIGIN, raw.push, 0);
  const redacted = redactReply(raw, VAULT);
  const events: StreamEvent[] = [];
  const deltas: string[] = [];
  const listening = (async () => {
    for await (const event of redacted) {
      events.push(event);
      if ("delta" in event) deltas[event.index] = (deltas[event.index] ?? "") + event.delta;
    }
  })();
  let turn = 0;
  for (const one of blocks) {
    const open =
      one.type === "text"
        ? out.openText()
        : one.type === "thinking"
          ? out.openThinking()
          : out.openToolCall(one);
    const text = one.type === "toolCall" ? JSON.stringify(one.arguments) : one.text;
    for (let at = 0; at < text.length;) {
      const size = sizes[turn++ % sizes.length]!;
      open.append(text.slice(at, at + size));
      at += size;
      // Otherwise the queue makes one piece of all of them.
      await Promise.resolve();
    }
    if (one.opaque) open.keep(one.opaque.data);
    if (end === "whole") open.close();
  }
  if (end === "whole") out.finish("stop");
  else out.fail({ kind: "network", message: `lost ${PLAIN[0]}`, retryable: true });
  await listening;
  return { events, reply: await redacted.result(), deltas };
}

/** As JSON has it, and as it reads. */
function leaksIn(told: unknown): string[] {
  const text = JSON.stringify(told);
  return SECRETS.filter(
    (secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)),
  );
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });

test("for any reply in any pieces: no secret in an event, and the tool gets what the model wrote", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 4 }), sizes, async (blocks, cuts) => {
      const { events, reply, deltas } = await hear(blocks, cuts);
      expect(leaksIn(events)).toEqual([]);
      expect(reply.content).toHaveLength(blocks.length);
      for (const [at, given] of blocks.entries()) {
        const got = reply.content[at]!;
        if (given.type === "toolCall") {
          if (got.type !== "toolCall") throw new Error("another kind of block");
          // A number that was a secret is its digits.
          const restored = VAULT.restoreIn(got.arguments);
          expect(digitsAsText(restored)).toEqual(digitsAsText(given.arguments));
          expect(JSON.parse(deltas[at] || "{}")).toEqual(got.arguments);
        } else {
          expect(got).toEqual({ ...given, text: VAULT.hide(given.text) });
          expect(deltas[at] ?? "").toBe(VAULT.hide(given.text));
        }
      }
    }),
    { numRuns: 600 },
  );
});

test("a reply that breaks off has none either, nor has its error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 3 }), sizes, async (blocks, cuts) => {
      const { events, reply } = await hear(blocks, cuts, "cut");
      expect(leaksIn(events)).toEqual([]);
      expect(reply.stopReason).toBe("error");
    }),
    { numRuns: 200 },
  );
});

test("what does not begin like a secret is passed on at once", async () => {
  const raw = new ReplyStream();
  const out = new ReplyAssembler(ORIGIN, raw.push, 0);
  const seen: string[] = [];
  void (async () => {
    for await (const event of redactReply(raw, VAULT)) if ("delta" in event) seen.push(event.delta);
  })();
  const text = out.openText();
  for (const part of ["All is well. ", "The key is hun", "dred lines long, AK", "A pas", "tel."]) {
    text.append(part);
    await Bun.sleep(1);
  }
  expect(seen).toEqual(["All is well. ", "The key is ", "hundred lines long, ", "AKA ", "pastel."]);
});

describe("thinking that a vendor signed", () => {
  const opaque = { wire: ORIGIN.wire, model: ORIGIN.model, data: "c2lnbmVk" };
  test("loses its signature with a secret, and keeps it without", async () => {
    const { reply } = await hear(
      [
        { type: "thinking", text: `use ${PLAIN[0]}`, opaque },
        { type: "thinking", text: "nothing", opaque },
      ],
      [5],
    );
    expect(reply.content).toEqual([
      { type: "thinking", text: VAULT.hide(`use ${PLAIN[0]}`) },
      { type: "thinking", text: "nothing", opaque },
    ]);
  });
});

test("arguments that are not JSON, and escapes of any kind, are read as what they say", () => {
  const hidden = (text: string): string => {
    const reading = new RedactingArguments(VAULT);
    return [...text].map((sign) => reading.push(sign)).join("") + reading.end();
  };
  const placeholder = VAULT.hide("hunter2-");
  expect(hidden(`{"a": "h\\u0075nter2\\u002D", "b":\t"x"}`)).toBe(
    `{"a": "${placeholder}", "b":\t"x"}`,
  );
  expect(hidden(`{"a": "caf\\u00e9 \\/ \\n"}`)).toBe(`{"a": "caf\\u00e9 \\/ \\n"}`);
  expect(hidden("hunter2- {")).toBe(`"${placeholder}" {`);
  expect(hidden("two\nlines")).toBe(VAULT.hide("two\nlines"));
  expect(hidden(`{"a": 9912345678}`)).toBe(`{"a": "99${VAULT.hide("12345678")}"}`);
  expect(hidden(`{"a": "hunter2-`)).toBe(`{"a": "${placeholder}`);
  expect(hidden(`{"a": "\\u00`)).toBe(`{"a": "\\u00`);
});

test("a secret inside of what a pattern finds comes back with it; a placeholder is not hidden again", () => {
  const nested = new SecretVault([{ value: "12345678" }, { pattern: /pass = \S+/g }], "k");
  const hidden = nested.hide("pass = 12345678");
  expect(hidden).toMatch(/^#[A-Z2-9]{8}#$/);
  expect(nested.restore(hidden)).toBe("pass = 12345678");
  const greedy = new SecretVault([{ value: "12345678" }, { pattern: /[A-Z2-9]{8}/g }], "k");
  expect(greedy.hide(greedy.hide("12345678"))).toBe(greedy.hide("12345678"));
});

function digitsAsText(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given), (_key, one) =>
    typeof one === "number" ? String(one) : one,
  );
}

test.each(["hunter2-very-secret-9", "AKIAABCD"])(
  "a reply that breaks off inside of %s gives nothing of it away",
  async (secret) => {
    const vault = new SecretVault(
      [{ value: "hunter2-very-secret-9" }, { pattern: /AKIA[0-9A-Z]{4}/g }],
      "a key of the user",
    );
    for (let length = 1; length < secret.length; length++) {
      for (const kind of ["openText", "openThinking"] as const) {
        for (const end of ["fail", "length", "stop"] as const) {
          const raw = new ReplyStream();
          const out = new ReplyAssembler(ORIGIN, raw.push, 0);
          const heard: StreamEvent[] = [];
          const redacted = redactReply(raw, vault);
          const whole = out.openText();
          whole.append("before ");
          whole.close();
          out[kind]().append(`half ${secret.slice(0, length)}`);
          if (end === "fail") out.fail(modelFailure("network", "gone"));
          else out.finish(end);
          for await (const event of redacted) heard.push(event);
          const told = JSON.stringify(heard);
          expect(told).toContain("before ");
          expect(told).toContain("half ");
          // Of a reply that ended as it wanted to, this is all it has said.
          expect(told.includes(`half ${secret.slice(0, length)}`)).toBe(end === "stop");
        }
      }
    }
  },
);
