// GLM 4.5 and 4.6, and 4.7, which leaves the line breaks out: a name and pairs of key and
// value elements between tags. Strings stand there without quotes, so their type is the
// schema's to say, and there is no escape: a string in which `</arg_value>` is followed by
// the next tag of a call cannot be told. It is rendered defused; JSON values lose nothing.

import type { ToolCallBlock } from "../message.ts";
import type { ToolSpec } from "../request.ts";
import type { Dialect } from "./dialect.ts";
import { encodeValue, parameterSchema } from "./parameter-value.ts";
import {
  anyOf,
  defuse,
  DEFUSED_NOTE,
  defuseJson,
  renderReply,
  resultText,
  toolJson,
} from "./render.ts";
import { Markers } from "./scan/markers.ts";
import {
  createScanner,
  defineGrammar,
  inventedResult,
  strayThinkingEnd,
  thinking,
  turnEnd,
  type Opener,
} from "./scan/scanner.ts";
import { readTaggedValue } from "./scan/tagged-value.ts";

const CALL = "<tool_call>";
const CALL_END = "</tool_call>";
const KEY = "<arg_key>";
const KEY_END = "</arg_key>";
const VALUE = "<arg_value>";
const VALUE_END = "</arg_value>";
const RESPONSE = "<tool_response>";
const RESPONSE_END = "</tool_response>";
const THINK = "<think>";
const THINK_END = "</think>";
const TURN_TOKENS = ["<|system|>", "<|user|>", "<|assistant|>", "<|observation|>", "<|endoftext|>"];

const NAME = /^\s*([\w.-]+)\s*(?=<arg_key>|<\/tool_call>)/;
const NAME_SO_FAR = /^\s*[\w.-]*\s*(?:(?<=[\w.-]\s*)<[\w/]*)?$/;
const WITH_KEY = /^\s*[\w.-]+\s*<arg_key>/;
const KEY_TEXT = /^[^]*$/;

const VALUE_ENDS = new Markers([VALUE_END]);
const CALL_ENDS = new Markers([CALL_END]);

const RESERVED = anyOf([CALL, CALL_END, RESPONSE, RESPONSE_END, ...TURN_TOKENS]);
const KEY_ENDS = anyOf([KEY_END]);
const THINK_ENDS = anyOf([THINK_END]);
/** Where a value would seem to end. */
const FALSE_ENDS = anyOf([VALUE_END], `(?=\\s*(?:${KEY}|${CALL_END}))`);

const readCall: Opener = function* (scan) {
  const { input, out, tools } = scan;
  const header = yield* input.match(NAME, NAME_SO_FAR);
  if (!header) return false;
  const name = header[1]!;
  // A bare word between the tags is a call without arguments, or somebody's example.
  if (!tools.has(name) && !(yield* input.match(WITH_KEY, NAME_SO_FAR))) return false;
  input.skip(header[0].length);
  const call = out.call(name);
  let tag = yield* input.accept([KEY, CALL_END]);
  while (tag === KEY) {
    const key = yield* input.before(KEY_END, KEY_TEXT);
    if (key === undefined) break;
    input.skip(key.length + KEY_END.length);
    if ((yield* input.accept([VALUE])) === undefined) break;
    tag = yield* readTaggedValue(scan, call, {
      key,
      schema: parameterSchema(tools.get(name), key),
      closers: VALUE_ENDS,
      followers: [KEY, CALL_END],
    });
  }
  if (tag === CALL_END) {
    call.settle();
    return true;
  }
  yield* input.passUntil(CALL_ENDS, call.json);
  call.abandon();
  return true;
};

const grammar = defineGrammar(
  {
    [CALL]: readCall,
    [THINK]: thinking(THINK_END),
    [THINK_END]: strayThinkingEnd,
    [RESPONSE]: inventedResult,
    "<|observation|>": turnEnd,
    "<|user|>": turnEnd,
    "<|endoftext|>": turnEnd,
  },
  { thinkingEnd: THINK_END },
);

export const glm: Dialect = {
  id: "glm",

  renderTools: (tools) => `# Tools

These functions are available, one JSON schema a line:
<tools>
${tools.map(toolJson).join("\n")}
</tools>

To call a function, write its name and arguments in this form, once for each call:
${CALL}{function-name}
${KEY}{first-key}${KEY_END}
${VALUE}{first-value}${VALUE_END}
${KEY}{second-key}${KEY_END}
${VALUE}{second-value}${VALUE_END}
${CALL_END}

Write strings as they are, without quotes, and everything else as JSON. The results come back between ${RESPONSE} tags, in the order of the calls. Stop after your calls and wait for them. ${DEFUSED_NOTE}`,

  renderAssistant(message, { isSinceUser, tools }) {
    const isThought = message.content.some(
      (block) => block.type === "thinking" && block.text.trim() !== "",
    );
    const reply = renderReply(
      message,
      {
        thinking: isSinceUser
          ? (text) => `${THINK}${defuse(text, THINK_ENDS)}${THINK_END}`
          : undefined,
        calls: (calls) => calls.map((call) => renderCall(call, tools)).join("\n"),
      },
      "\n",
    );
    // The model is used to an empty thought where there is none.
    return reply === "" || (isSinceUser && isThought) ? reply : `${THINK}${THINK_END}\n${reply}`;
  },

  renderResults: (results) =>
    results
      .map(({ message }) => defuse(resultText(message), RESERVED))
      .map((text) => `${RESPONSE}\n${text}\n${RESPONSE_END}`)
      .join("\n"),

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function renderCall({ name, arguments: args }: ToolCallBlock, tools: readonly ToolSpec[]): string {
  const tool = tools.find((one) => one.name === name);
  const lines = [`${CALL}${name}`];
  for (const [key, value] of Object.entries(args)) {
    const { text, isJson } = encodeValue(value, parameterSchema(tool, key));
    const safe = isJson ? defuseJson(text, FALSE_ENDS) : defuse(text, FALSE_ENDS);
    lines.push(`${KEY}${defuse(key, KEY_ENDS)}${KEY_END}`, `${VALUE}${safe}${VALUE_END}`);
  }
  return [...lines, CALL_END].join("\n");
}
