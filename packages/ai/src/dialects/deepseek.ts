// DeepSeek, in two renderings that one grammar reads: V3-0324 and R1 fence the JSON and
// put a type before the name, V3.1 does neither. The markers are built of a fullwidth bar
// and a block character that look like ASCII and are not. Arguments are JSON, so every
// call can be told. Reasoning is never sent back.

import type { ToolCallBlock } from "../message.ts";
import type { ToolSpec } from "../request.ts";
import type { Dialect, DialectId } from "./dialect.ts";
import { defuse, DEFUSED_NOTE, defuseJson, renderReply, resultText } from "./render.ts";
import { readJsonCall, type JsonCallEnd } from "./scan/json-call.ts";
import {
  createScanner,
  defineGrammar,
  inventedResult,
  section,
  sectionEnd,
  strayThinkingEnd,
  thinking,
  turnEnd,
  type Opener,
} from "./scan/scanner.ts";

const BAR = "\uFF5C";
const GAP = "\u2581";

function marker(...words: string[]): string {
  return `<${BAR}${words.join(GAP)}${BAR}>`;
}

const CALLS = marker("tool", "calls", "begin");
const CALLS_END = marker("tool", "calls", "end");
const CALL = marker("tool", "call", "begin");
const CALL_END = marker("tool", "call", "end");
const SEPARATOR = marker("tool", "sep");
const OUTPUTS = marker("tool", "outputs", "begin");
const OUTPUTS_END = marker("tool", "outputs", "end");
const OUTPUT = marker("tool", "output", "begin");
const OUTPUT_END = marker("tool", "output", "end");
const END_OF_REPLY = marker("end", "of", "sentence");
const THINK = "<think>";
const THINK_END = "</think>";
const FENCE = "```";

/** Every token of the family has this shape, those of other turns included. */
const RESERVED = /<\uFF5C[\w\u2581]{1,40}\uFF5C>/g;

const NAME = /^\s*[\w.-]*\s*$/;
/** What stands behind the separator in V3: the name, and the fence or the object itself. */
const TYPED_NAME = /^\s*([\w.-]+)\s*(?:```(?:json)?\s*)?(?=\{)/;
const TYPED_NAME_SO_FAR = /^\s*[\w.-]*\s*(?:`{0,3}|```j?s?o?n?\s*)$/;
const PLAIN: JsonCallEnd = { closers: [CALL_END], successors: [CALL, CALLS_END] };
const FENCED: JsonCallEnd = { ...PLAIN, wrapper: FENCE };

const readCall: Opener = function* (scan) {
  const { input } = scan;
  const header = yield* input.before(SEPARATOR, NAME);
  const first = header?.trim();
  if (header === undefined || first === undefined || first === "") return false;
  input.skip(header.length + SEPARATOR.length);
  const typed =
    first === "function" ? yield* input.match(TYPED_NAME, TYPED_NAME_SO_FAR) : undefined;
  if (typed) input.skip(typed[0].length);
  const call = { name: typed?.[1] ?? first };
  yield* readJsonCall(scan, call, typed ? FENCED : PLAIN);
  return true;
};

const grammar = defineGrammar(
  {
    [CALLS]: section([CALL]),
    [CALLS_END]: sectionEnd,
    [CALL]: readCall,
    [THINK]: thinking(THINK_END),
    [THINK_END]: strayThinkingEnd,
    [OUTPUTS]: inventedResult,
    [OUTPUT]: inventedResult,
    [END_OF_REPLY]: turnEnd,
  },
  { thinkingEnd: THINK_END },
);

interface Rendering {
  id: DialectId;
  /** How a call is explained to the model, and how one is written. */
  form: string;
  call: (call: ToolCallBlock) => string;
  betweenCalls: string;
  results: (outputs: readonly string[]) => string;
}

function define({ id, form, call, betweenCalls, results }: Rendering): Dialect {
  return {
    id,
    renderTools: (tools) => `## Tools

These tools are available:

${tools.map(renderTool).join("\n\n")}

To use them, write exactly this, with one part for each call:
${CALLS}${form}${CALLS_END}

The name is one of the above; the arguments are a JSON object that fits its parameters. The results come back in the order of the calls. Stop after your calls and wait for them. ${DEFUSED_NOTE}`,
    renderAssistant: (message) =>
      renderReply(
        message,
        { calls: (calls) => CALLS + calls.map(call).join(betweenCalls) + CALLS_END },
        "",
      ),
    renderResults: (placed) =>
      results(
        placed.map(({ message }) => OUTPUT + defuse(resultText(message), RESERVED) + OUTPUT_END),
      ),
    createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
  };
}

function renderTool({ name, description, parameters }: ToolSpec): string {
  return `### ${name}\nDescription: ${description}\n\nParameters: ${JSON.stringify(parameters)}`;
}

function renderArguments(call: ToolCallBlock): string {
  return defuseJson(JSON.stringify(call.arguments), RESERVED);
}

export const deepseekV3: Dialect = define({
  id: "deepseek-v3",
  form: `${CALL}function${SEPARATOR}tool-name\n${FENCE}json\n{"argument-name": "value"}\n${FENCE}${CALL_END}`,
  call: (call) =>
    `${CALL}function${SEPARATOR}${call.name}\n${FENCE}json\n${renderArguments(call)}\n${FENCE}${CALL_END}`,
  betweenCalls: "\n",
  results: (outputs) => OUTPUTS + outputs.join("\n") + OUTPUTS_END,
});

export const deepseekV31: Dialect = define({
  id: "deepseek-v3.1",
  form: `${CALL}tool-name${SEPARATOR}{"argument-name": "value"}${CALL_END}`,
  call: (call) => CALL + call.name + SEPARATOR + renderArguments(call) + CALL_END,
  betweenCalls: "",
  results: (outputs) => outputs.join(""),
});
