// A session's end of its line to models: what may be spent, who is told, and where the use of calls
// beside the conversation is put down.

import type { Budget } from "@tau/agent/budget";
import type { ModelLine } from "../model/model-line.ts";
import type { Session } from "./session.ts";

export function connectLine(
  line: ModelLine,
  session: Pick<Session, "append" | "emit">,
  { budget, promotes }: { budget: Budget | undefined; promotes: boolean },
): void {
  line.connect({
    budget,
    mayPromote: promotes,
    emit: session.emit,
    record: async (calls) => {
      const entries = calls.map((call) => ({ type: "model_call" as const, ...call }));
      await session.append(entries);
      for (const entry of entries) session.emit(entry);
    },
  });
}
