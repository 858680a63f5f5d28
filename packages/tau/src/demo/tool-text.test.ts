import { expect, test } from "bun:test";
import { looksLikePath, outsideReason } from "./paths.ts";
import { parseCommandText, parseFileText, parseListing } from "./tool-text.ts";
import { readUtterance } from "./utterance.ts";

test("lines left out of the middle keep the numbers right", () => {
  const { lines, complete } = parseFileText("a\n[… 3 lines, 40 bytes left out …]\nb\n");
  expect(lines).toEqual([
    { number: 1, text: "a" },
    { number: 5, text: "b" },
  ]);
  expect(complete).toBe(false);
});

test("numbers that do not rise are the file's own", () => {
  expect(parseFileText("2:x\n1:y").lines[0]).toEqual({ number: 1, text: "2:x" });
  expect(parseFileText("7:x\n8:y").lines[0]).toEqual({ number: 7, text: "x" });
});

test("a section in brackets is no notice", () => {
  expect(parseFileText("a = 1\n[package]\n")).toMatchObject({ complete: true, lines: [{}, {}] });
});

test.each([
  ["out\n[exit code 3]", "out", 3],
  ["out\n\nCommand exited with code 2", "out", 2],
  ["(no output)", "", undefined],
  ["exit code is 3", "exit code is 3", undefined],
])("%p", (text, output, exitCode) => {
  expect(parseCommandText(text)).toEqual({ output, exitCode });
});

test.each([
  ["a.txt\nsrc/", ["a.txt", "src/"]],
  ["- a.txt (3 KB)\n- src/\n  - b.ts\n[2 more entries]", ["a.txt", "src/"]],
  ["./a.txt\n./my file.txt", ["a.txt", "my file.txt"]],
  ["(the directory is empty)", []],
])("listing %p", (text, names) => {
  expect(parseListing(text).map((each) => each.name + (each.isDirectory ? "/" : ""))).toEqual(
    names,
  );
});

test.each(["src/x.ts", "README.md", ".gitignore", "Makefile", "a/b", "x.test.ts"])(
  "%p looks like a path",
  (word) => {
    expect(looksLikePath(word)).toBe(true);
  },
);

test.each(["foo", "1.2.3", "https://x.y/z", "two words.md", "obj.call()", "/", "..."])(
  "%p does not",
  (word) => {
    expect(looksLikePath(word)).toBe(false);
  },
);

test.each([
  "/etc/passwd",
  "~/x",
  "../x",
  "a/../../x",
  "C:\\x",
  "a\\..\\..\\x",
  "",
  ".",
  "a/",
  "a/..",
  "a\nb",
])("an edit may not touch %p", (path) => {
  expect(outsideReason(path)).toBeString();
});

test.each(["a", "./a", "a/../b", "..a", "a b/c"])("an edit may touch %p", (path) => {
  expect(outsideReason(path)).toBeUndefined();
});

test.each([
  ["Hi there, could you please look around for me?", "look around"],
  ["please run ls", "run ls"],
  ["hello", "hello"],
  ["thanks!", "thanks"],
  ["I'd like you to explain  a.ts, please.", "explain a.ts"],
])("courtesies: %p", (text, sentence) => {
  expect(readUtterance([text], { most: 1000 }).sentence).toBe(sentence);
});
