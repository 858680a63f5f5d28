// `${x%.js}`, `${x##*/}` and their kin, on a value that is known or known to match a pattern.

import { knownField, unknownField, type Field } from "./field.ts";

export function trimValue(value: Field, operator: string, pattern: string): Field {
  const text = value.text!;
  const isPlain = !/[*?[\\]/.test(pattern);
  const isEnd = operator.startsWith("%");
  if (isPlain) {
    if (isEnd && text.endsWith(pattern))
      return { ...value, ...cut(text.slice(0, text.length - pattern.length)) };
    if (!isEnd && text.startsWith(pattern)) return { ...value, ...cut(text.slice(pattern.length)) };
    // Of a pattern it may still be the end of some names: the directory is the same then.
    return value.isPattern ? unknownField() : value;
  }
  const slash = text.lastIndexOf("/");
  if (pattern === "*/" && operator === "##") return { ...value, ...cut(text.slice(slash + 1)) };
  if (pattern === "/*" && operator === "%")
    return slash < 0 ? value : { ...value, ...cut(text.slice(0, slash)) };
  // `.*` at the end takes an extension; what is left is in the same directory.
  const dot = operator === "%" ? text.lastIndexOf(".") : text.indexOf(".", slash + 1);
  if (pattern === ".*" && isEnd && !value.isPattern) {
    return dot < 0 ? value : knownField(text.slice(0, dot));
  }
  if (pattern === ".*" && isEnd && dot > slash + 1) {
    // Some star before the dot: a name that begins as the pattern does.
    return knownField(`${text.slice(0, dot)}*`, true);
  }
  return unknownField();
}

function cut(text: string): Pick<Field, "text" | "prefix"> {
  return { text, prefix: text };
}
