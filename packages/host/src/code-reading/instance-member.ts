// What an object of a class that the code defines has: its own fields first, then what its class and
// the classes before it have.

import type { CodeReader } from "./code-reader.ts";
import { args, type ClassValue, type Value } from "./code-value.ts";

/** Python hands the object over as the first argument. */
export function bound(reader: CodeReader, instance: Value): Value[] {
  return reader.language.tables.isHoisting ? [] : [instance];
}

export function allMembers(made: ClassValue): [string, Value][] {
  const before = made.bases.flatMap((base) => (base.kind === "class" ? allMembers(base) : []));
  return [...before, ...made.members];
}

export function memberOfClass(made: ClassValue, name: string): Value | undefined {
  const own = made.members.get(name);
  if (own) return own;
  for (const base of made.bases) {
    const found = base.kind === "class" ? memberOfClass(base, name) : undefined;
    if (found) return found;
  }
  return undefined;
}

export function instanceMember(
  reader: CodeReader,
  instance: Extract<Value, { kind: "instance" }>,
  name: string,
): Value | undefined {
  const own = instance.fields.get(name);
  if (own) return own;
  const member = memberOfClass(instance.of, name);
  if (member?.kind === "function" && member.isProperty)
    return reader.call({ ...member, bound: bound(reader, instance), self: instance }, args());
  if (member?.kind === "function")
    return { ...member, bound: bound(reader, instance), self: instance };
  return member;
}
