// Gemma 4: calls between asymmetric tokens, values in a brace syntax of its own in which
// even the quote is a token. A string that contains that token cannot be told and is
// rendered defused. Keys that are not words are written as strings, which the grammar
// reads back.

import type { ToolCallBlock } from "../message.ts";
import type { ToolSpec } from "../request.ts";
import { parseBraceObject, QUOTE, renderBraceSchema, renderBraceValue } from "./brace-value.ts";
import type { Dialect } from "./dialect.ts";
import { anyOf, defuse, DEFUSED_NOTE, renderReply, resultText } from "./render.ts";
import type { Step } from "./scan/input.ts";
import { Markers } from "./scan/markers.ts";
import {
  createScanner,
  defineGrammar,
  inventedResult,
  thinking,
  turnEnd,
  type Opener,
  type Scan,
} from "./scan/scanner.ts";

const CALL = "<|tool_call>";
const CALL_END = "<tool_call|>";
const RESPONSE = "<|tool_response>";
const RESPONSE_END = "<tool_response|>";
const THOUGHT = "<|channel>thought";
const THOUGHT_END = "<channel|>";
const TOKENS = ["tool_call", "tool_response", "tool", "channel", "turn"].flatMap((name) => [
  `<|${name}>`,
  `<${name}|>`,
]);

const RESERVED = anyOf([...TOKENS, "<|think|>", "<bos>", "<eos>"]);
const THOUGHT_ENDS = anyOf([THOUGHT_END]);

const CALLEE = /^\s*call:\s*([\w.-]+)\s*(?=\{)/;
const CALLEE_SO_FAR = /^\s*(?:c|ca|cal|call|call:\s*[\w.-]*\s*)?$/;
const OUTSIDE = new Markers([QUOTE, CALL_END]);
const INSIDE = new Markers([QUOTE]);

const readCall: Opener = function* (scan) {
  const { input, out } = scan;
  const header = yield* input.match(CALLEE, CALLEE_SO_FAR);
  if (!header) return false;
  input.skip(header[0].length);
  const call = out.call(header[1]!);
  const body = yield* readBody(scan);
  const args = body.isClosed ? parseBraceObject(body.text) : undefined;
  if (args) {
    call.json(JSON.stringify(args));
    call.end();
  } else {
    call.json(body.text);
    call.abandon();
  }
  return true;
};

/** The text up to the closer; inside a string, a closer is data. */
function* readBody({ input }: Scan): Step<{ text: string; isClosed: boolean }> {
  let text = "";
  const take = (piece: string): void => void (text += piece);
  let isString = false;
  for (;;) {
    const found = yield* input.passUntil(isString ? INSIDE : OUTSIDE, take);
    if (found === undefined) return { text, isClosed: false };
    if (found === CALL_END) return { text, isClosed: true };
    text += QUOTE;
    isString = !isString;
  }
}

const grammar = defineGrammar(
  {
    [CALL]: readCall,
    [THOUGHT]: thinking(THOUGHT_END),
    [RESPONSE]: inventedResult,
    "<turn|>": turnEnd,
    "<eos>": turnEnd,
  },
  { thinkingEnd: THOUGHT_END },
);

export const gemma: Dialect = {
  id: "gemma",

  renderTools: (tools) => `${tools.map(renderTool).join("\n")}

To call a tool, write a block like this one for each call:
${CALL}call:tool_name{key:${QUOTE}text${QUOTE},count:2}${CALL_END}

Strings stand between ${QUOTE} tokens; numbers, true, false and null are bare; lists and objects nest. The results come back in the order of the calls. Stop after your calls and wait for them. ${DEFUSED_NOTE}`,

  renderAssistant(message, _context) {
    // Between a call and its result the model needs to know why it called.
    const isCalling = message.content.some((block) => block.type === "toolCall");
    return renderReply(
      message,
      {
        thinking: isCalling
          ? (text) => `${THOUGHT}\n${defuse(text, THOUGHT_ENDS)}\n${THOUGHT_END}`
          : undefined,
        calls: (calls) => calls.map(renderCall).join(""),
      },
      "\n",
    );
  },

  renderResults: (results) =>
    results
      .map(({ message }) => {
        const output = renderBraceValue({ output: defuse(resultText(message), RESERVED) });
        return `${RESPONSE}response:${message.toolName}${output}${RESPONSE_END}`;
      })
      .join(""),

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function renderTool({ name, description, parameters }: ToolSpec): string {
  return `<|tool>declaration:${name}${renderBraceSchema({ description, parameters })}<tool|>`;
}

function renderCall({ name, arguments: args }: ToolCallBlock): string {
  return `${CALL}call:${name}${renderBraceValue(args)}${CALL_END}`;
}
