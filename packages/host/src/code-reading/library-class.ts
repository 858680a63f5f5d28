// Classes that extend one of a library: the library calls their methods by name, some of them without
// anybody having made an object.

import type { CodeReader } from "./code-reader.ts";
import { DATA, args, type ClassValue, type FunctionValue, type Value } from "./code-value.ts";
import { allMembers, bound, memberOfClass } from "./instance-member.ts";

/** Methods that a library calls of classes which extend its own. */
const BY_LIBRARY =
  /^(?:_(?!_)\w+|run|handle\w*|do_\w+|default|visit\w*|test\w*|setUp\w*|tearDown\w*|on_?[a-z]\w*|transform|flush|final|construct|emit|dispatch\w*|get_method)$/;

export function isCalledByLibrary(name: string): boolean {
  return BY_LIBRARY.test(name);
}

export function extendsLibrary(made: ClassValue): boolean {
  return made.bases.some(
    (base) =>
      base.kind === "known" ||
      base.kind === "made" ||
      (base.kind === "class" && extendsLibrary(base)),
  );
}

/** Those of a class that is handed to a library: what one leaves in the object, the next finds. */
export function methodsForLibrary(made: ClassValue): FunctionValue[] {
  if (!extendsLibrary(made)) return [];
  const self: Value = { kind: "instance", of: made, fields: new Map() };
  const methods = allMembers(made).filter(([name]) => isCalledByLibrary(name));
  // What sets things up comes first.
  const ordered = methods.toSorted(([left], [right]) => placeOf(left) - placeOf(right));
  return ordered.flatMap(([, member]) =>
    member.kind === "function" ? [{ ...member, bound: [self], self }] : [],
  );
}

function placeOf(name: string): number {
  return name.startsWith("setUp") ? 0 : name.startsWith("tearDown") ? 2 : 1;
}

/** Tests are found by whoever runs them, and the members of an enumeration are made at once. */
export function definedForLibrary(reader: CodeReader, made: ClassValue): void {
  const bases = basesOf(made);
  if (bases.some((name) => name.startsWith("unittest.")))
    for (const method of methodsForLibrary(made)) reader.call(method, args());
  if (bases.some((name) => name.startsWith("enum."))) makeMembers(reader, made);
}

function basesOf({ bases }: ClassValue): string[] {
  return bases.flatMap((base) =>
    base.kind === "known" ? [base.name] : base.kind === "class" ? basesOf(base) : [],
  );
}

function makeMembers(reader: CodeReader, made: ClassValue): void {
  for (const name of ["__init__", "__new__", "_generate_next_value_", "_missing_"]) {
    const method = memberOfClass(made, name);
    if (method?.kind !== "function") continue;
    for (const value of made.members.values()) {
      if (value.kind === "function") continue;
      const instance: Value = { kind: "instance", of: made, fields: new Map([["value", value]]) };
      const given = value.kind === "list" ? args(...value.items) : args(value, DATA, DATA);
      reader.call({ ...method, bound: bound(reader, instance), self: instance }, given);
    }
  }
}
