// Hosted Gemini and Gemma 3: calls as Python source in a fenced block. No token is special
// here, so fences are all there is. Python's escapes tell every value, and `**{…}` every
// key. A fence inside a string is data; outputs get a fence longer than any they contain.
// The block for reasoning is ours: the convention has none.

import type { ToolCallBlock } from "../message.ts";
import type { Dialect } from "./dialect.ts";
import { guessCallee, parsePythonCalls } from "./python-calls.ts";
import { renderPythonLiteral } from "./python-literal.ts";
import { renderReply, resultText, toolJson } from "./render.ts";
import { readPythonBody } from "./scan/python-body.ts";
import {
  createScanner,
  defineGrammar,
  inventedResult,
  thinking,
  type Opener,
} from "./scan/scanner.ts";

const FENCE = "```";
const CODE = `${FENCE}tool_code`;
const OUTPUTS = `${FENCE}tool_outputs`;
const THINKING = `${FENCE}thinking`;

const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** Words that Python would not take as a keyword argument. */
const RESERVED_WORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** A body that may still become a call. */
const MAY_CALL = /^[\s\w=.[(-]*$/;

const readCode: Opener = function* ({ input, out, tools }) {
  if (!(yield* input.match(/^[ \t]*\r?\n/, /^[ \t]*\r?$/))) return false;
  const { text, isClosed } = yield* readPythonBody(input);
  const isComplete = isClosed || input.ending === "stop";
  const calls = (isComplete && parsePythonCalls(text, tools)) || [];
  for (const { name, arguments: args } of calls) {
    const call = out.call(name);
    call.json(JSON.stringify(args));
    call.end();
  }
  if (calls.length > 0) return true;
  const callee = guessCallee(text, tools);
  if (callee === undefined) {
    // Some other program that the model shows, unless it broke off before it called anything.
    if (input.ending !== "cut" || !MAY_CALL.test(text))
      out.text(CODE + text + (isClosed ? FENCE : ""));
    return true;
  }
  const call = out.call(callee);
  call.json(text);
  call.abandon();
  return true;
};

const grammar = defineGrammar(
  {
    [CODE]: readCode,
    [THINKING]: thinking(`\n${FENCE}`),
    [OUTPUTS]: inventedResult,
  },
  { thinkingEnd: `\n${FENCE}` },
);

export const gemini: Dialect = {
  id: "gemini",

  renderTools: (tools) => `# Tools

These functions of the module \`default_api\` are available, one JSON schema a line:
${tools.map(toolJson).join("\n")}

To call functions, write a block of Python like this, with one statement for each call, keyword arguments and literal values only:
${CODE}
print(default_api.function_name(argument_name="value"))
${FENCE}

The results come back in \`tool_outputs\` blocks, in the order of the calls. Stop after your block and wait for them. Reasoning, if any, goes into a block of its own:
${THINKING}
...
${FENCE}`,

  renderAssistant: (message, { isSinceUser }) =>
    renderReply(
      message,
      {
        thinking: isSinceUser
          ? (text) => `${THINKING}\n${text.replace(/^```/gm, "~~~")}\n${FENCE}`
          : undefined,
        calls: (calls) => `${CODE}\n${calls.map(renderCall).join("\n")}\n${FENCE}`,
      },
      "\n",
    ),

  renderResults: (results) =>
    results
      .map(({ message }) => {
        const text = resultText(message);
        const fence = fenceAround(text);
        return `${fence}tool_outputs\n${text}\n${fence}`;
      })
      .join("\n"),

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function fenceAround(text: string): string {
  let longest = FENCE.length - 1;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

function renderCall({ name, arguments: args }: ToolCallBlock): string {
  const parts: string[] = [];
  const others: [string, unknown][] = [];
  for (const [key, value] of Object.entries(args)) {
    if (IDENTIFIER.test(key) && !RESERVED_WORDS.has(key)) {
      parts.push(`${key}=${renderPythonLiteral(value)}`);
    } else others.push([key, value]);
  }
  if (others.length > 0) parts.push(`**${renderPythonLiteral(Object.fromEntries(others))}`);
  // Inside a literal, an escaped backquote is the same backquote.
  const source = parts.join(", ").replaceAll(FENCE, "\\x60\\x60\\x60");
  return `print(default_api.${name}(${source}))`;
}
