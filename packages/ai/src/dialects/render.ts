// What the dialects share when they render: the order of a reply's parts, the text of a
// result, and how markers inside foreign text lose their power. A marker in a tool's
// output is somebody's data; left as it is, the server would read it as the end of the
// output, or the model as an order.

import type { AssistantMessage, ToolCallBlock, ToolResultMessage } from "../message.ts";
import type { ToolSpec } from "../request.ts";

export interface ReplyParts {
  text?: (text: string) => string;
  /** Absent where the convention does not keep this reply's reasoning. */
  thinking?: ((text: string) => string) | undefined;
  /** Calls that follow one another; `first` is the place of the first in the turn. */
  calls: (calls: readonly ToolCallBlock[], first: number) => string;
}

/** The parts of a reply in their order, with `joint` between them. */
export function renderReply(message: AssistantMessage, parts: ReplyParts, joint: string): string {
  const told: string[] = [];
  let callIndex = 0;
  for (const run of runsOf(message)) {
    const first = run[0]!;
    if (first.type === "toolCall") {
      told.push(parts.calls(run as ToolCallBlock[], callIndex));
      callIndex += run.length;
      continue;
    }
    const text = run.map((block) => (block as { text: string }).text).join("");
    if (text.trim() === "") continue;
    if (first.type === "text") told.push(parts.text?.(text) ?? text);
    else if (parts.thinking) told.push(parts.thinking(text));
  }
  return told.join(joint);
}

/** Blocks of one kind that follow one another. */
function runsOf(message: AssistantMessage): AssistantMessage["content"][] {
  const runs: AssistantMessage["content"][] = [];
  for (const block of message.content) {
    const last = runs.at(-1);
    if (last && last[0]!.type === block.type) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** Images cannot stand inside text: they follow it in the same message. */
export function resultText(message: ToolResultMessage): string {
  const text = message.content
    .map((block) => (block.type === "text" ? block.text : "[image attached below]"))
    .join("");
  return message.isError ? `Error: ${text}` : text;
}

/** Said once with the tool definitions, so that the model can read what `defuse` wrote. */
export const DEFUSED_NOTE =
  "Where a result contains a marker of this format, its first character is shown as `&lt;`.";

/** Takes the power from markers in foreign text and leaves it readable. `markers` is global. */
export function defuse(text: string, markers: RegExp): string {
  return text.replace(markers, (marker) => `&lt;${marker.slice(1)}`);
}

/** The same inside JSON, where nothing is lost by it. */
export function defuseJson(json: string, markers: RegExp): string {
  return json.replace(markers, (marker) => `\\u003c${marker.slice(1)}`);
}

/** A tool as most models saw tools in training. */
export function toolJson({ name, description, parameters }: ToolSpec): string {
  return JSON.stringify({ type: "function", function: { name, description, parameters } });
}

/** A pattern for any of these texts. */
export function anyOf(texts: readonly string[], behind = ""): RegExp {
  const escaped = texts.map((text) => text.replace(/[|()[\]{}.*+?^$\\/]/g, "\\$&"));
  return new RegExp(`(?:${escaped.join("|")})${behind}`, "g");
}
