// What is wrong inside of the rules and policies of consent, and whose calls it may have been about: a
// refusal with a slip in it must not let anything through.

import { isAbsolute } from "node:path";
import { suggest } from "../../base/suggest.ts";
import { missingBlank, type LostPart } from "../../config/setting.ts";
import { BUILT_IN_TOOLS } from "../tool-names.ts";
import { APPROVAL_MODES } from "./settings.ts";
import { HOST, webRule } from "./host-rules.ts";
import { fits, isVerdict, parseRule, type ApprovalRule } from "./approval-rule.ts";

/** What other programs call tools that do the same. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  shell: "bash",
  sh: "bash",
  terminal: "bash",
  grep: "search",
  glob: "find",
  ls: "read",
  python: "eval",
  javascript: "eval",
  // Commands that are written as if they were tools.
  rm: "bash",
  git: "bash",
  curl: "bash",
  sudo: "bash",
  npm: "bash",
  docker: "bash",
};

/** Of servers and extensions: nobody knows them before they are there. */
const OF_SERVERS = /^mcp__/;

/** A tool, and what other programs call being asked about the tools that follow. */
const ASK = "ask";

/** `{bash: prompt}` */
export function checkPolicies(value: unknown): LostPart[] {
  return Object.entries(value as object).flatMap(([name, word]): LostPart[] => {
    if (word === "allow") return [];
    const path = [name];
    if (word === null && !BUILT_IN_TOOLS.includes(name)) {
      const whole = withoutBlank(name);
      if (whole) return whole.calls.map((calls) => ({ path, message: whole.message, calls }));
    }
    const wrongWord = isVerdict(word) ? "" : notAVerdict(word);
    // `ask: [bash]` is not about the tool `ask`, but about whatever follows.
    if (name === ASK && wrongWord !== "") return [{ path, message: wrongWord, calls: "any" }];
    if (BUILT_IN_TOOLS.includes(name)) {
      return wrongWord === "" ? [] : [{ path, message: wrongWord, calls: { tool: name } }];
    }
    if (name.includes("*")) {
      const message = "expected the name of one tool; patterns belong in tools.rules";
      return toolsMeantBy(name).map((calls) => ({ path, message, calls }));
    }
    if (OF_SERVERS.test(name) && wrongWord === "") return [];
    return toolsMeantBy(name).map((calls) => {
      if (wrongWord === "") return { path, message: noSuchTool(name, calls), calls };
      if (name === "allow") return { path, message: noSuchTool(name, calls), calls: "none" };
      if (calls === "any") return { path, message: notATool(name, word), calls };
      // A tool that may come later is named all the same.
      const named: Calls = typeof word === "object" ? "any" : { tool: name };
      return { path, message: wrongWord, calls: calls === "none" ? named : calls };
    });
  });
}

/** `{bash:deny}`, `{bash deny}`: to YAML, a key without a value. */
function withoutBlank(name: string): { message: string; calls: Calls[] } | undefined {
  const [, tool = "", word = ""] = /^\s*([^:]*?)\s*:\s*(.*?)\s*$/.exec(name) ?? [];
  if (word !== "") {
    const message = missingBlank(`${tool}: ${word}`);
    if (word === "allow") return { message, calls: ["none"] };
    const meant = BUILT_IN_TOOLS.includes(tool) ? [{ tool }] : toolsMeantBy(tool);
    return { message, calls: meant.map((calls) => (calls === "none" ? { tool } : calls)) };
  }
  if (!/[^\w*-]/.test(name)) return undefined;
  const message = `${JSON.stringify(name)} is not a policy such as \`bash: deny\``;
  return { message, calls: callsNamedIn(name) };
}

/** `{mode: always-ask}` */
function notATool(name: string, word: unknown): string {
  const isMode = APPROVAL_MODES.some((mode) => mode === word);
  return `there is no tool ${name}${isMode ? " (did you mean tools.approvalMode?)" : ""}`;
}

function notAVerdict(word: unknown): string {
  const expected = "expected allow, prompt or deny";
  if (typeof word !== "string" || word.length > MAX_REPEATED) return expected;
  const other = OTHER_VERDICTS[word.toLowerCase()];
  const near = other ?? suggest(word.toLowerCase(), ["allow", "prompt", "deny"]);
  const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
  return `${expected}, not ${JSON.stringify(word)}${hint}`;
}

/** A word is worth repeating; what else stands there may be long. */
const MAX_REPEATED = 40;

/** What other programs say for the same. */
const OTHER_VERDICTS: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  ask: "prompt",
  confirm: "prompt",
  block: "deny",
  never: "deny",
  refuse: "deny",
  yes: "allow",
  always: "allow",
};

/** `["deny bash(git push*)"]` */
export function checkRules(value: unknown): LostPart[] {
  return (value as readonly unknown[]).flatMap((given, at): LostPart[] => {
    const path = [at];
    const text = splitAtColon(given) ?? given;
    const rule = parseRule(text);
    if (text !== given && rule && !isTwo(rule)) {
      const message = "put the rule in quotes: it contains a colon and a space";
      return callsOf(rule).map((calls) => ({ path, message, calls }));
    }
    if (!rule) {
      const message = `${JSON.stringify(given)} is not a rule such as \`deny bash(git push*)\``;
      return callsNamedIn(text).map((calls) => ({ path, message, calls }));
    }
    if (isTwo(rule)) {
      const message = "two rules are joined into one; check the indentation";
      return [{ path, message, calls: "any" }];
    }
    if (rule.subject?.trim() === "") {
      const message = `the parentheses are empty; \`${rule.verdict} ${rule.tool}\` covers every call`;
      return callsOf(rule).map((calls) => ({ path, message, calls }));
    }
    if (rule.verdict === "allow" || OF_SERVERS.test(rule.tool)) return [];
    if (rule.tool === HOST) {
      const oddHost = rule.subject === undefined ? undefined : oddHostName(rule.subject);
      return oddHost === undefined ? [] : [{ path, message: oddHost, calls: "any" }];
    }
    const odd = oddSubject(rule);
    if (odd !== undefined) {
      return callsOf(rule).map((calls) => ({ path, message: odd, calls }));
    }
    if (BUILT_IN_TOOLS.some((name) => fits(rule.tool, name))) return [];
    if (webRule(rule)) return [];
    return toolsMeantBy(rule.tool).map((calls) => ({
      path,
      message: noSuchTool(rule.tool, calls),
      calls: calls === "none" && isAboutCalls(rule) ? { unlessTool: rule.tool } : calls,
    }));
  });
}

/** What it refuses, or picks out of a tool's calls, may be done by another tool under another name. */
function isAboutCalls({ verdict, subject }: ApprovalRule): boolean {
  return verdict === "deny" || subject !== undefined;
}

/** An address is not a name: as it stands, it would refuse nothing. */
function oddHostName(subject: string): string | undefined {
  return /^[\w*.:[\]-]+$/.test(subject) && !subject.includes("//")
    ? undefined
    : "the parentheses take the name of a host, such as `deny host(*.example.com)`";
}

/** `{"/home/ada/shop": ["allow bash(npm test*)"]}` */
export function checkProjectRules(value: unknown): LostPart[] {
  return Object.entries(value as object).flatMap(([directory, rules]): LostPart[] => {
    const path = [directory];
    if (!isAbsolute(directory)) {
      const message = `${JSON.stringify(directory)} is not the absolute path of a project`;
      return [{ path, message, calls: "any" }];
    }
    if (!Array.isArray(rules)) {
      return [{ path, message: "expected a list of rules", calls: "any" }];
    }
    return checkRules(rules).map((part) => ({ ...part, path: [directory, ...(part.path ?? [])] }));
  });
}

/** Signs of another notation in the brackets: as it stands, it would refuse nothing. */
function oddSubject({ subject = "" }: ApprovalRule): string | undefined {
  if (subject !== subject.trim()) return "remove the spaces inside the parentheses";
  if (/^(["'`])[^]*\1$/.test(subject)) return "quotes stand inside of the brackets; take them out";
  if (/^\/[^]*[.\\^$|+][^]*\/$/.test(subject)) {
    return "the parentheses contain a regular expression; only * is a wildcard";
  }
  return /\)\s*[,;]\s*\w+\(/.test(subject)
    ? "two rules are joined into one; put each on its own line"
    : undefined;
}

const NEXT_RULE = /\)\s+-\s+['"]?(?:allow|prompt|deny)\s/;

function isTwo({ subject }: ApprovalRule): boolean {
  return subject !== undefined && NEXT_RULE.test(subject);
}

/** `- allow ssh(build: make)`: to YAML, a map of one name. */
function splitAtColon(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const [pair, ...more] = Object.entries(given);
  if (!pair || more.length > 0) return undefined;
  const [name, value] = pair as [string, unknown];
  if (value === null) return `${name}:`;
  return typeof value === "object" ? undefined : `${name}: ${String(value)}`;
}

type Calls = LostPart["calls"];

/** Whose calls are lost with this rule. */
function callsOf({ verdict, tool }: ApprovalRule): Calls[] {
  if (verdict === "allow") return ["none"];
  const known = BUILT_IN_TOOLS.filter((name) => fits(tool, name));
  if (known.length === 1) return known.map((one) => ({ tool: one }));
  return toolsMeantBy(tool).map((calls) => (calls === "none" ? { tool } : calls));
}

function toolsMeantBy(name: string): Calls[] {
  const word = name.toLowerCase();
  const fitting = word.includes("*") ? BUILT_IN_TOOLS.filter((tool) => fits(word, tool)) : [];
  if (fitting.length === BUILT_IN_TOOLS.length) return ["any"];
  if (fitting.length > 0) return fitting.map((tool) => ({ tool }));
  const plain = word.replaceAll("*", "");
  if (OF_MANY.test(plain)) return ["any"];
  const near = nearTools(plain);
  if (near.length > 0) return near.map((tool) => ({ tool }));
  return [MAY_BE_A_TOOL.test(plain) ? "none" : "any"];
}

/** As servers and extensions name theirs. */
const MAY_BE_A_TOOL = /^[a-z][\w.-]*$/;
/** Words for more than one tool, or for none: whoever denies them means calls that are not named. */
const OF_MANY =
  /^(?:(?:approval)?mode|defaults?|fallback|all|any|anything|every|everything|others?|else|rest|global|general|commands?|files?|folders?|director(?:y|ies)|tools?|calls?|actions?|exec(?:ute|ution)?|chang(?:e|es|ing)|network|internet|system|dangerous|destructive|unsafe|unknown|polic(?:y|ies)|rules?|approvals?|permissions?|allow(?:ed)?|prompt|confirm|deny|denied|block(?:ed)?|forbidden|always|never|enabled|disabled)$/;

/** One with a slip in it, one of another program's, or the beginning of several. */
function nearTools(word: string): string[] {
  if (BUILT_IN_TOOLS.includes(word)) return [word];
  const other = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
  if (other !== undefined) return [other];
  const near = suggest(word, BUILT_IN_TOOLS) ?? [];
  // `as` may be `ask` with a letter missing, or all that is left of `ast_grep`.
  const begun = word === "" ? [] : BUILT_IN_TOOLS.filter((tool) => tool.startsWith(word));
  return [...new Set([near, begun].flat())];
}

function noSuchTool(name: string, calls: Calls): string {
  const near = typeof calls === "object" && "tool" in calls ? ` (did you mean ${calls.tool}?)` : "";
  return `there is no tool ${name}${near}`;
}

/** A lost allowance loosens nothing. Otherwise what is named before the bracket is meant, if it is clear. */
function callsNamedIn(text: unknown): Calls[] {
  if (typeof text !== "string") return ["any"];
  const [head = ""] = text.split("(");
  const [verdict = "", ...names] = head.trim().split(/[\s:]+/);
  // An entry of the list that is indented too far becomes a part of the one before.
  const isOnlyOne = !/[^a-z](?:allow|prompt|deny)\s/i.test(text.slice(verdict.length));
  if (!isOnlyOne) return ["any"];
  if (verdict === "allow") return ["none"];
  const words = isVerdict(verdict.toLowerCase()) ? names : [verdict, ...names];
  const tools = new Set(words.flatMap((word) => nearTools(word.toLowerCase())));
  const [tool] = tools;
  return [tools.size === 1 && tool !== undefined ? { tool } : "any"];
}
