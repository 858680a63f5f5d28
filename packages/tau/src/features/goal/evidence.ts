// What the judge sees of the work: the last calls with what came of them, and the last words. Bounded, so
// that a verdict costs little however long the work was.

import { textOf, toolCallsOf, type Message, type ToolResultMessage } from "@tau/ai/message";

/** A verdict rests on what was done last. */
const MAX_CALLS = 40;
const MAX_ARGUMENT_CHARS = 300;
/** The end of an output says how it went. */
const MAX_RESULT_CHARS = 600;
const MAX_WORDS_CHARS = 4000;

export function evidenceIn(messages: readonly Message[]): string {
  const results = new Map(
    messages.flatMap((one) => (one.role === "toolResult" ? [[one.toolCallId, one] as const] : [])),
  );
  const calls = messages.flatMap((one) => (one.role === "assistant" ? toolCallsOf(one) : []));
  const shown = calls.slice(-MAX_CALLS);
  const left = calls.length - shown.length;
  const rows = shown.map(
    ({ id, name, arguments: args }) =>
      `<call tool="${name}">\n${head(JSON.stringify(args), MAX_ARGUMENT_CHARS)}\n${outcome(results.get(id))}\n</call>`,
  );
  const last = messages.findLast((one) => one.role === "assistant");
  return [
    left > 0 ? `(${left} earlier calls are left out)` : "",
    rows.length === 0 ? "(no tool was called)" : rows.join("\n"),
    `<last_words>\n${tail(last ? textOf(last) : "", MAX_WORDS_CHARS)}\n</last_words>`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function outcome(result: ToolResultMessage | undefined): string {
  if (!result) return "(no result)";
  const text = tail(textOf(result).trim(), MAX_RESULT_CHARS);
  return result.isError ? `failed: ${text}` : `result: ${text}`;
}

function head(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function tail(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(-most)}`;
}
