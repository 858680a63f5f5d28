// The other side of `confined-call.ts`: does one task and ends. An application that is one
// file gives it a hidden command of its own; from source this file is started.

import type { DatabaseTask } from "../database/answer-database.ts";
import type { ConversionTask } from "../document/convert-here.ts";

export type ConfinedMessage =
  { task: "database"; input: DatabaseTask } | { task: "document"; input: ConversionTask };

export type ConfinedReply =
  | { type: "ready" }
  | { type: "done"; value: unknown }
  | { type: "failed"; code: string; message: string }
  /** Something nobody foresaw: a bug of ours and not of the input. */
  | { type: "bug"; message: string };

export function serveConfined(): void {
  const reply = (message: ConfinedReply) => process.send!(message);
  process.on("disconnect", () => process.exit(0));
  process.on("message", async (message: ConfinedMessage) => {
    try {
      reply({ type: "done", value: await run(message) });
    } catch (error) {
      if (isExpected(error)) {
        reply({ type: "failed", code: error.code, message: error.message });
      } else {
        const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
        reply({ type: "bug", message: bug });
      }
    }
  });
  reply({ type: "ready" });
}

async function run(message: ConfinedMessage): Promise<unknown> {
  if (message.task === "database") {
    const { answerDatabase } = await import("../database/answer-database.ts");
    return answerDatabase(message.input);
  }
  const { convertHere } = await import("../document/convert-here.ts");
  return convertHere(message.input);
}

/** Classes do not survive the way between processes; their names tell which are expected. */
const EXPECTED: ReadonlySet<string> = new Set(["DatabaseError", "DocumentError"]);

function isExpected(error: unknown): error is Error & { code: string } {
  return error instanceof Error && EXPECTED.has(error.name);
}

if (import.meta.main) serveConfined();
