// Which larger sibling takes over from a model that is full.

import { expect, test } from "bun:test";
import { FREE, type Model } from "@tau/ai/model";
import { choosePromotion } from "./promotion.ts";

function model(id: string, contextWindow: number, extra: Partial<Model> = {}): Model {
  return {
    provider: "p",
    id,
    name: id,
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:1",
    auth: "none",
    contextWindow,
    maxOutput: 16_000,
    input: ["text"],
    cost: FREE,
    ...extra,
  };
}

const small = model("small", 100_000);
const facts = {
  candidates: [small, model("huge", 2_000_000), model("elsewhere", 300_000, { provider: "q" })],
  hasCredential: () => true,
  contextTokens: 95_000,
};
const naming = (promotionTarget: string, changes: Partial<typeof facts> = {}) =>
  choosePromotion({ ...facts, ...changes, model: { ...small, promotionTarget } })?.id;

test("only one that the model names, by id or by provider and id", () => {
  expect(choosePromotion({ ...facts, model: small })).toBeUndefined();
  expect(naming("huge")).toBe("huge");
  expect(naming("q/elsewhere")).toBe("elsewhere");
  expect(naming("elsewhere")).toBeUndefined();
  expect(naming("small")).toBeUndefined();
});

test("needs a credential, and room for what there is and a reply", () => {
  expect(naming("huge", { hasCredential: () => false })).toBeUndefined();
  expect(naming("huge", { contextTokens: 1_699_999 })).toBe("huge");
  expect(naming("huge", { contextTokens: 1_700_000 })).toBeUndefined();
  const tight = { candidates: [model("tight", 120_000)], contextTokens: 102_000 };
  expect(naming("tight", tight)).toBeUndefined();
});
