// What is secret: values of telling names in the environment, and what the user wrote down in
// secrets.yml, as a value or as a pattern.

import type { Environment } from "@tau/ai/environment";
import { mayBeDoubled } from "./parse-settings.ts";

export interface SecretEntry {
  /** One of the two. */
  value?: string;
  pattern?: RegExp;
  /** Undefined: a placeholder that is turned back in the model's calls. */
  replacement?: { text: string | undefined };
}

const TELLING = /KEY|SECRET|TOKEN|PASSWORD|PASS|AUTH|CREDENTIAL|PRIVATE|OAUTH/i;
/** Shorter values are words that stand everywhere. */
const MIN_LENGTH = 8;
/** Variables with telling names that hold no secret: paths, agents, switches. */
const HARMLESS =
  /^(?:SSH_AUTH_SOCK|XAUTHORITY|GPG_AGENT_INFO|SUDO_ASKPASS|SSH_ASKPASS|KEYTIMEOUT)$/;

export function environmentSecrets(env: Environment): SecretEntry[] {
  const values = Object.entries(env)
    .filter(([name, value]) => TELLING.test(name) && !HARMLESS.test(name) && isLong(value))
    // What is around it, such as the line end of a file it was read from, is no part of it.
    .map(([, value]) => value!.trim());
  return [...new Set(values)].map((value) => ({ value }));
}

function isLong(value: string | undefined): boolean {
  return value !== undefined && value.trim().length >= MIN_LENGTH;
}

export interface ParsedSecrets {
  entries: SecretEntry[];
  /** The first thing that makes no sense; the entries are not all there then. */
  problem?: { message: string; line?: number | undefined };
}

/** No value is repeated in a message. */
export async function parseSecrets(text: string): Promise<ParsedSecrets> {
  let data: unknown;
  try {
    data = Bun.YAML.parse(text) ?? [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { yamlError } = await import("./yaml-position.ts");
    const line = (await yamlError(text))?.line;
    return { entries: [], problem: { message: "this is not YAML", line } };
  }
  if (mayBeDoubled(text, data)) {
    const { yamlError } = await import("./yaml-position.ts");
    const error = await yamlError(text);
    const message = error?.isDoubledKey ? "there is a duplicate key" : "this is not YAML";
    if (error) return { entries: [], problem: { message, line: error.line } };
  }
  if (!Array.isArray(data)) {
    return { entries: [], problem: { message: "expected a list: `- type: plain`", line: 1 } };
  }
  const entries: SecretEntry[] = [];
  for (const [at, given] of data.entries()) {
    const entry = parseEntry(given);
    if (typeof entry === "string") {
      const { lineOf } = await import("./yaml-position.ts");
      const message = `entry ${at + 1}: ${entry}`;
      return { entries, problem: { message, line: await lineOf(text, [at]) } };
    }
    entries.push(entry);
  }
  return { entries };
}

function parseEntry(given: unknown): SecretEntry | string {
  const {
    type,
    content,
    mode = "obfuscate",
    replacement,
    flags,
    ...others
  } = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  // A slip in a name may change what is hidden; the name itself may be the secret.
  if (Object.keys(others).length > 0) {
    return "unknown key; the keys are type, content, mode, replacement and flags";
  }
  if (typeof content === "number") return "content is a number; put it in quotes";
  if (typeof content !== "string" || content.trim() === "") return "content is missing";
  if (mode !== "obfuscate" && mode !== "replace") return "mode must be obfuscate or replace";
  const end =
    mode === "replace"
      ? { replacement: { text: typeof replacement === "string" ? replacement : undefined } }
      : {};
  // A block of YAML ends with a line end that no secret has.
  if (type === "plain") return { value: content.trim(), ...end };
  if (type !== "regex") return "type must be plain or regex";
  if (flags !== undefined && typeof flags !== "string") return "flags must be letters";
  const pattern = compile(content, flags ?? "");
  return pattern ? { pattern, ...end } : "the pattern is not a regular expression";
}

function compile(content: string, flags: string): RegExp | undefined {
  const literal = /^\/((?:[^/\\]|\\.)+)\/([a-z]*)$/s.exec(content);
  const [source, given] = literal ? [literal[1]!, literal[2]!] : [content, flags];
  try {
    return new RegExp(source, [...new Set(`${given.replace(/[gy]/g, "")}g`)].join(""));
  } catch {
    return undefined;
  }
}
