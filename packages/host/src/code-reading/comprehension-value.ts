// `[f(x) for x in y if z]`

import type { Expression } from "./code-node.ts";
import type { CodeReader } from "./code-reader.ts";
import { CodeScope } from "./code-scope.ts";
import { recordFrom } from "./record-value.ts";
import { DATA, elementOf, list, type Value } from "./code-value.ts";

export function comprehensionValue(
  reader: CodeReader,
  node: Extract<Expression, { type: "comprehension" }>,
  scope: CodeScope,
): Value {
  const own = new CodeScope(scope, reader.level);
  return reader.perhaps(() => {
    let source: Value = DATA;
    for (const clause of node.clauses) {
      const value = reader.evaluate(clause.source, own);
      if (!clause.target) continue;
      reader.language.iterated(reader, value);
      source = value;
      own.names.delete("");
      reader.assign(clause.target, elementOf(value), own);
    }
    // Short lists are gone through one by one.
    const [clause] = node.clauses;
    const isOne = node.clauses.filter(({ target }) => target).length === 1;
    const [element] = node.elements;
    if (
      isOne &&
      node.elements.length === 1 &&
      source.kind === "list" &&
      !source.isOpen &&
      source.items.length <= 64
    ) {
      const items = source.items.map((item) => {
        const each = new CodeScope(scope, reader.level);
        reader.assign(clause!.target!, item, each);
        return reader.evaluate(element!, each);
      });
      return list(items, node.clauses.length > 1);
    }
    const values = node.elements.map((each) => reader.evaluate(each, own));
    if (values.length === 1) return list([values[0]!], true);
    const [key, value] = values;
    return recordFrom(list([list([key!, value!])], true));
  });
}
