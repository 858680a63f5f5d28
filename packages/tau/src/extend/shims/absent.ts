// What the family's packages export and Tau does not have. An extension that imports one of these is loaded
// all the same, because most need it in one corner only: which ones it names is told when it is loaded, and
// whoever gets there is told by name.

import { ABSENT_EXPORTS } from "./absent-exports.ts";

/** Something was used that an extension was told it would not find here. */
export class AbsentExport extends Error {
  override readonly name = "AbsentExport";
}

/** By the part of the package's name behind the scope; a subpath counts as its package. */
export function absentNames(packageName: string): readonly string[] {
  const [, owner = ""] = /^([\w-]+)/.exec(packageName) ?? [];
  return ABSENT_EXPORTS[owner] ?? [];
}

export function absentExports(packageName: string): Record<string, unknown> {
  const names = absentNames(packageName);
  return Object.fromEntries(names.map((name) => [name, absent(`${name} of ${packageName}`)]));
}

/** Can be named, compared and extended; whatever is done with it besides says what it is. */
function absent(what: string): unknown {
  const refuse = (): never => {
    throw new AbsentExport(`it needs ${what}, which Tau does not have`);
  };
  return new Proxy(function () {}, {
    apply: refuse,
    construct: refuse,
    get: (target, key) =>
      typeof key === "string" && !(key in target) && key !== "then"
        ? absent(`${what} (${key})`)
        : Reflect.get(target, key),
  });
}
