// `super()` and `super.x`: what the classes before an object's own have, the object in hand.

import { choice, known, type ClassValue, type Value } from "./code-value.ts";

/** What it is made by, so that it can be called as well: Python calls `super`, JavaScript its `super(x)`. */
export const SUPER = "super";

/** `before`: what comes before the arguments of a method. */
export function superOf(
  self: Extract<Value, { kind: "instance" }>,
  before: readonly Value[],
): Value {
  const entries = new Map<string, Value>();
  for (const made of ancestorsOf(self.of)) {
    if (made.kind !== "class") {
      // `super().__init__(["rm", "x"])` of a class that extends one of a library.
      for (const name of ["__init__", "constructor"])
        if (made.kind === "known") add(entries, name, known(made.name));
      continue;
    }
    for (const [name, member] of made.members)
      add(
        entries,
        name,
        member.kind === "function" ? { ...member, bound: [...before], self } : member,
      );
  }
  return { kind: "made", by: SUPER, target: { kind: "record", entries, isOpen: true } };
}

function add(entries: Map<string, Value>, name: string, value: Value): void {
  const before = entries.get(name);
  entries.set(name, before === undefined ? value : choice([before, value]));
}

/** Of a class that is its own ancestor, which code can say, no more. */
const MAX_ANCESTORS = 20;

function ancestorsOf({ bases }: ClassValue): Value[] {
  const found: Value[] = [];
  const open = [...bases];
  for (let base = open.shift(); base && found.length < MAX_ANCESTORS; base = open.shift()) {
    found.push(base);
    if (base.kind === "class") open.push(...base.bases);
  }
  return found;
}
