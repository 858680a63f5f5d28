// What an item would do if it were allowed, in words that somebody can decide by: the command with its
// arguments, the address, the names of variables. Values of variables are secrets and not shown.

import { dirname } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { MAX_DOCUMENT_BYTES } from "../discovery/limits.ts";
import { parseDocument } from "../discovery/document.ts";
import { NotAFile, readBounded } from "../base/read-bounded.ts";
import { hookLines } from "./hook-lines.ts";
import type { TrustSubject } from "./trust-subject.ts";

/** Lines, as they stand: whoever prints them must make them harmless first. */
export async function whatWouldRun(subject: TrustSubject): Promise<string[]> {
  if (subject.unvouchable !== undefined) return [`cannot be allowed: ${subject.unvouchable}`];
  try {
    return bounded(await effects(subject));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined && !(error instanceof NotAFile)) throw error;
    return [`can no longer be read (${code ?? "not a file"})`];
  }
}

async function effects({ kind, item }: TrustSubject): Promise<string[]> {
  if (!item) return ["files that the code next to them may load"];
  switch (kind) {
    case "mcp":
    case "lsp":
      return serverLines(item.member?.value);
    case "ssh":
      return [`adds the host ${hostText(item.member?.value)}`];
    case "hooks":
      if (item.member) return hookLines(item);
      return [isModule(item.path) ? INSIDE : "runs around every tool call"];
    case "tools":
      return [isModule(item.path) ? INSIDE : "runs whenever the model calls this tool"];
    case "extensions":
      return [INSIDE];
    case "settings":
      return settingsLines(item.realPath ?? item.path, COUNTING[item.source]);
    case "rules":
      return [`stops replies that match: ${conditionsOf(item.frontmatter).join(" or ")}`];
    case "system":
      return [SYSTEM_EFFECTS[item.name] ?? "replaces Tau's own instructions to the model"];
    case "python":
      return [`its Python would run cells: ${dirname(item.path)}`];
    case "env":
      return [`sets ${listed(await variableNames(item.realPath ?? item.path))}`];
    default:
      return ["takes effect"];
  }
}

const INSIDE = "runs inside Tau";

/** Loaded when a session starts, whether or not the model ever calls it. */
function isModule(path: string): boolean {
  return /\.(?:ts|js|mjs|mts)$/.test(path) || path.endsWith("package.json");
}

/** By the name of the file; any other replaces Tau's own words. */
const SYSTEM_EFFECTS: Readonly<Record<string, string>> = {
  APPEND_SYSTEM: "adds to Tau's own instructions to the model",
  TITLE_SYSTEM: "replaces the instructions for session titles",
};

function conditionsOf(frontmatter: Readonly<Record<string, unknown>>): string[] {
  const { condition, ttsr_trigger, ttsrTrigger, astCondition = [] } = frontmatter;
  return [condition ?? ttsr_trigger ?? ttsrTrigger ?? [], astCondition].flat(2).map(String);
}

function serverLines(value: unknown): string[] {
  if (!isRecord(value)) return ["is not understood"];
  const { command, args, cwd, url, httpUrl, serverUrl } = value;
  const words = [command, args].flat().filter((word) => typeof word === "string");
  const lines: string[] = [];
  if (words.length > 0) lines.push(`starts: ${words.map(quoted).join(" ")}`);
  for (const address of [url, httpUrl, serverUrl]) {
    if (typeof address === "string") lines.push(`connects to: ${address}`);
  }
  if (typeof cwd === "string") lines.push(`in: ${cwd}`);
  for (const variables of [value.env, value.environment]) {
    if (isRecord(variables)) lines.push(`with: ${listed(Object.keys(variables))}`);
  }
  if (isRecord(value.headers)) lines.push(`sends: ${listed(Object.keys(value.headers))}`);
  return lines.length > 0 ? lines : ["is not understood"];
}

function hostText(value: unknown): string {
  if (!isRecord(value)) return String(value);
  const { host, hostname, username, user, port, ...others } = value;
  const address = [username ?? user, host ?? hostname].filter((one) => one !== undefined).join("@");
  const more = Object.entries(others).map(([key, one]) => `${key}: ${JSON.stringify(one)}`);
  return [port === undefined ? address : `${address}:${String(port)}`, ...more].join(", ");
}

/** Of another tool's settings, the part that counts here. */
const COUNTING: Readonly<Record<string, string>> = {
  claude: "permissions",
  opencode: "permission",
};

async function settingsLines(file: string, part: string | undefined): Promise<string[]> {
  const { text } = await readBounded(file, MAX_DOCUMENT_BYTES);
  const parsed = await parseDocument(file, text);
  if (!parsed.ok) return [`cannot be understood: ${parsed.message}`];
  const keys: string[] = [];
  const commands: string[] = [];
  const counting = part === undefined ? parsed.data : { [part]: parsed.data[part] ?? {} };
  visit(counting, [], keys, commands);
  const secrets = commands.map((command) => `runs for a secret: ${command}`);
  const modules = [part === undefined ? (parsed.data.extensions ?? []) : []]
    .flat()
    .filter((one) => typeof one === "string");
  const loads = modules.length > 0 ? [`loads code that runs inside Tau: ${listed(modules)}`] : [];
  return [`sets ${listed(keys)}`, ...loads, ...secrets];
}

const MAX_DEPTH = 8;

function visit(value: unknown, path: readonly string[], keys: string[], commands: string[]): void {
  if (isRecord(value) && path.length < MAX_DEPTH) {
    for (const [key, one] of Object.entries(value)) visit(one, [...path, key], keys, commands);
    return;
  }
  keys.push(path.join("."));
  for (const one of [value].flat(MAX_DEPTH)) {
    const command = typeof one === "string" ? /^(?:cmd:|!)(.+)$/s.exec(one)?.[1] : undefined;
    if (command !== undefined) commands.push(command.trim());
  }
}

async function variableNames(file: string): Promise<string[]> {
  const { text } = await readBounded(file, MAX_DOCUMENT_BYTES);
  const names = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=/gm);
  return [...new Set([...names].map(([, name]) => name!))];
}

/** Enough to decide by; a flood of names must not push the rest off the screen. */
const MAX_NAMES = 40;
const MAX_LINE_CHARACTERS = 2000;
/** Of a line that is cut: what a command does may stand at its end. */
const END_CHARACTERS = 600;
/** Blanks that push the rest of a line out of sight, on the screen or beyond what is shown. */
const PADDING = /[\s\p{Zs}\p{Cf}\u2800\u3164\u115f\u1160\uffa0]{3,}/gu;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  const more = names.length - MAX_NAMES;
  return names.length === 0 ? "nothing" : more > 0 ? `${shown} and ${more} more` : shown;
}

function bounded(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_NAMES).map((line) => {
    const folded = fold(line);
    const more = folded.length - MAX_LINE_CHARACTERS;
    if (more <= 0) return folded;
    const start = folded.slice(0, MAX_LINE_CHARACTERS - END_CHARACTERS);
    return `${start} … (${more} characters more) … ${folded.slice(-END_CHARACTERS)}`;
  });
  const more = lines.length - MAX_NAMES;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function fold(line: string): string {
  return line.replaceAll(PADDING, " ⋯ ");
}

function quoted(word: string): string {
  // Before lines and tabs become letters.
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(fold(word));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
