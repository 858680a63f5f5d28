// What was seen while a session went on is what is seen when it is resumed: every block, in its
// place, whatever happened.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { modelFailure } from "@tau/ai/error";
import { userText } from "@tau/ai/message";
import type { ScriptedReply } from "@tau/testkit/script";
import { isRefusal, tellCommand } from "../session-command.ts";
import { ownRun, startLive, WORDS, type LiveRun, type Word } from "./test/live-run.ts";
import { TODO } from "../../features/todo/todo-list.ts";
import { WORKSPACE } from "../../tools/workspace.ts";

type Reply = {
  thinking: boolean;
  text: string;
  words: Word[];
  fails: "not" | "retried" | "for_good";
};

type Step =
  | { kind: "prompt"; replies: Reply[]; stopAt: number | undefined; typed: boolean }
  | { kind: (typeof OTHERS)[number] };

const OTHERS = [
  "own_run",
  "job_end",
  "todo",
  "command",
  "refused_command",
  "long_command",
  "compact",
  "hook_error",
  "later",
] as const;

const reply: fc.Arbitrary<Reply> = fc.record({
  thinking: fc.boolean(),
  text: fc.constantFrom("", "\n", "Words.", "More **words**.\n\nAnd more."),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
  fails: fc.oneof(
    { weight: 6, arbitrary: fc.constant("not" as const) },
    { weight: 1, arbitrary: fc.constantFrom("retried" as const, "for_good" as const) },
  ),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("prompt" as const),
      replies: fc.array(reply, { maxLength: 4 }),
      stopAt: fc.option(fc.nat(40), { nil: undefined }),
      typed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...OTHERS).map((kind) => ({ kind })),
  },
);

const answers = fc.array(fc.constantFrom("once" as const, "session" as const, "no" as const));

test("resumed, a session shows what was seen", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      answers,
      async (steps, said) => {
        await using run = await startLive();
        run.answers.push(...said);
        for (const one of steps) {
          await take(run, one);
          await run.written();
          expect(await run.reopened()).toEqual([...run.seen]);
        }
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

async function take(run: LiveRun, one: Step): Promise<void> {
  const { session } = run;
  switch (one.kind) {
    case "prompt":
      return prompt(run, one);
    case "own_run":
      return ownRun(session);
    case "job_end":
      await session.parts.need(WORKSPACE).jobs.onEnd({
        id: "j1",
        type: "bash",
        status: "completed",
        label: "make",
        durationMs: 1200,
        resultText: "built",
      });
      return;
    case "todo": {
      const tasks = [{ content: `task ${run.seen.length}`, status: "pending" as const }];
      const phases = [{ name: "Now", tasks }];
      await session.part(TODO)!.change(() => ({ type: "changed", phases }), "user");
      return;
    }
    case "command":
      await session.prompt(userText("/todo"));
      return;
    case "refused_command": {
      const refused = await session.prompt(userText("/todo done what")).catch(isRefusal);
      expect(refused).toBe(true);
      return;
    }
    case "long_command": {
      // Its line stands before what is told meanwhile, its answer after that.
      const from = run.seen.length;
      const given = { name: "compact", line: "/compact", isLong: true as const };
      await tellCommand({ session }, given, async () => {
        await take(run, { kind: "compact" });
        return "Done.";
      });
      expect(run.seen[from]).toMatchObject({ kind: "command", line: "/compact" });
      expect(run.seen.at(-1)).toMatchObject({ kind: "note", text: "Done." });
      return;
    }
    case "compact":
      run.replies.unshift({ text: "A summary." });
      await session.compact();
      run.replies.length = 0;
      return;
    case "hook_error":
      run.throwsNext = true;
      return;
    case "later":
      await session.addToNext(userText("for later"));
      return;
  }
}

async function prompt(run: LiveRun, one: Extract<Step, { kind: "prompt" }>): Promise<void> {
  const { session } = run;
  run.replies.push(...one.replies.flatMap(scripted));
  let events = 0;
  const stop = session.subscribe(() => {
    events += 1;
    if (events === one.stopAt) void session.abort();
  });
  await session.prompt(userText("go on"), one.typed ? { typed: "go [folded]" } : {});
  stop();
  run.replies.length = 0;
}

function scripted({ thinking, text, words, fails }: Reply): ScriptedReply[] {
  const said: ScriptedReply = {
    text,
    toolCalls: words.map((word) => ({ name: "word", arguments: { word } })),
  };
  if (thinking) said.thinking = "Hmm.";
  if (fails === "not") return [said];
  const broken = { ...said, streamError: modelFailure("overloaded", "too much") };
  return fails === "retried" ? [broken, said] : [broken, broken];
}
