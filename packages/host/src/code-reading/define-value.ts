// What a definition does when it is reached: Python computes the defaults and types of a function
// there, and the classes before a class, or the class of the class, are told of it.

import type { Expression } from "./code-node.ts";
import type { CodeReader } from "./code-reader.ts";
import { CodeScope } from "./code-scope.ts";
import { DATA, args, exactly, list, text, type ClassValue, type Value } from "./code-value.ts";
import { allMembers, memberOfClass } from "./instance-member.ts";
import { definedForLibrary } from "./library-class.ts";
import { noteCodeText } from "./text-code.ts";

export function functionValue(
  reader: CodeReader,
  node: Extract<Expression, { type: "function" }>,
  scope: CodeScope,
): Value {
  if (!reader.language.tables.isHoisting) {
    for (const { byDefault } of node.params) if (byDefault) reader.evaluate(byDefault, scope);
    for (const type of node.types ?? []) noteCodeText(reader, reader.evaluate(type, scope));
  }
  return {
    kind: "function",
    params: node.params,
    body: node.body,
    scope,
    bound: [],
    isProperty: node.isGetter,
    isSetter: node.isSetter,
  };
}

export function classValue(
  reader: CodeReader,
  node: Extract<Expression, { type: "class" }>,
  scope: CodeScope,
): Value {
  const own = new CodeScope(scope, reader.level);
  const bases = node.bases.map((base) => reader.evaluate(base, scope));
  const keywords = new Map(
    (node.keywords ?? []).map(({ name, value }) => [name!, reader.evaluate(value, scope)]),
  );
  const made: ClassValue = { kind: "class", name: node.name ?? "", bases, members: own.names };
  reader.run(node.body, own);
  // Its methods see what is around the class, not what is in it.
  for (const [name, member] of own.names) {
    if (member.kind === "function") own.names.set(name, { ...member, scope });
  }
  reader.language.defined(reader, made);
  announce(reader, made, keywords);
  definedForLibrary(reader, made);
  return made;
}

function announce(reader: CodeReader, made: ClassValue, keywords: Map<string, Value>): void {
  const meta = keywords.get("metaclass");
  for (const base of made.bases) {
    const told = base.kind === "class" ? memberOfClass(base, "__init_subclass__") : undefined;
    if (told?.kind !== "function") continue;
    const named = new Map([...keywords].filter(([name]) => name !== "metaclass"));
    reader.call({ ...told, bound: [made] }, { positional: [], named, isOpen: false });
  }
  if (meta?.kind === "class") {
    for (const [name, member] of allMembers(meta))
      if (/^__\w+__$/.test(name) && member.kind === "function")
        reader.perhaps(() => reader.call({ ...member, bound: [made] }, args(DATA, DATA, DATA)));
  } else if (meta)
    reader.call(
      meta,
      args(text(made.name), list(made.bases), {
        kind: "record",
        entries: made.members,
        isOpen: true,
      }),
    );
}

/** `type("P", (Popen,), {…})` */
export function classOf(name: Value, bases: Value | undefined, members: Value | undefined): Value {
  return {
    kind: "class",
    name: exactly(name) ?? "",
    bases: bases?.kind === "list" ? bases.items : bases ? [bases] : [],
    members: members?.kind === "record" ? members.entries : new Map(),
  };
}
