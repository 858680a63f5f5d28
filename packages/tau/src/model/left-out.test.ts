import { expect, test } from "bun:test";
import type { Blame } from "@tau/ai/blame";
import { modelFailure } from "@tau/ai/error";
import { FREE, type Model } from "@tau/ai/model";
import type { ModelRequest } from "@tau/ai/request";
import * as fc from "fast-check";
import { LeftOut } from "./left-out.ts";

const MODEL: Model = {
  provider: "p",
  id: "m",
  name: "m",
  wire: "openai-completions",
  baseUrl: "http://127.0.0.1:1",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  cost: FREE,
};
const tool = (name: string) => ({
  name,
  description: "",
  parameters: { type: "object", properties: { n: { type: "integer", minimum: 1 } } },
});
const REQUEST: ModelRequest = {
  model: MODEL,
  system: [],
  messages: [],
  tools: ["read", "bash", "edit"].map(tool),
  stream: true,
};

const sentBy = (leftOut: LeftOut) => ({
  model: MODEL,
  tools: leftOut.tools(REQUEST).tools.map(({ name }) => name),
  images: [],
  lastReplyAt: 0,
});
const refused = (...blames: Blame[]) => modelFailure("invalid_request", "no", { blames });

test("no tools: nothing is wished for either, and another model gets them all", () => {
  const leftOut = new LeftOut();
  leftOut.learn(refused({ part: "tools" }), sentBy(leftOut));
  expect(leftOut.tools({ ...REQUEST, toolChoice: "required" })).toEqual({
    tools: [],
    toolChoice: undefined,
  });
  expect(leftOut.tools({ ...REQUEST, model: { ...MODEL, id: "n" } }).tools).toHaveLength(3);
  expect(leftOut.learn(refused({ part: "tools" }), sentBy(leftOut))).toEqual([]);
});

test("only so many: the first, and a wish for one that is not sent is dropped", () => {
  const leftOut = new LeftOut();
  leftOut.learn(refused({ part: "tools", most: 2 }), sentBy(leftOut));
  const wishing = (name: string) => leftOut.tools({ ...REQUEST, toolChoice: { name } });
  expect(wishing("bash").toolChoice).toEqual({ name: "bash" });
  expect(wishing("edit").toolChoice).toBeUndefined();
  expect(sentBy(leftOut).tools).toEqual(["read", "bash"]);
});

test("plain schemas first; if those are refused, no tools", () => {
  const leftOut = new LeftOut();
  expect(leftOut.learn(refused({ part: "schemas" }), sentBy(leftOut))).toEqual([
    { part: "schemas" },
  ]);
  const [read] = leftOut.tools(REQUEST).tools;
  expect(read!.parameters.properties).toEqual({ n: { type: "integer" } });
  expect(leftOut.learn(refused({ part: "schemas" }), sentBy(leftOut))).toEqual([{ part: "tools" }]);
  expect(sentBy(leftOut).tools).toEqual([]);
});

test("a resumed session knows it; a model that is chosen anew is given everything", () => {
  const before = new LeftOut();
  before.learn(refused({ part: "tools", most: 2 }, { part: "schemas" }), sentBy(before));
  const leftOut = new LeftOut();
  leftOut.restore(JSON.parse(JSON.stringify(before.state)));
  expect(leftOut.tools(REQUEST)).toEqual(before.tools(REQUEST));
  expect(leftOut.forget(MODEL)).toBe(true);
  expect(leftOut.tools(REQUEST).tools).toEqual(REQUEST.tools);
});

const blame = fc.oneof(
  fc.constant<Blame>({ part: "tools" }),
  fc.nat(5).map((most): Blame => ({ part: "tools", most })),
  fc.constant<Blame>({ part: "schemas" }),
  fc.constantFrom("read", "bash", "nothing").map((name): Blame => ({ part: "tool", name })),
);

test("whatever is refused, every lesson takes something away, and there is an end", () => {
  fc.assert(
    fc.property(fc.array(blame, { minLength: 1, maxLength: 40 }), (blames) => {
      const leftOut = new LeftOut();
      let lessons = 0;
      for (const one of blames) {
        const before = JSON.stringify(leftOut.tools(REQUEST));
        const learnt = leftOut.learn(refused(one), sentBy(leftOut));
        const after = JSON.stringify(leftOut.tools(REQUEST));
        expect(after === before).toBe(learnt.length === 0);
        lessons += learnt.length;
      }
      // Each tool, the limit down to none, and the schemas.
      expect(lessons).toBeLessThanOrEqual(5);
    }),
  );
});
