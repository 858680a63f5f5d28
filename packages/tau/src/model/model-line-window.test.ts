// What the line to a model does about a conversation that does not fit.

import { describe, expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import type { ModelLine } from "./model-line.ts";
import { failing, modelNamed, setUp } from "./test/scripted-line.ts";

describe("a conversation that does not fit", () => {
  const huge = (at: number) => userText("word".repeat(50_000), at);
  const large = { contextWindow: 100_000, maxOutput: 1000 };
  const refused = failing("context_overflow", { windowTokens: 8000, requestTokens: 50_000 });
  const asking = (line: ModelLine, messages = [huge(1)]) =>
    line
      .call(
        { model: line.target.model, system: [], messages, tools: [], stream: true },
        { signal: new AbortController().signal },
      )
      .result();

  test("goes to a model of the chain with more room than was asked for, and stays there", async () => {
    const chain = [
      { model: modelNamed("a", large) },
      { model: modelNamed("b", { ...large, contextWindow: 20_000 }) },
      { model: modelNamed("c", { ...large, contextWindow: 200_000 }) },
    ] as const;
    const accounts = { a: ["one"], b: ["two"], c: ["three"] };
    const { line, recover } = setUp({ accounts, replies: [refused], options: { chain } });
    const recovery = await recover(await asking(line));
    expect(recovery).toMatchObject({ type: "retry", action: "fallback" });
    expect(line.target.model.provider).toBe("c");
    line.startRun();
    expect(line.target.model.provider).toBe("c");
  });

  test("stays where it is if the user does not want larger models", async () => {
    const chain = [
      { model: modelNamed("a", large) },
      { model: modelNamed("b", { ...large, contextWindow: 200_000 }) },
    ] as const;
    const ports = { mayPromote: false };
    const { line, recover } = setUp({ replies: [refused], options: { chain }, ports });
    const recovery = await recover(await asking(line));
    expect(recovery).toMatchObject({ type: "give_up", because: { kind: "context_overflow" } });
    expect(line.target.model).toMatchObject({ provider: "a", contextWindow: 8000 });
  });

  test("is shortened a few times at most, and again in the next run", async () => {
    const chain = [{ model: modelNamed("a", large) }] as const;
    const kept: unknown[] = [];
    const { line, recover } = setUp({
      replies: Array<typeof refused>(20).fill(failing("context_overflow")),
      options: { chain },
      ports: { keepWindows: async (state) => void kept.push(state) },
    });
    const messages = Array.from({ length: 40 }, (_, at) => userText("word".repeat(2000), at));
    const shortened = async (): Promise<number> => {
      line.startRun();
      for (let times = 0; ; times++) {
        const recovery = await recover(await asking(line, messages));
        if (recovery.type !== "retry") return times;
        expect(recovery.action).toBe("shorten");
      }
    };
    const first = await shortened();
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(4);
    expect(kept.length).toBeGreaterThanOrEqual(first);
    expect(await shortened()).toBeLessThanOrEqual(4);
  });

  test("is sent whole again to a model that is asked for anew", async () => {
    const chain = [{ model: modelNamed("a", large) }] as const;
    const { line, recover, requests } = setUp({ replies: [refused], options: { chain } });
    await recover(await asking(line));
    const messages = [huge(1), userText("and now?", 2)];
    await asking(line, messages);
    expect(textOf(requests.at(-1)!.messages[0]!).length).toBeLessThan(40_000);
    expect(requests.at(-1)!.model.contextWindow).toBe(8000);
    await line.forget(chain[0].model);
    line.retarget(chain);
    await asking(line, messages);
    expect(requests.at(-1)!.messages).toEqual(messages);
    expect(requests.at(-1)!.model.contextWindow).toBe(100_000);
  });

  test("does not use up what a question beside it may try", async () => {
    const chain = [{ model: modelNamed("a", large) }] as const;
    const { line, requests } = setUp({
      replies: [failing("context_overflow"), failing("context_overflow")],
      options: { chain },
    });
    const question = { system: [], messages: [huge(1)] };
    const signal = new AbortController().signal;
    const reply = await line.ask(question, { purpose: "test", signal });
    expect(textOf(reply)).toBe("ok");
    const sizes = requests.map(({ messages }) => textOf(messages[0]!).length);
    expect(sizes[1]).toBeLessThan(sizes[0]! * 0.7);
    expect(sizes[2]).toBeLessThan(sizes[1]! * 0.7);
    // Its messages are no measure for the conversation's window.
    expect(line.target.model.contextWindow).toBe(100_000);
  });
});
