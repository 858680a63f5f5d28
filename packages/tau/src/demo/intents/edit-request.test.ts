import { expect, test } from "bun:test";
import { readEditRequest, type EditRequest } from "./edit-request.ts";

const replace = (old: string, text: string, path: string, everywhere = false): EditRequest => ({
  kind: "replace",
  path,
  old,
  text,
  everywhere,
});

test.each<[string, EditRequest]>([
  ["replace foo with bar in a.txt", replace("foo", "bar", "a.txt")],
  ["Replace `foo` by `bar` in @src/a.ts.", replace("foo", "bar", "src/a.ts")],
  ["rename foo to bar in a.txt please", replace("foo", "bar", "a.txt")],
  ['change "a b" to "c d" in "my file.txt"', replace("a b", "c d", "my file.txt")],
  ["replace all foo with bar in a.txt", replace("foo", "bar", "a.txt", true)],
  ["replace every occurrence of foo with bar in a.txt", replace("foo", "bar", "a.txt", true)],
  ["replace foo with bar everywhere in a.txt", replace("foo", "bar", "a.txt", true)],
  ["replace foo with bar in a.txt everywhere", replace("foo", "bar", "a.txt", true)],
  ['replace "foo" with "" in a.txt', replace("foo", "", "a.txt")],
  ['replace "x with y" with "in z" in a.txt', replace("x with y", "in z", "a.txt")],
  ['replace "say "hi"" with "$(x) `y`" in a.txt', replace('say "hi"', "$(x) `y`", "a.txt")],
  ['replace "a" with "b\n\'c\'\n" in a.txt', replace("a", "b\n'c'\n", "a.txt")],
  ["replace “old” with “new” in a.txt", replace("old", "new", "a.txt")],
  ["replace one two with three four in a.txt", replace("one two", "three four", "a.txt")],
  ["in a.txt, change foo to bar", replace("foo", "bar", "a.txt")],
  ['add "line one" to a.txt', { kind: "append", path: "a.txt", text: "line one" }],
  ["append the line 'x' to the end of a.txt", { kind: "append", path: "a.txt", text: "x" }],
  ['create notes/a.txt with "hello"', { kind: "create", path: "notes/a.txt", text: "hello" }],
  [
    "create a file a.txt containing hello there",
    { kind: "create", path: "a.txt", text: "hello there" },
  ],
  ['write "hi" to a.txt', { kind: "create", path: "a.txt", text: "hi" }],
])("%p", (text, expected) => {
  expect(readEditRequest(text)).toEqual(expected);
});

test.each([
  "replace foo with bar",
  "change the colours",
  'replace "" with "x" in a.txt',
  "add tests",
  "create",
  "rename a",
])("%p is not an edit", (text) => {
  expect(readEditRequest(text)).toBeUndefined();
});
