// Roles of versions 1 to 3 that are neither a user's nor a model's word: shell commands the
// user ran, notes of extensions, summaries, mentioned files. They stay in the conversation
// as what they are there for, words, and keep their original beside them.

import type { CustomEntry, CustomMessageEntry } from "../../entry.ts";
import { isRecord } from "../line.ts";
import { plainContent } from "./convert-message.ts";

type Json = Record<string, unknown>;
type Spoken =
  | Omit<CustomMessageEntry, "id" | "parentId" | "timestamp">
  | Omit<CustomEntry, "id" | "parentId" | "timestamp">;

/** Undefined for a role that nobody knows. */
export function convertSpoken(raw: Json): Spoken | undefined {
  switch (raw.role) {
    case "custom":
    case "hookMessage":
      return customMessage(raw);
    case "bashExecution":
      return execution(raw, "bashExecution", `$ ${text(raw.command)}`);
    case "pythonExecution":
      return execution(raw, "pythonExecution", `>>> ${text(raw.code)}`);
    case "branchSummary":
    case "compactionSummary":
      return worded(raw, raw.role, text(raw.summary), "agent");
    case "fileMention":
      return worded(raw, raw.role, mentionedFiles(raw.files), "user");
    default:
      return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Also for entries that are custom messages themselves. */
export function customMessage(raw: Json): Spoken {
  const { blocks, unknown } = plainContent(raw.content);
  const spoken: Spoken = {
    type: "custom_message",
    customType: text(raw.customType) || "legacy",
    content: blocks,
    display: raw.display !== false,
    attribution: raw.attribution === "user" ? "user" : "agent",
  };
  if (unknown.length > 0) return { ...spoken, details: { details: raw.details, blocks: unknown } };
  return raw.details === undefined ? spoken : { ...spoken, details: raw.details };
}

function worded(raw: Json, customType: string, words: string, by: "user" | "agent"): Spoken {
  return {
    type: "custom_message",
    customType,
    content: [{ type: "text", text: words }],
    display: true,
    attribution: by,
    details: raw,
  };
}

function execution(raw: Json, customType: string, prompt: string): Spoken {
  // The user had kept it out of the conversation.
  if (raw.excludeFromContext === true) return { type: "custom", customType, data: raw };
  const ending =
    raw.cancelled === true
      ? "(cancelled)"
      : typeof raw.exitCode === "number" && raw.exitCode !== 0
        ? `(exit code ${raw.exitCode})`
        : "";
  const words = [`The user ran:\n${prompt}`, text(raw.output), ending].filter(Boolean).join("\n\n");
  return worded(raw, customType, words, "user");
}

function mentionedFiles(files: unknown): string {
  const parts = (Array.isArray(files) ? files : [])
    .filter(isRecord)
    .map((file) => `<file path="${text(file.path)}">\n${text(file.content)}\n</file>`);
  return parts.join("\n");
}
