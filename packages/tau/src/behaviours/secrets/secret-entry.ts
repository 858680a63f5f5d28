// What is secret: values of telling names in the environment, and what the user wrote down in
// secrets.yml, as a value or as a pattern.

import type { Environment } from "@tau/ai/environment";
import type { ConfigProblem } from "../../model/config-problem.ts";

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
  problems: ConfigProblem[];
}

/** What makes no sense is named; the rest counts. No value is repeated in a message. */
export function parseSecrets(text: string, file: string): ParsedSecrets {
  const problems: ConfigProblem[] = [];
  const fail = (message: string): void => {
    problems.push({ file, severity: "error", message });
  };
  let data: unknown;
  try {
    data = Bun.YAML.parse(text) ?? [];
  } catch {
    fail("this is no YAML");
    return { entries: [], problems };
  }
  if (!Array.isArray(data)) {
    fail("a list is expected: `- type: plain`");
    return { entries: [], problems };
  }
  const entries = data.flatMap((given: unknown, at) => {
    const entry = parseEntry(given);
    if (typeof entry !== "string") return [entry];
    fail(`entry ${at + 1}: ${entry}`);
    return [];
  });
  return { entries, problems };
}

function parseEntry(given: unknown): SecretEntry | string {
  const {
    type,
    content,
    mode = "obfuscate",
    replacement,
    flags,
  } = (given ?? {}) as Record<string, unknown>;
  if (typeof content === "number") return "content is a number; put it in quotes";
  if (typeof content !== "string" || content.trim() === "") return "content is missing";
  if (mode !== "obfuscate" && mode !== "replace") return "mode is obfuscate or replace";
  const end =
    mode === "replace"
      ? { replacement: { text: typeof replacement === "string" ? replacement : undefined } }
      : {};
  // A block of YAML ends with a line end that no secret has.
  if (type === "plain") return { value: content.trim(), ...end };
  if (type !== "regex") return "type is plain or regex";
  const pattern = compile(content, typeof flags === "string" ? flags : "");
  return pattern ? { pattern, ...end } : "the pattern is no regular expression";
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
