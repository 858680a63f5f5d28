// What OpenCode's settings say about single calls: `permission`, that of its usual agent, and tools that
// are switched off.

import type { ApprovalRule, Verdict } from "./approval-rule.ts";
import {
  commandPatterns,
  isChanging,
  isForeignVerdict,
  isRecord,
  READERS,
  verdictOf,
  webRules,
  type Tree,
} from "./foreign-words.ts";
import type { RulePlaces } from "./home-rules.ts";
import { WRITERS } from "./write-rules.ts";

/** The agent that works there if nobody chooses another one. */
const USUAL_AGENT = "build";

export function openCodeRules(
  { permission, tools, agent }: Tree,
  places: RulePlaces | undefined,
): ApprovalRule[] {
  const usual = isRecord(agent) ? agent[USUAL_AGENT] : undefined;
  const own = isRecord(usual) ? usual : {};
  const at = `agent.${USUAL_AGENT}.`;
  return [
    ...permissionRules(permission, { key: "permission", places }),
    ...switchedOff(tools, "tools"),
    ...permissionRules(own.permission, { key: `${at}permission`, places }),
    ...switchedOff(own.tools, `${at}tools`),
  ];
}

/** `permission: { edit: "ask", bash: { "git *": "allow", "*": "ask" } }`; the last that fits counts. */
function permissionRules(
  permission: unknown,
  { key, places }: { key: string; places: RulePlaces | undefined },
): ApprovalRule[] {
  // One word for everything, of which the rest are exceptions.
  const [whole, own] = isRecord(permission)
    ? [permission["*"], permission]
    : [permission, {} as Tree];
  const everything = isForeignVerdict(whole) ? whole : undefined;
  const all = `${key}: ${String(everything)}`;
  return [
    // Reading that is allowed there needs no leave here.
    ...rulesOf(["bash", ...WRITERS], everything, all),
    ...rulesOf(READERS, everything, all).filter(({ verdict }) => verdict !== "allow"),
    ...Object.entries(OPEN_CODE_TOOLS).flatMap(([name, tools]) => {
      const rules = rulesOf(tools, own[name], `${key}.${name}`);
      return isChanging(tools) ? rules : rules.filter(({ verdict }) => verdict !== "allow");
    }),
    ...wordsOf(own.webfetch).flatMap(([pattern, verdict]): ApprovalRule[] =>
      verdict === "allow"
        ? []
        : named(webRules(pattern === "*" ? undefined : pattern, verdict), `${key}.webfetch`),
    ),
    ...outsideRules(own.external_directory, { key, places }),
  ];
}

function rulesOf(tools: readonly string[], given: unknown, key: string): ApprovalRule[] {
  return wordsOf(given).flatMap(([subject, verdict]) =>
    tools.flatMap((tool): ApprovalRule[] => {
      if (subject === "*") return named([{ verdict, tool }], key);
      const patterns = tool === "bash" ? commandPatterns(subject) : [escaped(subject)];
      const rules = patterns.map((pattern) => ({ verdict, tool, subject: pattern }));
      return named(rules, `${key}: "${subject}"`);
    }),
  );
}

/** With the words by which the user finds it in their file. */
function named(rules: readonly ApprovalRule[], text: string): ApprovalRule[] {
  return rules.map((rule) => ({ ...rule, text }));
}

/** `external_directory: deny`: everything that is not in the directory where the agent works. */
function outsideRules(
  word: unknown,
  { key, places }: { key: string; places: RulePlaces | undefined },
): ApprovalRule[] {
  const verdict = verdictOf(word);
  if (verdict === undefined || verdict === "allow" || places === undefined) return [];
  return ["read", "write"].map((tool) => ({
    verdict,
    tool,
    outside: places.cwd,
    text: `${key}.external_directory: ${String(word)}`,
  }));
}

/** `tools: { bash: false }`. */
function switchedOff(tools: unknown, key: string): ApprovalRule[] {
  if (!isRecord(tools)) return [];
  return Object.entries(tools).flatMap(([name, word]) => {
    if (word !== false) return [];
    const text = `${key}.${name}: false`;
    const names = name === "*" ? Object.keys(OPEN_CODE_SWITCHES) : [name];
    // All but those that are switched on again.
    const off = names.filter((one) => tools[one] !== true);
    const about = new Set(off.flatMap((one) => OPEN_CODE_SWITCHES[one] ?? []));
    return [...about].map((tool): ApprovalRule => ({ verdict: "deny", tool, text }));
  });
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

const OPEN_CODE_SWITCHES: Readonly<Record<string, readonly string[] | undefined>> = {
  __proto__: null as never,
  ...OPEN_CODE_TOOLS,
  read: ["read"],
  edit: ["edit", "ast_edit"],
  patch: ["edit", "ast_edit"],
  write: ["write"],
};

function wordsOf(given: unknown): [string, Verdict][] {
  const whole = verdictOf(given);
  if (whole !== undefined) return [["*", whole]];
  if (!isRecord(given)) return [];
  return Object.entries(given).flatMap(([pattern, word]): [string, Verdict][] => {
    const verdict = verdictOf(word);
    return verdict === undefined ? [] : [[pattern, verdict]];
  });
}

function escaped(pattern: string): string {
  return pattern.replaceAll("\\", "\\\\");
}
