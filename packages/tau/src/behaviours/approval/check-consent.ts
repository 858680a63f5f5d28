// What is wrong inside of the rules and policies of consent, and whose calls it may have been about: a
// refusal with a slip in it must not let anything through.

import { suggest } from "../../cli/suggest.ts";
import type { LostPart } from "../../config/setting.ts";
import { BUILT_IN_TOOLS, OWN_MAKING } from "../../tools/built-in.ts";
import { fits, isVerdict, parseRule } from "./approval-rule.ts";

/** Their calls are judged as any others, but they come with a behaviour. */
const OF_BEHAVIOURS = ["resolve"];
export const KNOWN_TOOLS: readonly string[] = [...BUILT_IN_TOOLS, ...OWN_MAKING, ...OF_BEHAVIOURS];

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
};

/** Of servers and extensions: nobody knows them before they are there. */
const OF_SERVERS = /^mcp__/;

/** `{bash: prompt}` */
export function checkPolicies(value: unknown): LostPart[] {
  return Object.entries(value as object).flatMap(([name, word]): LostPart[] => {
    if (word === "allow") return [];
    const wrongWord = isVerdict(word) ? "" : "allow, prompt or deny is expected";
    if (KNOWN_TOOLS.includes(name)) {
      return wrongWord === "" ? [] : [{ path: [name], message: wrongWord, calls: { tool: name } }];
    }
    if (name.includes("*")) {
      const message = "the name of one tool is expected; a pattern is for tools.rules";
      return toolsMeantBy(name).map((calls) => ({ path: [name], message, calls }));
    }
    if (OF_SERVERS.test(name) && wrongWord === "") return [];
    return toolsMeantBy(name).map((calls) => ({
      path: [name],
      message: wrongWord || noSuchTool(name, calls),
      calls,
    }));
  });
}

/** `["deny bash(git push*)"]` */
export function checkRules(value: unknown): LostPart[] {
  return (value as readonly unknown[]).flatMap((text, at): LostPart[] => {
    const rule = parseRule(text);
    const path = [at];
    if (!rule) {
      const message = `${JSON.stringify(text)} is not a rule, as \`deny bash(git push*)\` is`;
      return callsNamedIn(text).map((calls) => ({ path, message, calls }));
    }
    if (rule.subject !== undefined && NEXT_RULE.test(rule.subject)) {
      const message = "two rules stand in one; check how far the lines are indented";
      return [{ path, message, calls: "any" }];
    }
    if (rule.verdict === "allow" || OF_SERVERS.test(rule.tool)) return [];
    if (KNOWN_TOOLS.some((name) => fits(rule.tool, name))) return [];
    return toolsMeantBy(rule.tool).map((calls) => ({
      path,
      message: noSuchTool(rule.tool, calls),
      calls,
    }));
  });
}

const NEXT_RULE = /\)\s+-\s+['"]?(?:allow|prompt|deny)\s/;

type Calls = LostPart["calls"];

function toolsMeantBy(name: string): Calls[] {
  const word = name.toLowerCase();
  const fitting = word.includes("*") ? KNOWN_TOOLS.filter((tool) => fits(word, tool)) : [];
  if (fitting.length === KNOWN_TOOLS.length) return ["any"];
  if (fitting.length > 0) return fitting.map((tool) => ({ tool }));
  const near = nearTools(word.replaceAll("*", ""));
  return near.length === 0 ? ["none"] : near.map((tool) => ({ tool }));
}

/** One with a slip in it, one of another program's, or the beginning of several. */
function nearTools(word: string): string[] {
  if (KNOWN_TOOLS.includes(word)) return [word];
  const other = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
  const near = other ?? suggest(word, KNOWN_TOOLS);
  if (near !== undefined) return [near];
  return word === "" ? [] : KNOWN_TOOLS.filter((tool) => tool.startsWith(word));
}

function noSuchTool(name: string, calls: Calls): string {
  const near = typeof calls === "object" ? `; did you mean ${calls.tool}?` : "";
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
