import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { describeProblem } from "../base/config-problem.ts";
import { parseModelsYml } from "./models-yml.ts";

const parse = (text: string) => parseModelsYml(text, "models.yml", (id) => id === "anthropic");

async function problems(text: string): Promise<string[]> {
  return (await parse(text)).problems.map(describeProblem);
}

const GOOD = `
providers:
  good:
    baseUrl: http://127.0.0.1:8000/v1
    api: openai-completions
    auth: none
    models:
      - id: a/b:c
        reasoning: true
        cost: { input: 1, output: 2 }
`;

test("a whole provider", async () => {
  const config = await parse(GOOD);
  expect(config.problems).toEqual([]);
  expect(config.providers.get("good")).toEqual({
    baseUrl: "http://127.0.0.1:8000/v1",
    api: "openai-completions",
    auth: "none",
    models: [
      {
        id: "a/b:c",
        reasoning: true,
        cost: { input: 1, output: 2 },
      },
    ],
  });
});

test("nothing in it is nothing wrong", async () => {
  for (const text of ["", "\n", "# only a comment\n", "providers:\n", "providers: {}\n"]) {
    expect(await problems(text)).toEqual([]);
  }
});

describe("a mistake names its line and key, and costs only what it is in", () => {
  const cases: [string, string, string][] = [
    [
      "unknown key",
      "  bad:\n    baseUri: http://x\n",
      'models.yml:12: providers.bad.baseUri: unknown key; did you mean "baseUrl"?',
    ],
    [
      "unknown key in a model",
      "  bad:\n    models:\n      - id: x\n        contextwindow: 5\n",
      'models.yml:14: providers.bad.models.0.contextwindow: unknown key; did you mean "contextWindow"?',
    ],
    [
      "wrong type",
      "  bad:\n    headers: 5\n",
      "models.yml:12: providers.bad.headers: must be Object, not 5",
    ],
    [
      "not among the choices",
      "  bad:\n    api: openai\n",
      "models.yml:12: providers.bad.api: must be ",
    ],
    [
      "missing url",
      "  bad:\n    api: openai-completions\n    auth: none\n    models: [{ id: x }]\n",
      "models.yml:11: providers.bad: needs baseUrl",
    ],
    [
      "missing key",
      "  bad:\n    api: openai-completions\n    baseUrl: http://x\n    models: [{ id: x }]\n",
      "models.yml:11: providers.bad: needs apiKey",
    ],
    [
      "missing api",
      "  bad:\n    baseUrl: http://x\n    auth: none\n    models: [{ id: x }]\n",
      "models.yml:14: providers.bad.models.0: x needs api",
    ],
    [
      "no url",
      "  bad:\n    baseUrl: nonsense\n    api: openai-completions\n    auth: none\n    models: [{ id: x }]\n",
      'models.yml:12: providers.bad.baseUrl: "nonsense" is not a URL',
    ],
    [
      "negative window",
      "  bad:\n    models:\n      - id: x\n        contextWindow: -1\n",
      "models.yml:14: providers.bad.models.0.contextWindow: must be greater than 0",
    ],
    ["says nothing", "  anthropic: {}\n", "models.yml:11: providers.anthropic: says nothing"],
    [
      "unknown top key",
      "provders: {}\n",
      'models.yml:11: provders: unknown key; did you mean "providers"?',
    ],
  ];
  for (const [name, text, expected] of cases) {
    test(name, async () => {
      const config = await parse(GOOD + text);
      expect(config.problems.map(describeProblem)[0]).toStartWith(expected);
      expect([...config.providers.keys()]).toEqual(["good"]);
    });
  }
});

test("a built-in provider may be changed without saying where it is", async () => {
  const config = await parse(
    "providers:\n  anthropic:\n    modelOverrides:\n      claude-x: { name: Corp }\n    headers: { X-Team: a }\n",
  );
  expect(config.problems).toEqual([]);
  expect(config.providers.get("anthropic")!.modelOverrides).toEqual({
    "claude-x": { name: "Corp" },
  });
});

test("broken YAML and a wrong top level name the file, and the line where there is one", async () => {
  expect((await problems("providers:\n  a: [\n  b: }\n"))[0]).toStartWith("models.yml:3: ");
  expect(await problems("- a\n")).toEqual(["models.yml: must be a mapping with `providers`"]);
});

test("profiles, equivalence and bindings are judged on their own", async () => {
  const config = await parse(
    "profiles:\n  team:\n    model_mapping: { default: a/b }\n  bad: { model_maping: {} }\nequivalence:\n  exclude: [a/b]\nmodelBindings:\n  modelRoles: { smol: a/c }\n",
  );
  expect([...config.profiles.keys()]).toEqual(["team"]);
  expect(config.equivalence).toEqual({ exclude: ["a/b"] });
  expect(config.bindings).toEqual({ modelRoles: { smol: "a/c" } });
  expect(config.problems.map((problem) => problem.line)).toEqual([4, 4]);
});

test("no text makes it throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60 }), async (text) => {
      const config = await parse(`providers:\n  x: ${text}\n`);
      expect(config.problems.every((problem) => problem.message !== "")).toBe(true);
    }),
  );
});

test("words of compat that nobody understands are told and left out; the rest holds", async () => {
  const config = await parseModelsYml(
    `providers:
  openai:
    compat: { supportsStor: true, supportsStore: false }
    modelOverrides:
      gpt-5: { compat: { thinkingFormat: nope, dialect: qwen9, imageLimits: { maxEdge: 5 } } }
`,
    "models.yml",
    () => true,
  );
  expect(config.problems.map(({ line, key, message }) => [line, key, message].join(" "))).toEqual([
    '3 providers.openai.compat.supportsStor unknown key; did you mean "supportsStore"?',
    "5 providers.openai.modelOverrides.gpt-5.compat.thinkingFormat must be one of openai, openrouter, zai, qwen, qwen-chat-template",
    expect.stringContaining("compat.dialect must be one of"),
    '5 providers.openai.modelOverrides.gpt-5.compat.imageLimits.maxEdge unknown key; did you mean "maxEdgePx"?',
  ]);
  expect(config.providers.get("openai")).toMatchObject({ compat: { supportsStore: false } });
  expect(config.providers.get("openai")?.compat).not.toHaveProperty("supportsStor");
});
