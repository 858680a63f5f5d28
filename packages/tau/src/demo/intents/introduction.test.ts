import { expect, test } from "bun:test";
import { converse } from "../test/converse.ts";

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

test.each([
  "hello",
  "Hi!",
  "help",
  "?",
  "who are you?",
  "what can you do?",
  "What model are you",
  "/help",
  "how do I connect a real model",
])("%p is answered with what it is, what it can do and how to get a model", async (text) => {
  const { answer, calls } = await converse(text);
  expect(calls).toEqual([]);
  expect(oneLine(answer)).toContain("I am not a language model");
  expect(answer).not.toContain("did not understand");
  for (const word of [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "ollama/NAME",
    "tau --help",
  ]) {
    expect(answer).toContain(word);
  }
  for (const example of [
    "look around",
    "explain README.md",
    "find main",
    "run git status",
    "replace ",
  ]) {
    expect(answer).toContain(example);
  }
});

test("the whole introduction", async () => {
  const { answer } = await converse("hello");
  expect(answer).toMatchSnapshot();
  for (const line of answer.split("\n")) expect(line.length).toBeLessThan(80);
});

test("a request it does not understand is named, and the nearest ability is shown", async () => {
  const { answer } = await converse("replace the database layer");
  expect(answer).toStartWith("I did not understand this request: `replace the database layer`");
  expect(oneLine(answer)).toContain("The nearest thing I can do is to make a small edit.");
  expect(answer).toContain("ANTHROPIC_API_KEY");
});

test.each(["fix the bug", "你好，请解释", "", "   ", "\0"])("%p gets an answer", async (text) => {
  const { answer, calls } = await converse(text);
  expect(calls).toEqual([]);
  expect(oneLine(answer)).toContain("I am not a language model");
});

test("a pasted page is no request, whatever it begins with", async () => {
  const { answer, calls } = await converse(`run ${"x ".repeat(10_000)}`);
  expect(calls).toEqual([]);
  expect(oneLine(answer)).toContain("(it is longer than a request to me can be)");
});
