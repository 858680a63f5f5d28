// Claude's XML, in the two forms it has had: names as attributes, with or without a
// namespace prefix, and the older one with an element for everything. It is not XML:
// values stand there as they are, so a string in which a parameter's end tag is followed
// by the next tag of a call cannot be told. It is rendered defused; lists and objects are
// JSON and lose nothing.

import type { ToolCallBlock } from "../message.ts";
import type { ToolSpec } from "../request.ts";
import { readLegacyCall } from "./anthropic-legacy.ts";
import type { Dialect } from "./dialect.ts";
import { encodeValue, parameterSchema } from "./parameter-value.ts";
import { anyOf, defuse, DEFUSED_NOTE, defuseJson, renderReply, resultText } from "./render.ts";
import type { Step } from "./scan/input.ts";
import { Markers } from "./scan/markers.ts";
import {
  createScanner,
  defineGrammar,
  inventedResult,
  section,
  sectionEnd,
  thinking,
  type Opener,
  type Scan,
} from "./scan/scanner.ts";
import { readTaggedValue } from "./scan/tagged-value.ts";

/** Current models put this before every tag; it means nothing. */
const PREFIX = "antml:";

/** Both spellings of the beginning of a tag. */
function spellings(start: "<" | "</", rest: string): string[] {
  return [`${start}${rest}`, `${start}${PREFIX}${rest}`];
}

const CALLS = spellings("<", "function_calls>");
const CALLS_END = spellings("</", "function_calls>");
const INVOKE = spellings("<", "invoke");
const INVOKE_END = spellings("</", "invoke>");
const PARAMETER = spellings("<", "parameter");
const PARAMETER_END = spellings("</", "parameter>");
const RESULTS = spellings("<", "function_results>");
const RESULTS_END = spellings("</", "function_results>");

/** Tags that models put around their reasoning. */
const THINKING_TAGS = ["thinking", `${PREFIX}thinking`, "scratchpad"];

const RESERVED = anyOf([
  ...CALLS,
  ...CALLS_END,
  ...INVOKE,
  ...INVOKE_END,
  ...RESULTS,
  ...RESULTS_END,
]);
const RESULT_TAGS = anyOf(["</stdout>", "</result>", "</error>"]);
const THINKING_END = anyOf(["</thinking>"]);
const PARAMETER_ENDS = new Markers(PARAMETER_END);
const CALL_ENDS = new Markers(INVOKE_END);
const FOLLOWERS = [...PARAMETER, ...INVOKE_END];
/** Where a value would seem to end. */
const FALSE_ENDS = anyOf(PARAMETER_END, `(?=\\s*(?:${FOLLOWERS.join("|")}))`);

const NAME_ATTRIBUTE = /^\s+name\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')\s*$/;
const ATTRIBUTE_SO_FAR =
  /^(?:\s*|\s+(?:n|na|nam|name\s*|name\s*=\s*(?:"[^"<>]*"?|'[^'<>]*'?)?\s*))$/;

const readCall: Opener = function* (scan) {
  const { input } = scan;
  const tag = yield* input.before(">", ATTRIBUTE_SO_FAR);
  if (tag === undefined) return false;
  const name = nameIn(tag);
  if (name === undefined) return tag.trim() === "" && (yield* readLegacyCall(scan, CALL_ENDS));
  if (name === "") return false;
  input.skip(tag.length + 1);
  yield* readParameters(scan, name);
  return true;
};

function* readParameters(scan: Scan, name: string): Step {
  const { input, out, tools } = scan;
  const call = out.call(name);
  let tag = yield* input.accept(FOLLOWERS);
  while (tag !== undefined && PARAMETER.includes(tag)) {
    const attribute = yield* input.before(">", ATTRIBUTE_SO_FAR);
    const key = attribute === undefined ? undefined : nameIn(attribute);
    if (attribute === undefined || key === undefined) {
      tag = undefined;
      break;
    }
    input.skip(attribute.length + 1);
    tag = yield* readTaggedValue(scan, call, {
      key,
      schema: parameterSchema(tools.get(name), key),
      closers: PARAMETER_ENDS,
      followers: FOLLOWERS,
    });
  }
  if (tag !== undefined) {
    call.settle();
    return;
  }
  yield* input.passUntil(CALL_ENDS, call.json);
  call.abandon();
}

const grammar = defineGrammar(
  Object.fromEntries<Opener>([
    ...CALLS.map((tag) => [tag, section(INVOKE)] as const),
    ...CALLS_END.map((tag) => [tag, sectionEnd] as const),
    ...INVOKE.map((tag) => [tag, readCall] as const),
    ...RESULTS.map((tag) => [tag, inventedResult] as const),
    ...THINKING_TAGS.map((name) => [`<${name}>`, thinking(`</${name}>`)] as const),
  ]),
  { thinkingEnd: "</thinking>" },
);

export const anthropic: Dialect = {
  id: "anthropic",
  stopSequences: [CALLS_END[0]!],

  renderTools: (tools) => `# Tools

These functions are available, one JSON schema a line:
<functions>
${tools.map((tool) => `<function>${JSON.stringify(tool)}</function>`).join("\n")}
</functions>

To call functions, write a block like this, with one invoke element for each call:
<function_calls>
<invoke name="function-name">
<parameter name="parameter-name">value</parameter>
</invoke>
</function_calls>

Write strings and scalars as they are, without quotes or escapes, and lists and objects as JSON. The results come back in a function_results block, in the order of the calls. Stop after your block and wait for them. Reasoning, if any, goes between <thinking> tags. ${DEFUSED_NOTE}`,

  renderAssistant: (message, { isSinceUser, tools }) =>
    renderReply(
      message,
      {
        thinking: isSinceUser
          ? (text) => `<thinking>\n${defuse(text, THINKING_END)}\n</thinking>`
          : undefined,
        calls: (calls) => {
          const invokes = calls.map((call) => renderCall(call, tools));
          return ["<function_calls>", ...invokes, "</function_calls>"].join("\n");
        },
      },
      "\n",
    ),

  renderResults(results) {
    const parts = results.map(({ message }) => {
      const text = defuse(
        defuse(resultText({ ...message, isError: false }), RESERVED),
        RESULT_TAGS,
      );
      if (message.isError) return `<error>\n${text}\n</error>`;
      const name = `<tool_name>${message.toolName}</tool_name>`;
      return `<result>\n${name}\n<stdout>\n${text}\n</stdout>\n</result>`;
    });
    return ["<function_results>", ...parts, "</function_results>"].join("\n");
  },

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function renderCall({ name, arguments: args }: ToolCallBlock, tools: readonly ToolSpec[]): string {
  const tool = tools.find((one) => one.name === name);
  const lines = [`<invoke name="${escapeAttribute(name)}">`];
  for (const [key, value] of Object.entries(args)) {
    const { text, isJson } = encodeValue(value, parameterSchema(tool, key));
    const safe = isJson ? defuseJson(text, FALSE_ENDS) : defuse(text, FALSE_ENDS);
    lines.push(`<parameter name="${escapeAttribute(key)}">${safe}</parameter>`);
  }
  return [...lines, "</invoke>"].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Attributes, unlike values, are escaped: a name is never a piece of a program. */
function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char]!);
}

function nameIn(tag: string): string | undefined {
  const found = NAME_ATTRIBUTE.exec(tag);
  const name = found?.[1] ?? found?.[2];
  return name?.replace(/&(?:amp|lt|gt|quot);/g, (entity) => {
    return Object.keys(ENTITIES).find((char) => ENTITIES[char] === entity)!;
  });
}
