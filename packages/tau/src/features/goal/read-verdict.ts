// From a judge's answer to a verdict. Models answer with the call they were asked for, or with its
// arguments as text; everything else is unclear, and counts as not yet.

import { textOf, toolCallsOf, type AssistantMessage } from "@tau/ai/message";

export interface Verdict {
  /** `needs_user`: nothing more can be done before the user has said something. */
  type: "yes" | "not_yet" | "needs_user" | "unreachable" | "unclear";
  /** What is missing, or why; one paragraph. */
  words: string;
}

/** The model is told of it, and it is shown in a line or two. */
const MAX_WORDS_CHARS = 1000;

export const GIVE_VERDICT = {
  name: "give_verdict",
  description: "Says whether the condition holds.",
  parameters: {
    type: "object",
    properties: {
      verdict: { type: "string", enum: ["yes", "not_yet", "needs_user", "unreachable"] },
      words: { type: "string", description: "What is missing, or what shows that it holds" },
    },
    required: ["verdict", "words"],
    additionalProperties: false,
  },
} as const;

/** Words that models put in the place of those that they were given. */
const MEANT: Readonly<Record<string, Verdict["type"]>> = {
  yes: "yes",
  true: "yes",
  met: "yes",
  not_yet: "not_yet",
  "not yet": "not_yet",
  no: "not_yet",
  false: "not_yet",
  needs_user: "needs_user",
  unreachable: "unreachable",
  impossible: "unreachable",
};

export function readVerdict(reply: AssistantMessage): Verdict {
  if (reply.error) return { type: "unclear", words: `the judge failed (${reply.error.kind})` };
  const call = toolCallsOf(reply).find(({ name }) => name === GIVE_VERDICT.name);
  const given = call?.arguments ?? objectIn(textOf(reply));
  const word = String(given?.verdict ?? "")
    .trim()
    .toLowerCase();
  const type = Object.hasOwn(MEANT, word) ? MEANT[word]! : "unclear";
  const words =
    typeof given?.words === "string" ? given.words.trim().slice(0, MAX_WORDS_CHARS) : "";
  return { type, words: words || (type === "unclear" ? "the judge gave no verdict" : "") };
}

/** The last object in a text that is one, if any; models put words and fences around it. */
function objectIn(text: string): Record<string, unknown> | undefined {
  const start = text.lastIndexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
