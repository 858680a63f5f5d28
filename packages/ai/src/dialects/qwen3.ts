// Qwen 3 and the Hermes convention it follows: a JSON object with name and arguments
// between tags. Qwen's coder models write tags all the way down; that is understood too.
// JSON can escape anything, so there is no call that this dialect cannot express.

import type { ToolCallBlock } from "../message.ts";
import { asObject, asString, parseObject, type Json } from "../wires/json.ts";
import type { Dialect } from "./dialect.ts";
import { parameterSchema } from "./parameter-value.ts";
import {
  anyOf,
  defuse,
  DEFUSED_NOTE,
  defuseJson,
  renderReply,
  resultText,
  toolJson,
} from "./render.ts";
import type { Step } from "./scan/input.ts";
import { readJsonCall } from "./scan/json-call.ts";
import { Markers } from "./scan/markers.ts";
import {
  createScanner,
  defineGrammar,
  inventedResult,
  strayThinkingEnd,
  thinking,
  turnEnd,
  type Opener,
  type Scan,
} from "./scan/scanner.ts";
import { readTaggedValue } from "./scan/tagged-value.ts";

const CALL = "<tool_call>";
const CALL_END = "</tool_call>";
const RESPONSE = "<tool_response>";
const RESPONSE_END = "</tool_response>";
const THINK = "<think>";
const THINK_END = "</think>";
const FUNCTION = "<function=";
const FUNCTION_END = "</function>";
const FUNCTION_TAG = /^\s*<function=([\w.-]+)>/;
const FUNCTION_TAG_SO_FAR = /^\s*(?:<function=[\w.-]*)?$/;
const PARAMETER = "<parameter=";
const PARAMETER_ENDS = new Markers(["</parameter>"]);
const CALL_ENDS = new Markers([CALL_END]);
const TURN_TOKENS = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"];

const RESERVED = anyOf([CALL, CALL_END, RESPONSE, RESPONSE_END, ...TURN_TOKENS]);
const THINK_ENDS = anyOf([THINK_END]);

/** The usual order of the fields lets the arguments be told while they arrive. */
const ENVELOPE = /^\s*\{\s*"name"\s*:\s*"([^"\\]+)"\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;
const ENVELOPE_SO_FAR = /^\s*(?:\{[^{}[\]]*)?$/;
/** Finds the callee of an envelope that is not JSON. */
const LOOSE_NAME = /"name"\s*:\s*"([^"\\]+)"/;
const TAG_NAME = /^[^<>\n]*$/;

const readCall: Opener = function* (scan) {
  const { input } = scan;
  const form = yield* input.next(["{", FUNCTION]);
  if (form === undefined) return false;
  if (form === FUNCTION) return yield* readTaggedCall(scan);
  const envelope = yield* input.match(ENVELOPE, ENVELOPE_SO_FAR);
  if (!envelope) return yield* readWholeEnvelope(scan);
  input.skip(envelope[0].length);
  yield* readJsonCall(scan, { name: envelope[1]! }, { closers: [CALL_END], wrapper: "}" });
  return true;
};

/** Any other order of fields, or arguments as a string of JSON. */
function* readWholeEnvelope({ input, out }: Scan): Step<boolean> {
  let text = "";
  const isWhole = yield* input.jsonObject([CALL_END], (piece) => void (text += piece));
  const isClosed = (yield* input.accept([CALL_END])) !== undefined;
  const isComplete = isWhole && (isClosed || (input.isAtEnd && input.ending === "stop"));
  const call = isComplete ? parseEnvelope(text) : undefined;
  if (call) {
    const writer = out.call(call.name);
    writer.json(JSON.stringify(call.arguments));
    writer.end();
    return true;
  }
  const name = LOOSE_NAME.exec(text)?.[1];
  if (name === undefined) {
    // Somebody shows what a call looks like, unless it is one whose name never came.
    if (input.ending !== "cut" || isClosed) out.text(CALL + text + (isClosed ? CALL_END : ""));
    return true;
  }
  const writer = out.call(name);
  writer.json(text);
  if (!isClosed) yield* input.passUntil(CALL_ENDS, writer.json);
  writer.abandon();
  return true;
}

function parseEnvelope(text: string): { name: string; arguments: Json } | undefined {
  const envelope = parseObject(text);
  const name = asString(envelope?.name);
  const told = envelope?.arguments ?? envelope?.parameters ?? {};
  const args = typeof told === "string" ? parseObject(told) : asObject(told);
  return name === undefined || args === undefined ? undefined : { name, arguments: args };
}

/** `<function=NAME><parameter=KEY>value</parameter></function>`, as Qwen's coders write it. */
function* readTaggedCall(scan: Scan): Step<boolean> {
  const { input, out, tools } = scan;
  const opening = yield* input.match(FUNCTION_TAG, FUNCTION_TAG_SO_FAR);
  if (!opening) return false;
  input.skip(opening[0].length);
  const name = opening[1]!;
  const call = out.call(name);
  let tag = yield* input.accept([PARAMETER, FUNCTION_END]);
  while (tag === PARAMETER) {
    const key = yield* input.before(">", TAG_NAME);
    if (key === undefined) break;
    input.skip(key.length + 1);
    tag = yield* readTaggedValue(scan, call, {
      key,
      schema: parameterSchema(tools.get(name), key),
      closers: PARAMETER_ENDS,
      followers: [PARAMETER, FUNCTION_END],
      unwrap: (text) => text.replace(/^\n/, "").replace(/\n$/, ""),
    });
  }
  if (tag === FUNCTION_END) {
    yield* input.accept([CALL_END]);
    call.settle();
    return true;
  }
  yield* input.passUntil(CALL_ENDS, call.json);
  call.abandon();
  return true;
}

const grammar = defineGrammar(
  {
    [CALL]: readCall,
    [THINK]: thinking(THINK_END),
    [THINK_END]: strayThinkingEnd,
    [RESPONSE]: inventedResult,
    "<|im_end|>": turnEnd,
    "<|endoftext|>": turnEnd,
  },
  { thinkingEnd: THINK_END },
);

export const qwen3: Dialect = {
  id: "qwen3",

  renderTools: (tools) => `# Tools

These functions are available, one JSON schema a line:
<tools>
${tools.map(toolJson).join("\n")}
</tools>

To call a function, write its name and arguments as one JSON object between these tags, a pair of tags for each call:
${CALL}
{"name": "function-name", "arguments": {"argument-name": "value"}}
${CALL_END}

The results come back between ${RESPONSE} tags, in the order of the calls. Stop after your calls and wait for them. ${DEFUSED_NOTE}`,

  renderAssistant: (message, { isSinceUser }) =>
    renderReply(
      message,
      {
        thinking: isSinceUser
          ? (text) => `${THINK}\n${defuse(text, THINK_ENDS)}\n${THINK_END}\n`
          : undefined,
        calls: (calls) => calls.map(renderCall).join("\n"),
      },
      "\n",
    ),

  renderResults: (results) =>
    results
      .map(({ message }) => defuse(resultText(message), RESERVED))
      .map((text) => `${RESPONSE}\n${text}\n${RESPONSE_END}`)
      .join("\n"),

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function renderCall({ name, arguments: args }: ToolCallBlock): string {
  const json = defuseJson(
    `{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(args)}}`,
    RESERVED,
  );
  return `${CALL}\n${json}\n${CALL_END}`;
}
