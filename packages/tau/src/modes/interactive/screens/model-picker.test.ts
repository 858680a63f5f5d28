import { expect, test } from "bun:test";
import { FREE, type Model } from "@tau/ai/model";
import { openModelPicker, type ModelPickerDeps, type PickableModel } from "./model-picker.ts";
import { openModelAccess } from "../../../model/model-access.ts";
import { pickableModels } from "./pickable-models.ts";
import { openThinkingPicker } from "./thinking-picker.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";

function model(selector: string, more: Partial<Model> = {}): Model {
  const slash = selector.indexOf("/");
  return {
    provider: selector.slice(0, slash),
    id: selector.slice(slash + 1),
    name: selector.slice(slash + 1).replaceAll("-", " "),
    wire: "openai-completions",
    baseUrl: "http://localhost",
    auth: "bearer",
    contextWindow: 200_000,
    maxOutput: 64_000,
    input: ["text"],
    cost: FREE,
    ...more,
  };
}

const MODELS: readonly PickableModel[] = [
  {
    model: model("openai/gpt-5", { contextWindow: 400_000 }),
    providerName: "OpenAI",
    isAvailable: false,
  },
  {
    model: model("anthropic/claude-opus-4", {
      name: "Claude Opus 4",
      thinking: ["low", "medium", "high"],
      cost: { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
      input: ["text", "image"],
    }),
    providerName: "Anthropic",
    isAvailable: true,
  },
  {
    model: model("anthropic/claude-haiku-4", {
      name: "Claude Haiku 4",
      cost: { input: 0.8, output: 4, cacheRead: 0, cacheWrite: 0 },
    }),
    providerName: "Anthropic",
    isAvailable: true,
  },
  {
    model: model("local/qwen3", { contextWindow: 32_768 }),
    providerName: "Local",
    isAvailable: true,
  },
];

function deps(more: Partial<ModelPickerDeps> = {}): ModelPickerDeps {
  return {
    load: async () => MODELS,
    current: "anthropic/claude-opus-4",
    roles: { smol: "anthropic/claude-haiku-4:off" },
    ...more,
  };
}

test("models stand by provider, those without a key behind", async () => {
  const stage = new FakeStage();
  const answer = openModelPicker(stage, deps());
  expect(stage.picture()).toContain("Reading the models…");
  await settled();
  expect(stage.picture()).toMatchSnapshot();
  stage.size = { columns: 200, rows: 50 };
  expect(stage.picture()).toMatchSnapshot();
  expectLawful(stage);
  stage.press("Escape");
  expect(await answer).toBeUndefined();
});

test("the choice says what it is for, how long it holds and how much it thinks", async () => {
  const stage = new FakeStage();
  const answer = openModelPicker(stage, deps());
  await settled();
  stage.press("Ctrl+S", "Right", "Right", "Enter");
  expect(await answer).toEqual({
    kind: "model",
    selector: "anthropic/claude-opus-4",
    thinking: "low",
    role: "default",
    save: "session",
  });
});

test("Tab goes through the roles, and selects what each has", async () => {
  const stage = new FakeStage();
  const answer = openModelPicker(stage, deps());
  await settled();
  stage.press("Tab");
  expect(stage.picture()).toContain(
    "for smol, saved in your settings; now anthropic/claude-haiku-4",
  );
  stage.press("Enter");
  expect(await answer).toEqual({
    kind: "model",
    selector: "anthropic/claude-haiku-4",
    role: "smol",
    save: "default",
  });
});

test("a filter finds letters in their order; one without a key leads to a login", async () => {
  const stage = new FakeStage();
  const answer = openModelPicker(stage, deps());
  await settled();
  stage.type("oai g5");
  expect(stage.picture()).toContain("❯   openai/gpt-5");
  stage.press("Enter");
  expect(await answer).toEqual({ kind: "login", provider: "openai", selector: "openai/gpt-5" });
});

test("Esc takes the filter back first; Ctrl+C closes at once", async () => {
  const stage = new FakeStage();
  const answer = openModelPicker(stage, deps());
  await settled();
  stage.type("zzzz");
  expect(stage.picture()).toContain("Nothing matches.");
  stage.press("Enter", "Escape");
  expect(stage.depth).toBe(1);
  stage.type("q");
  stage.press("Ctrl+C");
  expect(await answer).toBeUndefined();
});

test("models that never come, or cannot be read, keep nobody", async () => {
  const stage = new FakeStage();
  const never = openModelPicker(stage, deps({ load: () => new Promise(() => undefined) }));
  stage.press("Escape");
  expect(await never).toBeUndefined();
  const failing = openModelPicker(
    stage,
    deps({ load: () => Promise.reject(new Error("models.yml is no YAML")) }),
  );
  await settled();
  expect(stage.picture()).toContain("models.yml is no YAML");
  stage.press("Escape");
  expect(await failing).toBeUndefined();
});

test("what names say cannot harm the screen", async () => {
  const stage = new FakeStage();
  const nasty = {
    model: model(`x/${NASTY}`, { name: NASTY }),
    providerName: NASTY,
    isAvailable: true,
  };
  void openModelPicker(stage, deps({ load: async () => [nasty] }));
  await settled();
  stage.paste(NASTY);
  stage.press("Ctrl+U");
  expectLawful(stage);
});

test("where the settings name models to choose from, the others are one key away", async () => {
  const env = { HOME: "/nowhere", TAU_AGENT_DIR: "/nowhere/agent", ANTHROPIC_API_KEY: "x" };
  const isolated = { enabledModels: ["anthropic/claude-opus-*"] };
  const access = await openModelAccess({ env, cwd: "/", isolated });
  const stage = new FakeStage();
  const current = "tau/demo";
  void openModelPicker(stage, deps({ load: () => pickableModels(access), current }));
  for (let turn = 0; turn < 500 && stage.picture().includes("eading the models"); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(stage.picture()).toContain("anthropic/claude-opus-");
  expect(stage.picture()).not.toContain("anthropic/claude-sonnet");
  expect(stage.picture()).toContain("● tau/demo");
  stage.press("Ctrl+A");
  stage.type("sonnet");
  expect(stage.picture()).toContain("anthropic/claude-sonnet");
  stage.press("Ctrl+A");
  expect(stage.picture()).toContain("Nothing matches.");
});

test("asking the providers shows what they have now", async () => {
  const stage = new FakeStage();
  const found = Promise.withResolvers<readonly PickableModel[]>();
  void openModelPicker(stage, deps({ refresh: () => found.promise }));
  await settled();
  stage.press("Ctrl+R");
  expect(stage.picture()).toContain("asking the providers…");
  found.resolve(MODELS.slice(0, 2));
  await settled();
  expect(stage.picture()).not.toContain("qwen3");
});

test("levels of thinking are those of the model", async () => {
  const stage = new FakeStage();
  const { model: opus } = MODELS[1]!;
  const answer = openThinkingPicker(stage, { model: opus, current: "medium" });
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Down", "Enter");
  expect(await answer).toBe("high");
  expect(await openThinkingPicker(stage, { model: MODELS[3]!.model })).toBeUndefined();
  expect(stage.notes).toHaveLength(1);
});
