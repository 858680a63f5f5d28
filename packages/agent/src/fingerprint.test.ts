import { expect, test } from "bun:test";
import {
  fingerprintOfContent,
  fingerprintOfFailure,
  fingerprintOfJson,
  stableJson,
} from "./fingerprint.ts";

test("equal values look equal, whatever the order of their keys", () => {
  const one = { b: [{ d: 1, c: null }], a: "x", e: { z: 1, y: 2 } };
  const other = { e: { y: 2, z: 1 }, a: "x", b: [{ c: null, d: 1 }] };
  expect(fingerprintOfJson(one)).toBe(fingerprintOfJson(other));
  expect(stableJson(one)).toBe('{"a":"x","b":[{"c":null,"d":1}],"e":{"y":2,"z":1}}');
});

test("the order of a list, and every value, make a difference", () => {
  const different = [
    [1, 2],
    [2, 1],
    [],
    {},
    null,
    { a: 1 },
    { a: 2 },
    { b: 1 },
    "a",
    { 0: 1, 1: 2 },
  ];
  expect(new Set(different.map(fingerprintOfJson)).size).toBe(different.length);
});

test("contents differ by kind, words, number and order of their blocks", () => {
  const text = (text: string) => ({ type: "text" as const, text });
  const image = (data: string) => ({ type: "image" as const, data, mimeType: "image/png" });
  const different = [
    [],
    [text("a")],
    [text("b")],
    [image("a")],
    [image("b")],
    [text("a"), text("b")],
    [text("b"), text("a")],
    [text("ab")],
  ];
  expect(new Set(different.map(fingerprintOfContent)).size).toBe(different.length);
  expect(fingerprintOfContent([text("a"), image("b")])).toBe(
    fingerprintOfContent([text("a"), image("b")]),
  );
});

test("a failure is the same whatever name was made up for it, and another one is not", () => {
  const text = (text: string) => fingerprintOfFailure([{ type: "text", text }]);
  expect(text("no space for /a/.tmp-x7Kq2 (pid 311)")).toBe(
    text("no space for /a/.tmp-p0Zz9 (pid 4)"),
  );
  expect(text("cannot write /a/tmpAbcDef")).toBe(text("cannot write /a/tmpXyzUvw"));
  expect(text("no space")).not.toBe(text("no permission"));
  expect(text("no such file: readme")).not.toBe(text("no such file: license"));
  const image = { type: "image" as const, data: "a1", mimeType: "image/png" };
  expect(fingerprintOfFailure([image])).not.toBe(fingerprintOfFailure([{ ...image, data: "a2" }]));
});
