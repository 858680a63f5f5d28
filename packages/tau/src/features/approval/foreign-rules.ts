// What other tools' settings say about single calls, if it means the same here: commands by their
// beginning, files by their paths. Everything else of theirs is left alone; for slips in it see
// `foreign-slips.ts`.

import type { ApprovalRule, Verdict } from "./approval-rule.ts";

type Tree = Readonly<Record<string, unknown>>;

/** By source: what its files say, lowest first. */
export const FOREIGN_READERS: Readonly<Record<string, (files: readonly Tree[]) => ApprovalRule[]>> =
  {
    // There the strictest word counts, whichever file has it: it stands last.
    claude: (files) => byStrictness(files.flatMap(claudeRules)),
    // There, as here, the last that fits counts.
    opencode: (files) => files.flatMap(openCodeRules),
  };

const STRICTNESS: readonly Verdict[] = ["allow", "prompt", "deny"];

function byStrictness(rules: readonly ApprovalRule[]): ApprovalRule[] {
  return rules.toSorted((a, b) => STRICTNESS.indexOf(a.verdict) - STRICTNESS.indexOf(b.verdict));
}

/** `permissions: { allow: ["Bash(npm test:*)", "Edit(docs/**)"], ask: […], deny: […] }` */
function claudeRules({ permissions }: Tree): ApprovalRule[] {
  if (!isRecord(permissions)) return [];
  const verdicts = { allow: "allow", ask: "prompt", deny: "deny" } as const;
  return Object.entries(verdicts).flatMap(([key, verdict]) =>
    texts(permissions[key]).flatMap((text) => claudeRule(text, verdict)),
  );
}

const CLAUDE_RULE = /^(Bash|Edit|Write)(?:\(([^]*)\))?$/i;

/** About a tool that Tau has, however it is capitalised; undefined for all others. */
export function readClaudeRule(text: string): { tool: string; subject?: string } | undefined {
  const [, tool, subject] = CLAUDE_RULE.exec(text.trim()) ?? [];
  return tool === undefined ? undefined : { tool, subject };
}

function claudeRule(text: string, verdict: Verdict): ApprovalRule[] {
  const read = readClaudeRule(text);
  if (!read) return [];
  const { subject } = read;
  const tool = `${read.tool[0]!.toUpperCase()}${read.tool.slice(1).toLowerCase()}`;
  // An allowance counts only if Claude Code itself would take it for one.
  if (verdict === "allow" && tool !== read.tool) return [];
  // There, a word on editing is one on writing as well.
  const tools = tool === "Bash" ? ["bash"] : ["edit", "write"];
  if (subject === undefined || subject === "*") return tools.map((one) => ({ verdict, tool: one }));
  const subjects = tool === "Bash" ? commandPatterns(subject) : pathPatterns(subject);
  return tools.flatMap((one) =>
    subjects.map((pattern) => ({ verdict, tool: one, subject: pattern })),
  );
}

/** `git push:*` is `git push` alone and with more behind it, and never `git pushed`. */
function commandPatterns(text: string): string[] {
  const prefix = text.endsWith(":*") ? text.slice(0, -":*".length) : undefined;
  if (prefix === undefined) return [literal(text).replaceAll("\\*", "*")];
  return [literal(prefix), `${literal(prefix)} *`];
}

/**
 * Paths from the project's root; two slashes begin an absolute one. A pattern without a slash fits
 * at any depth; other stars than two at the end are left alone, because here a star spans slashes.
 */
function pathPatterns(text: string): string[] {
  const path = text
    .replace(/^\/\//, "\0")
    .replace(/^\.?\//, "")
    .replace("\0", "/");
  const tree = /^([^*?[\]{}]+\/)\*\*$/.exec(path)?.[1];
  if (tree !== undefined) return [`${literal(tree)}*`];
  if (/[*?[\]{}~]/.test(path)) return [];
  return path.includes("/") ? [literal(path)] : [literal(path), `*/${literal(path)}`];
}

/** `permission: { edit: "ask", bash: { "git *": "allow", "*": "ask" } }`; the last that fits counts. */
function openCodeRules({ permission }: Tree): ApprovalRule[] {
  // One word for everything, of which the rest are exceptions.
  const [whole, { bash, edit }] = isRecord(permission)
    ? [permission["*"], permission]
    : [permission, {} as Tree];
  const rulesOf = (tools: readonly string[], given: unknown): ApprovalRule[] =>
    wordsOf(given).flatMap(([subject, verdict]) =>
      tools.map((tool) => (subject === "*" ? { verdict, tool } : { verdict, tool, subject })),
    );
  return [
    ...rulesOf(["bash", "edit", "write"], isForeignVerdict(whole) ? whole : undefined),
    ...rulesOf(["bash"], bash),
    ...rulesOf(["edit", "write"], edit),
  ];
}

function wordsOf(given: unknown): [string, Verdict][] {
  const whole = verdictOf(given);
  if (whole !== undefined) return [["*", whole]];
  if (!isRecord(given)) return [];
  return Object.entries(given).flatMap(([pattern, word]): [string, Verdict][] => {
    const verdict = verdictOf(word);
    return verdict === undefined ? [] : [[pattern.replaceAll("\\", "\\\\"), verdict]];
  });
}

export function isForeignVerdict(word: unknown): boolean {
  return verdictOf(word) !== undefined;
}

function verdictOf(word: unknown): Verdict | undefined {
  return word === "ask" ? "prompt" : word === "allow" || word === "deny" ? word : undefined;
}

/** Stars and backslashes stand for themselves. */
function literal(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("*", "\\*");
}

function texts(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
