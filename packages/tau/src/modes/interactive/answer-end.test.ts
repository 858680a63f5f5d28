import { expect, test } from "bun:test";
import { endOfAnswer } from "./answer-end.ts";

test("a short answer is whole", () => {
  expect(endOfAnswer("a\nb", 3)).toEqual({ text: "a\nb", omittedChars: 0 });
});

test("a long one begins with a line, and says how much is missing", () => {
  expect(endOfAnswer("one\ntwo\nthree\nfour", 6)).toEqual({ text: "four", omittedChars: 14 });
  expect(endOfAnswer("one\ntwo\nthree\nfour", 11)).toEqual({
    text: "three\nfour",
    omittedChars: 8,
  });
});

test.each([
  ["```ts\na\nb\nc\n```", "```ts\nb\nc\n```"],
  ["```ts\na\n```\nb\nc words", "b\nc words"],
  ["````md\n```\na\nb\nc words", "````md\nb\nc words"],
  ["~~~\n```\na\nb\nc words", "~~~\nb\nc words"],
])("code that is cut into stays code: %j", (whole, end) => {
  const shown = end.slice(end.indexOf("b\nc"));
  expect(endOfAnswer(whole, shown.length + 1).text).toBe(end);
});

test("a line that is longer than the limit is cut, not within a character, and stays code", () => {
  const long = "😀".repeat(100);
  expect(endOfAnswer(long, 51)).toEqual({ text: "😀".repeat(25), omittedChars: 150 });
  const code = endOfAnswer(`\`\`\`js\n${long}\n\`\`\`\n`, 55);
  expect(code.text).toBe(`\`\`\`js\n${"😀".repeat(25)}\n\`\`\`\n`);
});
