// Laws of every dialect: the cuts of a stream change nothing, what was rendered is read
// back, and no part of a reply makes a call run that the whole would not.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock } from "../message.ts";
import { DIALECT_IDS, loadDialect, type DialectId } from "./dialect.ts";
import {
  arbitraryNastyText,
  arbitraryPlainText,
  arbitraryReply,
  assistant,
  contentOf,
  cutAt,
  executableCalls,
  hear,
  NOW,
  SALT,
} from "./dialect-test-support.ts";

const SEED = 23;

/** Everything that each convention cannot say, and nothing else. */
const CANNOT_SAY: Partial<Record<DialectId, (text: string, key: string | undefined) => boolean>> = {
  // No escape: an end tag before the next tag of a call ends the value; nor is there a
  // difference between nothing and the word for it.
  glm: (text, key) =>
    /<\/arg_value>\s*(?:<arg_key>|<\/tool_call>)/.test(text) || (key === "note" && isNull(text)),
  anthropic: (text, key) =>
    /<\/parameter>\s*(?:<parameter|<\/invoke>)/.test(text) || (key === "note" && isNull(text)),
  // The quote itself.
  gemma: (text) => text.includes('<|"|>'),
};

/** Keys of the same conventions. */
const CANNOT_NAME: Partial<Record<DialectId, RegExp>> = {
  glm: /<\/arg_key>/,
  gemma: /<\|"\|>/,
};

function isNull(text: string): boolean {
  return /^\s*(?:null|None)\s*$/.test(text);
}

function canSay(id: DialectId, content: readonly AssistantBlock[]): boolean {
  return content.every((block) => block.type !== "toolCall" || canSayValue(id, block.arguments));
}

function canSayValue(id: DialectId, value: unknown, key?: string): boolean {
  if (typeof value === "string") return !CANNOT_SAY[id]?.(value, key);
  if (Array.isArray(value)) return value.every((one) => canSayValue(id, one));
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([name, one]) => !CANNOT_NAME[id]?.test(name) && canSayValue(id, one, name),
  );
}

/** DeepSeek's reasoning is not sent back. */
function expected(id: DialectId, content: readonly AssistantBlock[]): AssistantBlock[] {
  const dropsThinking = id.startsWith("deepseek");
  const isCalling = content.some((block) => block.type === "toolCall");
  return content.filter(
    (block) =>
      block.type !== "thinking" ||
      !(dropsThinking || ((id === "harmony" || id === "gemma") && !isCalling)),
  );
}

describe.each(DIALECT_IDS)("%s", (id) => {
  test("any chunking gives the same reply", async () => {
    const dialect = await loadDialect(id);
    const noise = fc
      .array(fc.oneof(fc.constantFrom(...SALT), arbitraryNastyText()), { maxLength: 12 })
      .map((parts) => parts.join(""));
    const rendered = arbitraryReply().map((content) =>
      dialect.renderAssistant(assistant(content), NOW),
    );
    const text = fc.array(fc.oneof(noise, rendered), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        text.map((parts) => parts.join("")),
        fc.array(fc.nat(100_000), { maxLength: 20 }),
        fc.constantFrom("stop" as const, "cut" as const),
        (reply, places, ending) => {
          const whole = hear(dialect, [reply], ending);
          expect(hear(dialect, cutAt(reply, places), ending)).toEqual(whole);
          expect(hear(dialect, reply.split(""), ending)).toEqual(whole);
        },
      ),
      { seed: SEED, numRuns: 400 },
    );
  });

  test("what was rendered is read back", async () => {
    const dialect = await loadDialect(id);
    fc.assert(
      fc.property(
        arbitraryReply().filter((content) => canSay(id, content)),
        (content) => {
          const text = dialect.renderAssistant(assistant(content), NOW);
          expect(contentOf(hear(dialect, [text]))).toEqual(expected(id, content));
        },
      ),
      { seed: SEED, numRuns: 600 },
    );
  });

  test("what cannot be rendered exactly never becomes another call", async () => {
    const dialect = await loadDialect(id);
    fc.assert(
      fc.property(arbitraryReply(), (content) => {
        const text = dialect.renderAssistant(assistant(content), NOW);
        const names = contentOf(hear(dialect, [text]))
          .filter((block) => block.type === "toolCall")
          .map((block) => [block.name, Object.keys(block.arguments).length]);
        const meant = content
          .filter((block) => block.type === "toolCall")
          .map((block) => [block.name, Object.keys(block.arguments).length]);
        expect(names).toEqual(meant);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("no prefix of a reply makes a call run that the whole would not", async () => {
    const dialect = await loadDialect(id);
    fc.assert(
      fc.property(
        arbitraryReply(),
        fc.array(fc.nat(100_000), { minLength: 1, maxLength: 30 }),
        (content, places) => {
          const text = dialect.renderAssistant(assistant(content), NOW);
          const all = executableCalls(hear(dialect, [text]));
          for (const place of places) {
            const prefix = text.slice(0, place % (text.length + 1));
            for (const ending of ["stop", "cut"] as const) {
              const some = executableCalls(hear(dialect, [prefix], ending));
              expect(some).toEqual(all.slice(0, some.length));
            }
          }
        },
      ),
      { seed: SEED, numRuns: 150 },
    );
  });

  test("text without markers passes as it is", async () => {
    const dialect = await loadDialect(id);
    fc.assert(
      fc.property(arbitraryPlainText(), fc.constantFrom("", "\n", "  \n\n"), (text, blanks) => {
        const reply = blanks + text + blanks;
        const content = contentOf(hear(dialect, reply.split("")));
        expect(content).toEqual([{ type: "text", text: reply }]);
      }),
      { seed: SEED },
    );
  });
});
