// Frontmatter as the tools of this field write it, careless YAML included.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseFrontmatter } from "./frontmatter.ts";
import { MAX_FRONTMATTER_BYTES } from "./limits.ts";

const page = (yaml: string, body = "Body.\n"): string => `---\n${yaml}\n---\n${body}`;

describe("as other tools write it", () => {
  test.each<[string, string, Record<string, unknown>]>([
    [
      "a Claude skill",
      page("name: pdf\ndescription: Use when: somebody asks for a PDF\nallowed-tools: Read, Grep"),
      {
        name: "pdf",
        description: "Use when: somebody asks for a PDF",
        "allowed-tools": "Read, Grep",
      },
    ],
    [
      "a Claude agent",
      page(
        "name: reviewer\ndescription: Reviews. Examples: <example>user: hi</example>\ntools: [Read, Grep]\nmodel: opus",
      ),
      {
        name: "reviewer",
        description: "Reviews. Examples: <example>user: hi</example>",
        tools: ["Read", "Grep"],
        model: "opus",
      },
    ],
    [
      "a Claude command",
      page(
        "argument-hint: [pr-number] [priority]\nallowed-tools: Bash(git add:*), Bash(git status:*)",
      ),
      {
        "argument-hint": "[pr-number] [priority]",
        "allowed-tools": "Bash(git add:*), Bash(git status:*)",
      },
    ],
    [
      "a Cursor rule",
      page("description: \nglobs: *.ts,*.tsx\nalwaysApply: false"),
      { description: null, globs: "*.ts,*.tsx", alwaysApply: false },
    ],
    [
      "a Cursor rule with stars",
      page("description: TS: the rules\nglobs: **/*.ts\nalwaysApply: true"),
      { description: "TS: the rules", globs: "**/*.ts", alwaysApply: true },
    ],
    [
      "a Copilot instruction",
      page("applyTo: '**/*.ts,**/*.tsx'\ndescription: \"It's: fine\""),
      { applyTo: "**/*.ts,**/*.tsx", description: "It's: fine" },
    ],
    [
      "a Copilot prompt",
      page("mode: agent\ntools: ['codebase', 'search']\ndescription: @workspace things"),
      { mode: "agent", tools: ["codebase", "search"], description: "@workspace things" },
    ],
    [
      "an OpenCode agent",
      page("description: Docs\nmode: subagent\ntools:\n  write: false\n  bash: false"),
      { description: "Docs", mode: "subagent", tools: { write: false, bash: false } },
    ],
    [
      "a Windsurf rule",
      page("trigger: glob\nglobs: **/*.py"),
      { trigger: "glob", globs: "**/*.py" },
    ],
    [
      "a list at the left edge beside a careless line",
      page("description: When: now\nglobs:\n- '*.a'\n- '*.b'"),
      { description: "When: now", globs: ["*.a", "*.b"] },
    ],
    [
      "a text of several lines with a colon",
      page("description: Use this\n  when: needed\n  or not\nname: x"),
      { description: "Use this when: needed or not", name: "x" },
    ],
    [
      "a block",
      page("description: |\n  One: two\n  three\nname: x"),
      { description: "One: two\nthree\n", name: "x" },
    ],
    ["a quotation in a text", page('description: "x" and: y'), { description: '"x" and: y' }],
    ["a backtick", page("description: `x` does y"), { description: "`x` does y" }],
    ["a comment", page("# mine\nname: x # it\n\nwhen: a: b"), { name: "x", when: "a: b" }],
    [
      "Windows line ends",
      "---\r\nname: x\r\nwhen: a: b\r\n---\r\nBody.\n",
      { name: "x", when: "a: b" },
    ],
    ["a byte order mark", `\ufeff${page("name: x")}`, { name: "x" }],
    ["an end without a line after it", "---\nname: x\n---", { name: "x" }],
    ["nothing in it", page(""), {}],
    ["a name that would change objects", page("__proto__:\n  x: 1\nname: y"), { name: "y" }],
    ["the same, carelessly", page("__proto__: a: b\nname: y"), { name: "y" }],
  ])("%s", (_, text, expected) => {
    const { attributes, body, problems } = parseFrontmatter(text);
    expect(attributes).toEqual(expected);
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
    expect(problems).toEqual([]);
    expect(["Body.\n", ""]).toContain(body);
  });
});

describe("no frontmatter", () => {
  test.each([
    ["none", "# Title\n"],
    ["a rule between paragraphs", "---\n\nText\n"],
    ["more dashes", "----\nname: x\n----\n"],
    ["not at the beginning", "\n---\nname: x\n---\n"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(parseFrontmatter(text)).toEqual({ attributes: {}, body: text, problems: [] });
  });
});

describe("mistakes are named by line, and cost only themselves", () => {
  test.each<[string, string, Record<string, unknown>, number[]]>([
    [
      "a broken list",
      page("name: x\ntools: [a, b\ndescription: d"),
      { name: "x", description: "d" },
      [3],
    ],
    ["a broken quote", page('name: "x\ndescription: d'), { description: "d" }, [2]],
    [
      "a line that is nothing",
      page("name: x\nwhat is this\nother: a: b"),
      { name: "x", other: "a: b" },
      [3],
    ],
    ["a list instead", page("- a\n- b"), {}, [2]],
    ["no end", "---\nname: x\n\nBody\n", {}, [1]],
  ])("%s", (_, text, expected, lines) => {
    const { attributes, problems } = parseFrontmatter(text);
    expect(attributes).toEqual(expected);
    expect(problems.map(({ line }) => line)).toEqual(lines);
  });

  test("an end that comes too late is none", () => {
    const text = page(`name: ${"x".repeat(MAX_FRONTMATTER_BYTES + 10)}`);
    expect(parseFrontmatter(text)).toMatchObject({ attributes: {}, problems: [{ line: 1 }] });
  });

  test.each([
    ["brackets", `a: ${"[".repeat(60_000)}`],
    ["spaces before a colon", `a${" ".repeat(60_000)}x:y\nb: c: d`],
    ["colons", `a: b: ${":".repeat(60_000)}`],
    ["careless lines", "k: a: b\n".repeat(8000)],
  ])("tens of thousands of %s take no time", (_, yaml) => {
    const start = performance.now();
    expect(parseFrontmatter(page(yaml)).body).toBe("Body.\n");
    // A machine under load takes a while; a pattern that explodes takes minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test("aliases that multiply are refused", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let at = 1; at < 12; at++) {
      lines.push(
        `a${at}: &a${at} [${Array(9)
          .fill(`*a${at - 1}`)
          .join(", ")}]`,
      );
    }
    const { attributes } = parseFrontmatter(page(lines.join("\n")));
    expect(JSON.stringify(attributes).length).toBeLessThan(10_000);
  });
});

const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/);
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()));

test("what is written as YAML is read as it was, whatever follows", () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1 }), fc.string(), (attributes, body) => {
      const yaml = Object.entries(attributes).map(
        ([name, one]) => `${name}: ${JSON.stringify(one)}`,
      );
      const parsed = parseFrontmatter(page(yaml.join("\n"), body));
      expect(parsed).toEqual({ attributes, body, problems: [] });
    }),
  );
});

test("a careless description stays whole and hides nothing beside it", () => {
  const words = fc.stringMatching(
    /^[A-Za-z][A-Za-z ]{0,20}: [A-Za-z][A-Za-z: `*&!%@-]{0,30}[a-z]$/,
  );
  fc.assert(
    fc.property(words, (text) => {
      const parsed = parseFrontmatter(page(`description: ${text}\nname: x\ntools: [a, b]`));
      expect(parsed.attributes).toEqual({ description: text, name: "x", tools: ["a", "b"] });
    }),
  );
});

test("any text at all is read without an exception, and nothing of it is lost", () => {
  const line = fc.oneof(
    fc.constantFrom("---", "a: b", "- x", "k: [", ' "', "a: b: c"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join("\n");
      const { body } = parseFrontmatter(text);
      expect(text.endsWith(body)).toBe(true);
    }),
  );
});
