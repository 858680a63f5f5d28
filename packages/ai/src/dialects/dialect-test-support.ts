// What the dialects' tests share: a tool with a parameter of every kind, a reply told in
// pieces and read back, and random replies for the laws.

import fc from "fast-check";
import { modelFailure } from "../error.ts";
import type { AssistantBlock, AssistantMessage } from "../message.ts";
import { FREE, type Model } from "../model.ts";
import { ReplyAssembler } from "../reply-assembler.ts";
import type { ToolSpec } from "../request.ts";
import { emptyUsage } from "../usage.ts";
import type { Dialect, RenderContext, ScannerOptions } from "./dialect.ts";
import { hearDialect } from "./hear-dialect.ts";
import type { Ending } from "./scan/input.ts";

export const TOOLS: readonly ToolSpec[] = [
  {
    name: "write_file",
    description: "Writes a file.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Where to." },
        content: { type: "string" },
        mode: { type: "integer", default: 420 },
        append: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
        options: { type: "object", properties: { deep: { type: "boolean" } } },
        note: { type: ["string", "null"] },
        value: { anyOf: [{ type: "string" }, { type: "number" }] },
        format: { enum: ["plain", "json"] },
      },
      required: ["path"],
    },
  },
  { name: "list", description: "Lists things.", parameters: { type: "object", properties: {} } },
  {
    name: "get-weather",
    description: "Says how the weather is.\nIn one city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];

export const MODEL = {
  provider: "local",
  id: "model-1",
  name: "model-1",
  wire: "openai-completions",
  baseUrl: "http://127.0.0.1:1",
  auth: "none",
  contextWindow: 100_000,
  maxOutput: 4096,
  input: ["text"],
  cost: FREE,
} as const satisfies Model;

export const NOW: RenderContext = { tools: TOOLS, isSinceUser: true, isSinceAnswer: true };

const ORIGIN = { provider: "local", model: "model-1", wire: "openai-completions" } as const;

export function assistant(content: AssistantBlock[]): AssistantMessage {
  const isCalling = content.some((block) => block.type === "toolCall");
  return {
    role: "assistant",
    content,
    ...ORIGIN,
    stopReason: isCalling ? "toolUse" : "stop",
    usage: emptyUsage(),
    timestamp: 0,
  };
}

export function call(name: string, args: Record<string, unknown> = {}, id = ""): AssistantBlock {
  return { type: "toolCall", id, name, arguments: args };
}

/** Hears a text that arrives in the given pieces; ids are counted. */
export function hear(
  dialect: Dialect,
  pieces: Iterable<string>,
  ending: Ending = "stop",
  options: ScannerOptions = {},
): AssistantMessage {
  let ids = 0;
  const out = new ReplyAssembler(ORIGIN, () => undefined, 0);
  const listen = hearDialect(dialect, TOOLS, out, { ...options, mintId: () => `call_${++ids}` });
  const inner = new ReplyAssembler(ORIGIN, listen, 0);
  const text = inner.openText();
  for (const piece of pieces) text.append(piece);
  text.close();
  if (ending === "stop") inner.finish("stop");
  else inner.fail(modelFailure("network", "gone"));
  return out.message;
}

/** The same without ids, for comparing. */
export function contentOf(message: AssistantMessage): AssistantBlock[] {
  return message.content.map((block) => (block.type === "toolCall" ? { ...block, id: "" } : block));
}

export function heard(dialect: Dialect, text: string, ending: Ending = "stop"): AssistantBlock[] {
  return contentOf(hear(dialect, [text], ending));
}

export function executableCalls(message: AssistantMessage): AssistantBlock[] {
  return contentOf(message).filter(
    (block) => block.type === "toolCall" && block.malformed === undefined,
  );
}

/** Cuts a text at places that are counted from its start, modulo its length. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  const ends = [...at, text.length];
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** Markers of all dialects, whole and broken: what texts and values are salted with. */
export const SALT: readonly string[] = [
  ..."<tool_call> </tool_call> <arg_key> </arg_key> <arg_value> </arg_value>".split(" "),
  ..."<think> </think> <thinking> </thinking> <tool_response> </tool_response>".split(" "),
  ..."<function_calls> </function_calls> </invoke> </parameter> <function_results>".split(" "),
  ..."<|start|> <|channel|> <|message|> <|end|> <|call|> <|return|>".split(" "),
  ..."<|tool_calls_section_begin|> <|tool_call_begin|> <|tool_call_end|> <|im_end|>".split(" "),
  ..."<|tool_call_argument_begin|> <|tool_calls_section_end|> <|im_system|>".split(" "),
  ...'<|tool_call> <tool_call|> <|"|> <|channel>thought <channel|> <|tool_response>'.split(" "),
  ..."``` ```tool_code ```tool_outputs ```thinking ```json print( ''' \"\"\"".split(" "),
  "<\uFF5Ctool\u2581calls\u2581begin\uFF5C>",
  "<\uFF5Ctool\u2581call\u2581begin\uFF5C>",
  "<\uFF5Ctool\u2581sep\uFF5C>",
  "<\uFF5Ctool\u2581call\u2581end\uFF5C>",
  "<\uFF5Ctool\u2581calls\u2581end\uFF5C>",
  '<invoke name="list">',
  '<parameter name="path">',
  "<invoke>",
  "<tool_name>list</tool_name>",
  "<function=list>",
  "list",
  "functions.list:0",
  "call:list{",
  "function",
  "assistant",
  "analysis",
  // Spelt so that this file is no harmony leak.
  `commentary to=${"functions"}.list`,
  '{"name": "list", "arguments": {',
  '{"name"',
  "}}",
  "<",
  "<tool",
  "\\",
  '"',
  "\n",
  " ",
  "#",
];

export function arbitraryNastyText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(...SALT),
    fc.string({ unit: "grapheme", maxLength: 10 }),
    fc.string({ unit: "binary", maxLength: 10 }),
    fc.constantFrom("\r\n", "'", "a,b", "f(x)", "null", "True", "42", "é", "\u{1f600}", "\ud83d"),
  );
  return fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
}

/** Arguments that fit the schema of `write_file`, with parameters nobody declared. */
export function arbitraryArguments(): fc.Arbitrary<Record<string, unknown>> {
  const text = arbitraryNastyText();
  const json = fc
    .jsonValue({ maxDepth: 2 })
    .map((value): unknown => JSON.parse(JSON.stringify(value)));
  const known = fc.record(
    {
      path: text,
      content: text,
      mode: fc.integer(),
      append: fc.boolean(),
      tags: fc.array(text, { maxLength: 3 }),
      options: fc.dictionary(text, fc.oneof(text, json), { maxKeys: 3 }),
      note: fc.option(text, { nil: null }),
      value: fc.oneof(text, fc.integer()),
      format: fc.constantFrom("plain", "json"),
    },
    { requiredKeys: [] },
  );
  const unknown = fc.dictionary(
    fc.oneof(fc.constantFrom("class", "my-key", "a b", "", 'q"<>&', "__proto__"), text),
    fc.oneof(text, json),
    { maxKeys: 2 },
  );
  // One trip through JSON, as every call makes it: it gives -0 and odd prototypes up.
  return fc
    .tuple(known, unknown)
    .map(([a, b]) => JSON.parse(JSON.stringify({ ...b, ...a })) as Record<string, unknown>);
}

/** Text that no grammar stumbles over, and that begins and ends with a letter. */
export function arbitraryPlainText(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom("word", "a < b", "x\n\ny", "`code`", "é\u{1f600}", "<b>", "|", ". "), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => `A${parts.join(" ")}Z`);
}

/** A reply as models make them: reasoning first, then text and calls in any order. */
export function arbitraryReply(): fc.Arbitrary<AssistantBlock[]> {
  const text = arbitraryPlainText();
  const calls = fc
    .tuple(fc.constantFrom("write_file", "list", "get-weather"), arbitraryArguments(), text)
    .map(([name, args, city]) => {
      if (name === "write_file") return call(name, args);
      return call(name, name === "list" ? {} : { city });
    });
  const told = text.map((value): AssistantBlock => ({ type: "text", text: value }));
  return fc
    .tuple(fc.option(text), fc.array(fc.oneof(calls, calls, told), { minLength: 1, maxLength: 4 }))
    .map(([thought, blocks]) => {
      const first: AssistantBlock[] = thought === null ? [] : [{ type: "thinking", text: thought }];
      // Neighbouring texts are one text to whoever reads them back.
      return [...first, ...blocks].filter(
        (block, at, all) => block.type !== "text" || all[at - 1]?.type !== "text",
      );
    });
}
