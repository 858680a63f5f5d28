// What other tools' settings say about single calls, if it means the same here: commands by their
// beginning, files by their paths. Everything else of theirs is left alone; for slips in it see
// `foreign-slips.ts`.

import type { ApprovalRule, Verdict } from "./approval-rule.ts";
import { HOST } from "./host-rules.ts";
import { pathGlobs } from "./path-pattern.ts";

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

/** What Claude Code calls the tools that Tau has. A word on reading is one on every way to read. */
const READERS = ["read", "search", "find"];
const WRITERS = ["edit", "write", "ast_edit"];
const CLAUDE_TOOLS: Readonly<Record<string, readonly string[] | undefined>> = {
  __proto__: null as never,
  Bash: ["bash"],
  Edit: WRITERS,
  Write: WRITERS,
  MultiEdit: WRITERS,
  NotebookEdit: WRITERS,
  Read: READERS,
  NotebookRead: READERS,
  Grep: ["search"],
  Glob: ["find"],
  LS: ["find", "read"],
  WebFetch: ["read"],
};

export const CLAUDE_NAMES = Object.keys(CLAUDE_TOOLS);

const CLAUDE_RULE = /^(\w+)(?:\(([^]*)\))?$/;

/** About a tool that Tau has, however it is capitalised; undefined for all others. */
export function readClaudeRule(text: string): { tool: string; subject?: string } | undefined {
  const [, tool, subject] = CLAUDE_RULE.exec(text.trim()) ?? [];
  const isKnown = CLAUDE_NAMES.some((name) => name.toLowerCase() === tool?.toLowerCase());
  return tool === undefined || !isKnown ? undefined : { tool, subject };
}

function claudeRule(text: string, verdict: Verdict): ApprovalRule[] {
  const read = readClaudeRule(text);
  if (!read) return [];
  const { subject } = read;
  const tool = CLAUDE_NAMES.find((name) => name.toLowerCase() === read.tool.toLowerCase())!;
  const tools = CLAUDE_TOOLS[tool]!;
  // An allowance counts only if Claude Code itself would take it for one; reading needs none here.
  if (verdict === "allow" && (tool !== read.tool || !isChanging(tools))) return [];
  if (tool === "WebFetch") return webRules(subject, verdict);
  if (subject === undefined || subject === "*" || subject === "**")
    return tools.map((one) => ({ verdict, tool: one }));
  if (tool === "Bash") {
    return commandPatterns(subject).map((one) => ({ verdict, tool: "bash", subject: one }));
  }
  return tools.map((one) => ({ verdict, tool: one, paths: pathGlobs(subject) }));
}

function isChanging(tools: readonly string[]): boolean {
  return tools.includes("bash") || tools.includes("write");
}

/** `WebFetch(domain:example.com)` is about a host, whichever tool talks to it. */
function webRules(subject: string | undefined, verdict: Verdict): ApprovalRule[] {
  const host = /^domain:(.+)$/i.exec(subject?.trim() ?? "")?.[1];
  if (host !== undefined) return [{ verdict, tool: HOST, subject: host.trim().toLowerCase() }];
  return [subject ?? "*"].flatMap((pattern) =>
    /^https?:/.test(pattern)
      ? [{ verdict, tool: "read", subject: pattern }]
      : [
          { verdict, tool: "read", subject: "http://*" },
          { verdict, tool: "read", subject: "https://*" },
        ],
  );
}

/** `git push:*` is `git push` alone and with more behind it, and never `git pushed`. */
function commandPatterns(text: string): string[] {
  const prefix = text.endsWith(":*") ? text.slice(0, -":*".length) : undefined;
  if (prefix === undefined) return [literal(text).replaceAll("\\*", "*")];
  return [literal(prefix), `${literal(prefix)} *`];
}

/** `permission: { edit: "ask", bash: { "git *": "allow", "*": "ask" } }`; the last that fits counts. */
function openCodeRules({ permission }: Tree): ApprovalRule[] {
  // One word for everything, of which the rest are exceptions.
  const [whole, own] = isRecord(permission)
    ? [permission["*"], permission]
    : [permission, {} as Tree];
  const rulesOf = (tools: readonly string[], given: unknown): ApprovalRule[] =>
    wordsOf(given).flatMap(([subject, verdict]) =>
      tools.map((tool) => (subject === "*" ? { verdict, tool } : { verdict, tool, subject })),
    );
  const everything = isForeignVerdict(whole) ? whole : undefined;
  return [
    // Reading that is allowed there needs no leave here.
    ...rulesOf(["bash", ...WRITERS], everything),
    ...rulesOf(READERS, everything).filter(({ verdict }) => verdict !== "allow"),
    ...Object.entries(OPEN_CODE_TOOLS).flatMap(([name, tools]) => {
      const rules = rulesOf(tools, own[name]);
      return isChanging(tools) ? rules : rules.filter(({ verdict }) => verdict !== "allow");
    }),
    ...wordsOf(own.webfetch).flatMap(([pattern, verdict]): ApprovalRule[] =>
      verdict === "allow" ? [] : webRules(pattern === "*" ? undefined : pattern, verdict),
    ),
  ];
}

/** What OpenCode calls them. */
const OPEN_CODE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  bash: ["bash"],
  edit: WRITERS,
  read: READERS,
  grep: ["search"],
  glob: ["find"],
  list: ["find"],
};
export const OPEN_CODE_NAMES = [...Object.keys(OPEN_CODE_TOOLS), "webfetch"];

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
