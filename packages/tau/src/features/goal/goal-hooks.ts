// What a goal does to a run: the model is told of it, and a run that would end is judged. Not reached yet,
// the model is told what is missing and goes on in the same run, so that whoever stops the run stops it all.

import { developerText, userText, type Message } from "@tau/ai/message";
import { FREE } from "@tau/ai/model";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SaidMessage } from "@tau/agent/mail";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { PENDING_WORK } from "../../feature-api/pending-work.ts";
import { READ_ONLY } from "../../feature-api/read-only-mode.ts";
import { evidenceIn } from "./evidence.ts";
import type { Goal } from "./goal.ts";
import { goalEntry } from "./goal-state.ts";
import judgePrompt from "./judge-prompt.md" with { type: "text" };
import { GIVE_VERDICT, readVerdict, type Verdict } from "./read-verdict.ts";

const SENDER = "goal";
const MAX_VERDICT_TOKENS = 1024;

export function goalHooks(host: FeatureHost, goal: Goal): HookHandlers {
  async function judge(
    condition: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<Verdict> {
    const asked = `<condition>\n${condition}\n</condition>\n\n${evidenceIn(messages)}`;
    const reply = await host.line.ask(
      {
        system: [judgePrompt.trim()],
        messages: [userText(asked)],
        tools: [GIVE_VERDICT],
        toolChoice: { name: GIVE_VERDICT.name },
        maxOutput: MAX_VERDICT_TOKENS,
      },
      { purpose: SENDER, roles: [goal.settings.judgeRole], signal },
    );
    const price = await host.session.models?.priceOf(reply.provider, reply.model);
    goal.count(reply, "judge", price ?? FREE);
    return readVerdict(reply);
  }

  return {
    // What was asked for on the command line holds for the first session.
    session_start: async ({ previous }) => {
      const { goal: wanted } = host.wishes;
      if (wanted !== undefined && previous === undefined) await goal.set(wanted);
    },
    run_start: async () => {
      const { active } = goal;
      if (!active || active.isTold) return undefined;
      await goal.markTold();
      return { messages: [goalWords(active.condition)] };
    },
    reply: ({ message }) => {
      if (goal.active) goal.count(message, "work", host.model.cost);
    },
    turn_end: async ({ results }) => {
      const { limit } = goal;
      // One that would end is judged first: it may be the last step that was missing.
      if (limit === undefined || results.length === 0) return undefined;
      await goal.end("spent", limit);
      return { type: "stop", reason: `the goal's budget is spent: ${limit}` };
    },
    idle: async ({ messages }, { signal }) => {
      const { active } = goal;
      if (!active || signal.aborted || host.mailbox.wantsRun) return;
      // Agents are at work, whose results wake the session; or nothing may be done before a plan is approved.
      if ((host.part(PENDING_WORK)?.count ?? 0) > 0 || host.part(READ_ONLY)?.isOn) return;
      const verdict = await judge(active.condition, messages, signal);
      if (signal.aborted || goal.active?.condition !== active.condition) return;
      if ((await goal.take(verdict)) === "over") return;
      const options = { delivery: "followUp", sender: SENDER } as const;
      await host.mailbox.post(notYet(active.condition, verdict.words), options);
    },
    session_compacting: () =>
      goal.active ? { reinject: [goalWords(goal.active.condition)] } : undefined,
    session_handing_over: () =>
      goal.active ? { entries: [goalEntry({ ...goal.active, isTold: false })] } : undefined,
  };
}

function goalWords(condition: string): SaidMessage {
  return developerText(
    `The user has set a goal: ${condition}\n\nWork until it holds, and show that it does: run the check, and look at the result. When you stop, somebody else judges by what your tools returned, not by what you say. If you cannot go on without the user, ask them; if it cannot be reached, say why.`,
  );
}

function notYet(condition: string, words: string): SaidMessage {
  return developerText(
    `The goal is not reached yet: ${condition}\n\nWhat is missing, as the judge sees it: ${words}\n\nGo on.`,
  );
}
