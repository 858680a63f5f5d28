// From a model's answer to a name that fits on one line of a list.

import { textOf, toolCallsOf, type AssistantMessage } from "@tau/ai/message";

/** Columns of the widest list, with room for a date. */
const MAX_TITLE_CHARS = 60;

export const SET_TITLE = {
  name: "set_title",
  description: "Sets the name of the conversation.",
  parameters: {
    type: "object",
    properties: { title: { type: "string", description: "Three to seven words" } },
    required: ["title"],
    additionalProperties: false,
  },
} as const;

/** Undefined where there is no name in it. */
export function readTitle(reply: AssistantMessage): string | undefined {
  const call = toolCallsOf(reply).find(({ name }) => name === SET_TITLE.name);
  if (typeof call?.arguments.title === "string") return tidy(call.arguments.title);
  const text = textOf(reply);
  const tagged = /<title>([\s\S]*?)<\/title>/i.exec(text)?.[1];
  if (tagged !== undefined) return tidy(tagged);
  // A bare line may be a name; a paragraph is an answer to something else.
  const bare = text.trim();
  return bare.includes("\n") || bare.length > 2 * MAX_TITLE_CHARS ? undefined : tidy(bare);
}

export function tidy(title: string): string | undefined {
  const line = title
    // oxlint-disable-next-line no-control-regex -- a name must not move the cursor
    .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(["'“‘«`])(.*)["'”’»`]$/u, "$2")
    .replace(/[.。]+$/u, "")
    .trim();
  if (line === "") return undefined;
  const characters = [...line];
  return characters.length <= MAX_TITLE_CHARS
    ? line
    : `${characters
        .slice(0, MAX_TITLE_CHARS - 1)
        .join("")
        .trimEnd()}…`;
}
