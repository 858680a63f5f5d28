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
  call,
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

/** Forms that are read but never written, three calls each. */
const UNRENDERED: Partial<Record<DialectId, readonly string[]>> = {
  anthropic: [
    `<function_calls>
<invoke>
<tool_name>write_file</tool_name>
<parameters>
<path>a.txt</path>
<content>one </x> two</content>
<mode>420</mode>
</parameters>
</invoke>
<invoke>
<tool_name>list</tool_name>
<parameters>
</parameters>
</invoke>
<invoke><tool_name>get-weather</tool_name><parameters><city>Bonn</city></parameters></invoke>
</function_calls>`,
  ],
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

  test("every cut in two, and single characters, give the same reply", async () => {
    const dialect = await loadDialect(id);
    const content = [
      call("write_file", { path: "a/b.txt", content: "</x> <y> & 'z'\n", mode: 420, tags: ["t"] }),
      call("list"),
      call("get-weather", { city: "Bonn" }),
    ];
    const samples = [dialect.renderAssistant(assistant(content), NOW), ...(UNRENDERED[id] ?? [])];
    for (const sample of samples) {
      const whole = hear(dialect, [sample]);
      expect(executableCalls(whole)).toHaveLength(3);
      expect(hear(dialect, sample.split(""))).toEqual(whole);
      for (let at = 1; at < sample.length; at++) {
        expect(hear(dialect, [sample.slice(0, at), sample.slice(at)])).toEqual(whole);
      }
    }
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
