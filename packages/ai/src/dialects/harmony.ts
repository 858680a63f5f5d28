// Harmony, the format of gpt-oss: a reply is a row of messages, each with a header (role,
// channel, recipient) and a body. Reasoning is the analysis channel, a call is a message
// with a recipient. Arguments are JSON, so every call can be told; marker tokens in texts
// that have to stand inside a message are defused.

import type { Dialect } from "./dialect.ts";
import { renderFunctionTypes } from "./harmony-types.ts";
import { defuse, DEFUSED_NOTE, defuseJson, renderReply, resultText } from "./render.ts";
import type { Step } from "./scan/input.ts";
import { readJsonCall } from "./scan/json-call.ts";
import { Markers } from "./scan/markers.ts";
import { createScanner, defineGrammar, turnEnd, type Opener, type Scan } from "./scan/scanner.ts";

const START = "<|start|>";
const CHANNEL = "<|channel|>";
const MESSAGE = "<|message|>";
const END = "<|end|>";
const CALL = "<|call|>";
const RETURN = "<|return|>";
const NAMESPACE = "functions.";

const RESERVED =
  /<\|(?:start|end|message|channel|constrain|return|call|refusal|startoftext|endoftext)\|>/g;

/** What may stand between two tokens of a header, and such a token when it breaks off. */
const HEADER = /^[\w\s.=-]*(?:<\|(?:channel|constrain)\|>[\w\s.=-]*)*(?:<\|?[a-z]*\|?)?$/;
const RECIPIENT = /\bto=([\w.-]+)/;
/** The prompt may end right behind the role, where the recipient can stand too. */
const OPENING_RECIPIENT = /^\s*to=[\w.-]+\s*(?=<\|)/;
const OPENING_SO_FAR = /^\s*(?:t|to|to=[\w.-]*\s*<?)?$/;

const BODY_ENDS = new Markers([END, RETURN, CALL, START]);
const CALL_END = { closers: [CALL, END, RETURN], successors: [START, CHANNEL] };

interface Header {
  role: string;
  channel: string;
  recipient: string | undefined;
}

const readMessage: Opener = function* (scan, marker) {
  const { input, out } = scan;
  const text = yield* input.before(MESSAGE, HEADER);
  const header = text === undefined ? undefined : parseHeader(marker + text);
  if (text === undefined || !header) return false;
  if (header.role !== "assistant") {
    // Behind a call, a message of anybody else is the model's imagination.
    if (out.callCount === 0) return false;
    out.seam();
    yield* input.drain();
    return true;
  }
  input.skip(text.length + MESSAGE.length);
  yield* readBody(scan, header);
  return true;
};

function* readBody(scan: Scan, { channel, recipient }: Header): Step {
  const { input, out } = scan;
  if (recipient !== undefined && recipient !== "assistant") {
    const name = recipient.startsWith(NAMESPACE) ? recipient.slice(NAMESPACE.length) : recipient;
    yield* readJsonCall(scan, { name }, CALL_END);
    return;
  }
  out.seam();
  const end = yield* input.passUntil(BODY_ENDS, channel === "analysis" ? out.thinking : out.text);
  // A message that forgot its end is ended by the next one.
  if (end === START) input.unread(START);
  out.seam();
}

function parseHeader(text: string): Header | undefined {
  const role = text.startsWith(START) ? /^\s*([\w.-]+)/.exec(text.slice(START.length))?.[1] : "";
  const channel = /<\|channel\|>\s*(\w+)/.exec(text)?.[1] ?? "";
  const recipient = RECIPIENT.exec(text)?.[1];
  if (role === undefined || (role === "" && channel === "")) return undefined;
  return { role: role || "assistant", channel, recipient };
}

function* readOpeningRecipient(scan: Scan): Step {
  const { input } = scan;
  const opening = yield* input.match(OPENING_RECIPIENT, OPENING_SO_FAR);
  if (!opening) return;
  const text = yield* input.before(MESSAGE, HEADER);
  const header = text === undefined ? undefined : parseHeader(`${START}assistant ${text}`);
  if (text === undefined || !header) return;
  input.skip(text.length + MESSAGE.length);
  yield* readBody(scan, header);
}

const grammar = defineGrammar(
  {
    [START]: readMessage,
    [CHANNEL]: readMessage,
    [END]: turnEnd,
    [RETURN]: turnEnd,
    [CALL]: turnEnd,
  },
  { thinkingEnd: END, begin: readOpeningRecipient },
);

export const harmony: Dialect = {
  id: "harmony",
  stopSequences: [CALL, RETURN],

  renderTools: (tools) => `# Tools

## functions

${renderFunctionTypes(tools)}

To call a function, write a message on the commentary channel whose recipient is the function and whose body is its arguments as one JSON object:
${START}assistant${CHANNEL}commentary to=${NAMESPACE}function_name${MESSAGE}{"argument_name": "value"}${CALL}

The result comes back as a message of that function. Stop after your calls and wait for it. ${DEFUSED_NOTE}`,

  renderAssistant(message, { isSinceAnswer }) {
    const isCalling = message.content.some((block) => block.type === "toolCall");
    const plain = { calls: () => "" };
    // The server's own template makes a final message of a plain text.
    if (!isCalling) return renderReply(message, plain, "");
    return renderReply(
      message,
      {
        thinking: isSinceAnswer ? (text) => renderMessage("analysis", text) : undefined,
        text: (text) => renderMessage("commentary", text),
        calls: (calls) =>
          calls
            .map(({ name, arguments: args }) => {
              const header = `${START}assistant${CHANNEL}commentary to=${NAMESPACE}${name}`;
              return header + MESSAGE + defuseJson(JSON.stringify(args), RESERVED) + CALL;
            })
            .join(""),
      },
      "",
    );
  },

  renderResults: (results) =>
    results
      .map(({ message }) => {
        const header = `${START}${NAMESPACE}${message.toolName} to=assistant${CHANNEL}commentary`;
        return header + MESSAGE + defuse(resultText(message), RESERVED) + END;
      })
      .join(""),

  createScanner: (tools, sink, options) => createScanner(grammar, tools, sink, options),
};

function renderMessage(channel: string, text: string): string {
  return `${START}assistant${CHANNEL}${channel}${MESSAGE}${defuse(text, RESERVED)}${END}`;
}
