// Slips in what other tools' settings say about single calls. There, too, a refusal that nobody
// understands may not count for nothing. Only lists that refuse are looked at: a lost allowance loosens
// nothing, and a word on a tool that Tau does not have is not a slip.

import { editDistance } from "@tau/agent/edit-distance";
import { CLAUDE_NAMES, readClaudeRule } from "./foreign-rules.ts";
import { isForeignVerdict } from "./foreign-words.ts";
import { OPEN_CODE_NAMES } from "./opencode-rules.ts";

type Tree = Readonly<Record<string, unknown>>;

export interface ForeignSlip {
  /** Dotted. */
  key: string;
  message: string;
  /** What stands in the file, by which its line is found. */
  written?: string;
}

/** By source. */
export const FOREIGN_SLIPS: Readonly<Record<string, (file: Tree) => ForeignSlip[]>> = {
  claude: claudeSlips,
  opencode: openCodeSlips,
};

function claudeSlips(file: Tree): ForeignSlip[] {
  const { permissions } = file;
  const heading = headingSlips(file, "permissions");
  if (permissions === undefined || permissions === null) return heading;
  if (!isRecord(permissions)) return [...heading, slip("permissions", EXPECTS_NAMES)];
  const inside = Object.entries(permissions).flatMap(([name, list]): ForeignSlip[] => {
    const key = `permissions.${name}`;
    if (name === "ask" || name === "deny") return listSlips(key, list);
    const meant = ["ask", "deny"].find((word) => isNear(name, word)) ?? REFUSALS[plain(name)];
    return meant === undefined ? [] : [slip(key, didYouMean(meant))];
  });
  return [...heading, ...inside];
}

/** Words for a list that refuses, by people who do not look it up. */
const REFUSALS: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  denied: "deny",
  disallow: "deny",
  disallowed: "deny",
  disallowedtools: "deny",
  block: "deny",
  blocked: "deny",
  forbid: "deny",
  prompt: "ask",
  confirm: "ask",
};

function listSlips(key: string, list: unknown): ForeignSlip[] {
  if (list === null) return [];
  if (!Array.isArray(list)) return [slip(key, "expected a list")];
  return list.flatMap((entry: unknown, at): ForeignSlip[] => {
    const place = `${key}.${at}`;
    const quoted = JSON.stringify(entry);
    const wrong = (message: string): ForeignSlip[] => [
      { key: place, message: `${quoted} ${message}`, written: quoted },
    ];
    if (typeof entry !== "string") return wrong(NOT_A_RULE);
    const rule = readClaudeRule(entry);
    if (rule) return rule.subject?.trim() === "" ? wrong(NOT_A_RULE) : [];
    const [name = ""] = entry.trim().split("(");
    const meant = CLAUDE_NAMES.find((tool) => isNear(name, tool));
    if (meant === undefined) return [];
    return wrong(plain(name) === plain(meant) ? NOT_A_RULE : didYouMean(meant));
  });
}

function openCodeSlips(file: Tree): ForeignSlip[] {
  const { permission } = file;
  const heading = headingSlips(file, "permission");
  if (permission === undefined || permission === null) return heading;
  if (typeof permission === "string") return [...heading, ...wordSlips("permission", permission)];
  if (!isRecord(permission)) return [...heading, slip("permission", EXPECTS_NAMES)];
  const inside = Object.entries(permission).flatMap(([name, given]): ForeignSlip[] => {
    const key = `permission.${name}`;
    if (name === "*" || OPEN_CODE_NAMES.includes(name)) {
      return isRecord(given)
        ? Object.entries(given).flatMap(([pattern, word]) => wordSlips(`${key}.${pattern}`, word))
        : wordSlips(key, given);
    }
    const meant = given === "allow" ? undefined : OPEN_CODE_NAMES.find((one) => isNear(name, one));
    return meant === undefined ? [] : [slip(key, didYouMean(meant))];
  });
  return [...heading, ...inside];
}

function wordSlips(key: string, word: unknown): ForeignSlip[] {
  return isForeignVerdict(word) ? [] : [slip(key, "expected allow, ask or deny")];
}

/** `permision: {deny: […]}` */
function headingSlips(file: Tree, wanted: string): ForeignSlip[] {
  return Object.entries(file).flatMap(([name, value]) =>
    name !== wanted && isNear(name, wanted) && typeof value === "object" && value !== null
      ? [slip(name, didYouMean(wanted))]
      : [],
  );
}

/** In a word of up to so many letters two slips would make it another one. */
const SHORT_LETTERS = 5;

function isNear(given: string, wanted: string): boolean {
  const allowed = wanted.length <= SHORT_LETTERS ? 1 : 2;
  return editDistance(plain(given), plain(wanted)) <= allowed;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, "");
}

const NOT_A_RULE = "is not a rule such as `Bash(rm:*)`";
const EXPECTS_NAMES = "expected names with values";

function didYouMean(word: string): string {
  return `is unknown (did you mean ${word}?)`;
}

/** Its line is that of its name. */
function slip(key: string, message: string): ForeignSlip {
  const name = key.split(".").at(-1)!;
  return { key, message, written: JSON.stringify(name) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
