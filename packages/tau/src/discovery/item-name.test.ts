import { expect, test } from "bun:test";
import fc from "fast-check";
import { nameOf, whyRefused } from "./item-name.ts";

test.each([
  ["stem", "/p/commands/review.md", "/p/commands", "", "review"],
  ["stem", "/p/prompts/fix.prompt.md", "/p/prompts", ".prompt.md", "fix"],
  ["stem", "/p/agents/plan.agent.md", "/p/agents", ".agent.md", "plan"],
  ["stem", "/p/.clinerules", "/p", "", "clinerules"],
  ["stem", "/p/rules/v1.2.mdc", "/p/rules", "", "v1.2"],
  ["directory", "/p/skills/pdf/SKILL.md", "/p/skills", "", "pdf"],
  ["path", "/p/commands/git/commit.toml", "/p/commands", ".toml", "git:commit"],
  ["path", "/p/commands/top.toml", "/p/commands", ".toml", "top"],
  ["file", "/p/AGENTS.md", "/p", "", "AGENTS.md"],
] as const)("%s of %s", (part, path, holder, tail, name) => {
  expect(nameOf({ path, holder, tail }, part)).toBe(name);
});

test.each([
  "..",
  ".",
  "../x",
  "a/b",
  "a\\b",
  "%2e%2e",
  "%2E%2e",
  ".%2e",
  "%252e%252e",
  "x%2fy",
  "x%5Cy",
  "x%00",
  "git:..",
  "",
  "  ",
  "a\x1b[31m",
  "a\nb",
  "a\u202eb",
  "a\u200bb",
  "a\x9b31m",
  "x".repeat(200),
])("%j is refused", (name) => {
  expect(whyRefused(name)).toBeString();
});

test.each([
  "pdf",
  "git:commit",
  "v1.2",
  "a b",
  "50%",
  "%zz",
  "größe",
  "日本",
  "a..b",
  "...x",
  "100%25",
])("%j is a name", (name) => {
  expect(whyRefused(name)).toBeUndefined();
});

test("however often a way upwards is encoded, it is refused", () => {
  const encode = (text: string): string =>
    [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
  const way = fc.constantFrom("..", "../x", "a/../b", "\\", "/etc/passwd");
  fc.assert(
    fc.property(way, fc.integer({ min: 0, max: 2 }), (start, rounds) => {
      let name: string = start;
      for (let round = 0; round < rounds; round++) name = encode(name);
      expect(whyRefused(name)).toBeString();
    }),
  );
});
