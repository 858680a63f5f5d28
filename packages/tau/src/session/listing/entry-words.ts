// The words of a line of a session file, whatever wrote it: a list looks at files of older
// formats and of other programs, too, and must not stumble over any of them.

import { decodeLine, isRecord, parseObject } from "../log/line.ts";

export interface LineWords {
  /** Of a message; undefined for entries that are none. */
  role: string | undefined;
  text: string;
}

/** Undefined where the line says nothing. */
export function wordsOfLine(line: Uint8Array): LineWords | undefined {
  const value = decodeLine(line)?.value ?? parseObject(new TextDecoder().decode(line));
  if (!value) return undefined;
  const message = isRecord(value.message) ? value.message : undefined;
  const role = typeof message?.role === "string" ? message.role : undefined;
  // What the user ran, and what came out.
  const event = isRecord(value.event) ? value.event : {};
  const ran = isRecord(event.arguments) ? JSON.stringify(event.arguments) : "";
  const parts = [
    contentOf(message?.content),
    contentOf(value.content),
    ran,
    contentOf(event.content),
    ...plain(value),
  ];
  const text = parts.filter((part) => part !== "").join("\n");
  return text === "" ? undefined : { role, text };
}

function plain(value: Record<string, unknown>): string[] {
  return [value.title, value.summary, value.label].filter((part) => typeof part === "string");
}

function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((block: unknown) =>
    isRecord(block) && typeof block.text === "string" ? block.text : "",
  );
  return texts.filter((text) => text !== "").join("\n");
}
