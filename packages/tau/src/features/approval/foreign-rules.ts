// What other tools' settings say about single calls, if it means the same here: commands by their
// beginning, files by their paths. Everything else of theirs is left alone; for slips in it see
// `foreign-slips.ts`.

import type { ApprovalRule, Verdict } from "./approval-rule.ts";
import type { RulePlaces } from "./home-rules.ts";
import {
  commandPatterns,
  isChanging,
  isRecord,
  READERS,
  webRules,
  type Tree,
} from "./foreign-words.ts";
import { openCodeRules } from "./opencode-rules.ts";
import { pathGlobs } from "./path-pattern.ts";
import { WRITERS } from "./write-rules.ts";

/** What a source's files say, lowest first; `files` are where the trees are from, in the same order. */
type ForeignReader = (
  trees: readonly Tree[],
  from?: { places?: RulePlaces; files?: readonly string[] },
) => ApprovalRule[];

/** By source. */
export const FOREIGN_READERS: Readonly<Record<string, ForeignReader>> = {
  // There the strictest word counts, whichever file has it: it stands last.
  claude: (trees, { places, files } = {}) =>
    byStrictness(trees.flatMap((tree, at) => fromFile(claudeRules(tree, places), files?.[at]))),
  // There, as here, the last that fits counts.
  opencode: (trees, { places, files } = {}) =>
    trees.flatMap((tree, at) => fromFile(openCodeRules(tree, places), files?.[at])),
};

function fromFile(rules: readonly ApprovalRule[], origin: string | undefined): ApprovalRule[] {
  return rules.map((rule) => ({ ...rule, origin }));
}

const STRICTNESS: readonly Verdict[] = ["allow", "prompt", "deny"];

function byStrictness(rules: readonly ApprovalRule[]): ApprovalRule[] {
  return rules.toSorted((a, b) => STRICTNESS.indexOf(a.verdict) - STRICTNESS.indexOf(b.verdict));
}

/** `permissions: { allow: ["Bash(npm test:*)", "Edit(docs/**)"], ask: […], deny: […] }` */
function claudeRules({ permissions }: Tree, places: RulePlaces | undefined): ApprovalRule[] {
  if (!isRecord(permissions)) return [];
  const verdicts = { allow: "allow", ask: "prompt", deny: "deny" } as const;
  return Object.entries(verdicts).flatMap(([key, verdict]) =>
    texts(permissions[key]).flatMap((text) =>
      claudeRule(text, verdict, places).map((rule) => ({
        ...rule,
        text: `permissions.${key}: ${text}`,
      })),
    ),
  );
}

/** What Claude Code calls the tools that Tau has. A word on reading is one on every way to read. */
const CLAUDE_TOOLS: Readonly<Record<string, readonly string[] | undefined>> = {
  __proto__: null as never,
  Bash: ["bash"],
  Edit: WRITERS,
  Write: WRITERS,
  // Of the tool alone; with a path it is about the file, as `Edit` is.
  MultiEdit: ["edit", "ast_edit"],
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

function claudeRule(
  text: string,
  verdict: Verdict,
  places: RulePlaces | undefined,
): ApprovalRule[] {
  const read = readClaudeRule(text);
  if (!read) return [];
  const { subject } = read;
  const tool = CLAUDE_NAMES.find((name) => name.toLowerCase() === read.tool.toLowerCase())!;
  const tools = CLAUDE_TOOLS[tool]!;
  // An allowance counts only if Claude Code itself would take it for one; reading needs none here.
  if (verdict === "allow" && (tool !== read.tool || !isChanging(tools))) return [];
  if (tool === "WebFetch") return webRules(subject, verdict);
  const isWhole = subject === undefined || subject === "*" || subject === "**";
  if (tool.startsWith("Notebook")) {
    const paths = notebooksIn(isWhole ? undefined : pathGlobs(subject, places));
    return tools.map((one) => ({ verdict, tool: one, paths }));
  }
  if (isWhole) return tools.map((one) => ({ verdict, tool: one }));
  if (tool === "Bash") {
    return commandPatterns(subject).map((one) => ({ verdict, tool: "bash", subject: one }));
  }
  const about = tool === "MultiEdit" ? WRITERS : tools;
  return about.map((one) => ({ verdict, tool: one, paths: pathGlobs(subject, places) }));
}

/** Whoever refuses changes of notebooks does not refuse those of other files. */
function notebooksIn(globs: readonly string[] = ["**"]): string[] {
  return globs.flatMap((glob) => {
    if (glob.endsWith(".ipynb")) return [glob];
    return glob.endsWith("**") ? [`${glob}/*.ipynb`] : [];
  });
}

function texts(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}
