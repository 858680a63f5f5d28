// A session's end of its line to models: what may be spent, who is told, and where the use of calls
// beside the conversation is put down.

import type { Budget } from "@tau/agent/budget";
import type { ModelLine } from "../model/model-line.ts";
import type { RuntimeState } from "./context/runtime-state.ts";
import type { Session } from "./session.ts";

/** What the model no longer gets because its vendor refused it. */
const LEFT_OUT_ENTRY = "left-out";
/** How large its window really is, and what is sent shortened because of that. */
const WINDOWS_ENTRY = "windows";

type KeptState = RuntimeState["kept"];

export function connectLine(
  line: ModelLine,
  session: Pick<Session, "append" | "emit">,
  { budget, promotes, kept }: { budget: Budget | undefined; promotes: boolean; kept: KeptState },
): void {
  line.connect({
    budget,
    mayPromote: promotes,
    emit: session.emit,
    leftOut: kept[LEFT_OUT_ENTRY],
    keepLeftOut: (state) =>
      session.append([{ type: "custom", customType: LEFT_OUT_ENTRY, data: state }]),
    windows: kept[WINDOWS_ENTRY],
    keepWindows: (state) =>
      session.append([{ type: "custom", customType: WINDOWS_ENTRY, data: state }]),
    record: async (calls) => {
      const entries = calls.map((call) => ({ type: "model_call" as const, ...call }));
      await session.append(entries);
      for (const entry of entries) session.emit(entry);
    },
  });
}
