// The tests of a find expression: whether they choose some of what is there, or leave all of it.

import type { Field } from "../field.ts";

/** Tests that choose some of what is there; depth and kind leave all the work of a directory. */
const CHOOSING =
  /^-(?:i?name|i?path|i?wholename|i?regex|newer\w*|[amc](?:time|min)|size|empty|user|group|perm|inum|links|samefile|readable|writable|executable|used|lname|ilname|xtype)$/;
/** Links, sockets and the like are few. */
const RARE_KIND = /^[lpsbcD]$/;

/** Whether only some of what is found is meant: a test that is negated, or that all pass, is none. */
export function isChoosing(expression: readonly Field[]): boolean {
  const all = expression.map(({ text }) => text ?? "?");
  // `-path ./keep -prune -o -delete`: what stands before an "or" leaves the rest as it is.
  const from = all.findLastIndex((text) => text === "-o" || text === "-or" || text === ",");
  const texts = all.slice(from + 1);
  return texts.some((text, index) => {
    const isNegated = texts[index - 1] === "!" || texts[index - 1] === "-not";
    if (isNegated) return false;
    const value = texts[index + 1] ?? "";
    if (/^-(?:type|xtype)$/.test(text)) return RARE_KIND.test(value);
    if (/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(text)) return !/^[*./?]*$/.test(value);
    return CHOOSING.test(text);
  });
}
