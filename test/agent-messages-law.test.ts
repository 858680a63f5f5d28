// However sending, waiting, reading, parking, coming back and stopping a run interleave: a message that
// was accepted ends in exactly one of waited, injected, drained, and none is lost.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { textOf, userText, type Session } from "@tau/tau/sdk";
import { AGENTS } from "../packages/tau/src/features/agents/registry.ts";
import {
  nextMessage,
  sendMessage,
  takeMessages,
} from "../packages/tau/src/features/agents/messages.ts";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { embed } from "./support/embedded.ts";

const NAMES = ["Ann", "Bob"] as const;
const who = fc.constantFrom(...NAMES);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("send" as const), to: who }) },
  fc.record({ type: fc.constant("wait" as const), by: who, ms: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ type: fc.constant("inbox" as const), by: who }),
  fc.record({ type: fc.constant("park" as const), who }),
  fc.record({ type: fc.constant("revive" as const), who }),
  fc.record({ type: fc.constant("abort" as const), who }),
  fc.record({ type: fc.constant("tick" as const), ms: fc.integer({ min: 0, max: 10 }) }),
);

const NUM_RUNS = Number(process.env.TAU_MESSAGE_SCHEDULES ?? 15);

test("each accepted message is waited for, injected or drained, once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using embedding = await embed(
        agentScript({
          Main: ({ turn }) =>
            turn === 1
              ? { toolCalls: [task("task", ...NAMES.map((id) => ({ id, assignment: "x" })))] }
              : { text: "ok" },
          "*": ({ turn }) =>
            turn === 1
              ? { toolCalls: [handIn("ready")] }
              : { text: "heard", delivery: { delayMs: 1 } },
        }),
      );
      await using session = await embedding.start();
      await session.prompt(userText("go"));
      const registry = session.part(AGENTS)!;
      await registry.whenDone();
      await session.whenIdle();

      const accepted: string[] = [];
      const waited: string[] = [];
      const drained: string[] = [];
      const waits: Promise<void>[] = [];
      const controller = new AbortController();
      let count = 0;
      for (const one of steps) {
        switch (one.type) {
          case "send": {
            const text = `message number ${++count}.`;
            const receipt = await sendMessage(registry, { from: "Main", to: one.to, text });
            if (receipt.outcome !== "failed") accepted.push(text);
            break;
          }
          case "wait": {
            const { mailbox } = await registry.live(one.by);
            const { signal } = controller;
            const wait = nextMessage(mailbox, { timeoutMs: one.ms, signal }).then((mail) => {
              if (mail) waited.push(textOf(mail.message));
            });
            waits.push(wait);
            break;
          }
          case "inbox": {
            const { mailbox } = await registry.live(one.by);
            drained.push(...(await takeMessages(mailbox)).map(({ message }) => textOf(message)));
            break;
          }
          case "park":
            await registry.get(one.who)!.park();
            break;
          case "revive":
            await registry.live(one.who);
            break;
          case "abort":
            await registry.get(one.who)!.session?.abort();
            break;
          case "tick":
            await Bun.sleep(one.ms);
        }
      }
      controller.abort();
      await Promise.all(waits);
      const injected: string[] = [];
      for (const name of NAMES) {
        const agent = await registry.live(name);
        await settled(agent);
        injected.push(...(await saidIn(agent)));
      }
      const ends = [...waited, ...drained, ...injected];
      for (const text of accepted) {
        expect([text, ends.filter((end) => end.includes(text)).length]).toEqual([text, 1]);
      }
    }),
    { numRuns: NUM_RUNS },
  );
}, 120_000);

/** What a stopped run has left in the box is delivered with the next one. */
async function settled(agent: Session): Promise<void> {
  await agent.whenIdle();
  while (agent.mailbox.queued().length > 0) {
    await agent.prompt(userText("anything else?")).catch(() => {});
    await agent.whenIdle();
  }
}

async function saidIn({ log }: Session): Promise<string[]> {
  const said: string[] = [];
  for await (const entry of log.entries()) {
    if (entry.type === "message" && entry.message.role === "developer") {
      said.push(textOf(entry.message));
    }
  }
  return said;
}
