// What the readers of other tools' settings have in common: how they name files, commands and hosts.

import type { ApprovalRule, Verdict } from "./approval-rule.ts";
import { HOST } from "./host-rules.ts";

export type Tree = Readonly<Record<string, unknown>>;

export const READERS: readonly string[] = ["read", "search", "find"];

export function isChanging(tools: readonly string[]): boolean {
  return tools.includes("bash") || tools.includes("edit");
}

/** `WebFetch(domain:example.com)` is about a host, whichever tool talks to it. */
export function webRules(subject: string | undefined, verdict: Verdict): ApprovalRule[] {
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

/** `git push:*` and `git push *` are `git push` alone and with more after it, and never `git pushed`. */
export function commandPatterns(text: string): string[] {
  const prefix = /^([^]*?)(?::\*|\s+\*)$/.exec(text)?.[1];
  if (prefix === undefined) return [starred(text)];
  return text.endsWith(":*")
    ? [literal(prefix), `${literal(prefix)} *`]
    : [starred(prefix), `${starred(prefix)} *`];
}

/** Only stars stand for something else. */
function starred(text: string): string {
  return text.replaceAll("\\", "\\\\");
}

export function isForeignVerdict(word: unknown): boolean {
  return verdictOf(word) !== undefined;
}

export function verdictOf(word: unknown): Verdict | undefined {
  return word === "ask" ? "prompt" : word === "allow" || word === "deny" ? word : undefined;
}

/** Stars and backslashes stand for themselves. */
function literal(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("*", "\\*");
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
