// Kimi K2: a section of calls, each with an id of the form `functions.NAME:INDEX` and JSON
// arguments. The index counts within one turn only, so ids repeat in a session; results
// name the id and are told in order, and ours are minted. JSON tells every call.

import type { ToolCallBlock } from "../message.ts";
import type { Dialect } from "./dialect.ts";
import {
  anyOf,
  defuse,
  DEFUSED_NOTE,
  defuseJson,
  renderReply,
  resultText,
  toolJson,
} from "./render.ts";
import { readJsonCall } from "./scan/json-call.ts";
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

const SECTION = "<|tool_calls_section_begin|>";
const SECTION_END = "<|tool_calls_section_end|>";
const CALL = "<|tool_call_begin|>";
const ARGUMENTS = "<|tool_call_argument_begin|>";
const CALL_END = "<|tool_call_end|>";
const THINK = "<think>";
const THINK_END = "</think>";
const RETURN = "## Return of ";

/** Every token of the tokenizer that could begin or end something. */
const RESERVED = /<\|(?:im|tool|media)_\w{1,40}\|>/g;
const THINK_ENDS = anyOf([THINK_END]);
/** A line in an output that would pass for the next result. */
const FALSE_RETURN = /^(?=## Return of )/gm;

const CALL_ID = /^\s*[\w.-]*(?::\d*)?\s*$/;

const readCall: Opener = function* (scan) {
  const { input } = scan;
  const header = yield* input.before(ARGUMENTS, CALL_ID);
  const id = header?.trim();
  const name = id === undefined ? undefined : nameOf(id);
  if (header === undefined || id === undefined || !name) return false;
  input.skip(header.length + ARGUMENTS.length);
  yield* readJsonCall(scan, { name, id }, { closers: [CALL_END], successors: [CALL, SECTION_END] });
  return true;
};

/** The last part before the index: the prefix is not always `functions`. */
function nameOf(id: string): string {
  const path = id.split(":")[0]!;
  return path.slice(path.lastIndexOf(".") + 1);
}

const grammar = defineGrammar(
  {
    [SECTION]: section([CALL]),
    [SECTION_END]: sectionEnd,
    [CALL]: readCall,
    [THINK]: thinking(THINK_END),
    [THINK_END]: strayThinkingEnd,
    "<|im_system|>": inventedResult,
    "<|im_end|>": turnEnd,
  },
  { thinkingEnd: THINK_END },
);

export const kimiK2: Dialect = {
  id: "kimi-k2",

  renderTools: (tools) => `# Tools

These functions are available, as a JSON array:
[${tools.map(toolJson).join(",")}]

To call functions, write one section with a part for each call, numbered from 0:
${SECTION}${CALL}functions.function-name:0${ARGUMENTS}{"argument-name": "value"}${CALL_END}${SECTION_END}

Each result comes back under a line \`${RETURN}\` and the id of its call. Stop after the section and wait for them. ${DEFUSED_NOTE}`,

  renderAssistant: (message, { isSinceAnswer }) =>
    renderReply(
      message,
      {
        thinking: isSinceAnswer
          ? (text) => `${THINK}${defuse(text, THINK_ENDS)}${THINK_END}`
          : undefined,
        calls: (calls, first) =>
          SECTION + calls.map((call, at) => renderCall(call, first + at)).join("") + SECTION_END,
      },
      "",
    ),

  renderResults: (results) =>
    results
      .map(({ message, callIndex }) => {
        const text = defuse(resultText(message), RESERVED).replace(FALSE_RETURN, "\\");
        return `${RETURN}${idOf(message.toolName, callIndex)}\n${text}`;
      })
      .join("\n"),

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function idOf(name: string, index: number): string {
  return `functions.${name}:${index}`;
}

function renderCall({ name, arguments: args }: ToolCallBlock, index: number): string {
  return (
    CALL + idOf(name, index) + ARGUMENTS + defuseJson(JSON.stringify(args), RESERVED) + CALL_END
  );
}
