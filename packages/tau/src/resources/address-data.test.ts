import { expect, test } from "bun:test";
import { carriesData, isOwnMachine, webAddress } from "./address-data.ts";

test.each([
  "https://example.com",
  "www.example.com/docs",
  "https://docs.python.org/3/library/pathlib.html#pathlib.Path.read_text",
  "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Promise",
  "https://github.com/oven-sh/bun/blob/0123456789abcdef0123456789abcdef01234567/README.md",
  "https://blog.example.com/2024/05/how-to-do-something-useful-with-a-long-title-in-python",
  "https://www.google.com/search?q=bun+test+runner",
  "https://pkg.go.dev/golang.org/x/tools@v0.21.1/go/packages",
  "https://stackoverflow.com/questions/12345678/what-is-the-difference-between-a-and-b",
  "https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz",
])("%s names a page", (text) => {
  expect(carriesData(webAddress(text)!)).toBe(false);
});

test.each([
  "https://user:secret@example.com/",
  `https://example.com/?d=${"x".repeat(90)}`,
  "https://example.com/?k=c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFB",
  "https://example.com/c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFC",
  "https://example.com/7373682d727361204141414142334e7a6143317963324541414141/x",
  "https://c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFC.example.com/",
  `https://example.com/${"word/".repeat(80)}`,
])("%s carries more", (text) => {
  expect(carriesData(webAddress(text)!)).toBe(true);
});

test("paths are no addresses, and some addresses stay here", () => {
  expect(webAddress("src/a.ts")).toBeUndefined();
  expect(webAddress("local://notes.md")).toBeUndefined();
  expect(isOwnMachine(webAddress("http://localhost:3000/x?token=1")!)).toBe(true);
  expect(isOwnMachine(webAddress("http://127.0.0.1:8080/")!)).toBe(true);
  expect(isOwnMachine(webAddress("http://localhost.example.com/")!)).toBe(false);
});
