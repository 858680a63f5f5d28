// Roles name what a model is for, so that one setting changes it everywhere. A role may
// point at another; a level written on the way wins over the target's own.

import type { ThinkingLevel } from "@tau/ai/model";
import { splitLevel } from "./selector.ts";

export const ROLES = [
  "default",
  "smol",
  "slow",
  "vision",
  "plan",
  "designer",
  "commit",
  "title",
  "task",
  "advisor",
] as const;
export type Role = (typeof ROLES)[number];

/** `tau/smol` means the role; the older prefix is understood too. */
const ROLE_PREFIX = /^(?:tau|pi|omp)\//;

export type RoleTable = Readonly<Record<string, string | undefined>>;

export type RoleResult =
  | { kind: "selector"; selector: string; thinking?: ThinkingLevel }
  | { kind: "unset"; role: string }
  | { kind: "cycle"; roles: readonly string[] };

/** The role that a selector refers to, where it refers to one. */
export function roleOf(selector: string, table: RoleTable): string | undefined {
  const { name } = splitLevel(selector);
  if (!ROLE_PREFIX.test(name)) return undefined;
  const role = name.replace(ROLE_PREFIX, "");
  return isRole(role, table) ? role : undefined;
}

/** Written like a role, whether or not there is one. */
export function isRoleName(name: string): boolean {
  return ROLE_PREFIX.test(name);
}

export function isRole(name: string, table: RoleTable): boolean {
  return (ROLES as readonly string[]).includes(name) || Object.hasOwn(table, name);
}

export function resolveRole(role: string, table: RoleTable): RoleResult {
  const seen: string[] = [];
  let thinking: ThinkingLevel | undefined;
  let at = role;
  for (;;) {
    if (seen.includes(at)) return { kind: "cycle", roles: [...seen, at] };
    seen.push(at);
    const selector = table[at];
    if (!selector) return { kind: "unset", role: at };
    const next = roleOf(selector, table);
    if (next === undefined) {
      return thinking === undefined
        ? { kind: "selector", selector }
        : { kind: "selector", selector: splitLevel(selector).name, thinking };
    }
    thinking ??= splitLevel(selector).thinking;
    at = next;
  }
}
