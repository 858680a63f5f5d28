// Print mode: run one prompt to its end and write the answer, nothing else, to standard
// output. Progress and failures go to standard error.

import type { RunEnd } from "@tau/agent/event";
import { textOf, type UserMessage } from "@tau/ai/message";
import { COMMAND } from "../brand.ts";
import { writeError, writeOutput } from "../cli/output.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Session } from "../session/session.ts";
import { Interrupt } from "./interrupt.ts";
import { describeFailure } from "./describe-failure.ts";
import { describeRecovery } from "./describe-recovery.ts";

export async function printAnswer(
  session: Session,
  message: UserMessage,
  options: { quiet: boolean },
): Promise<ExitCode> {
  using interrupt = new Interrupt();
  const progress =
    options.quiet || !process.stderr.isTTY
      ? undefined
      : (await import("./print-progress.ts")).showProgress(session);
  if (!options.quiet) {
    session.subscribe((event) => {
      if (event.type !== "auto_retry_start") return;
      const line = describeRecovery(event);
      if (line) (progress?.note ?? writeError)(`${COMMAND}: ${line}\n`);
    });
  }
  const end = await session.prompt(message, interrupt.signal);
  progress?.stop();
  return settle(session, end);
}

async function settle(session: Session, end: RunEnd): Promise<ExitCode> {
  const last = session.messages.findLast((message) => message.role === "assistant");
  switch (end.reason) {
    case "aborted":
      writeError(`${COMMAND}: interrupted\n`);
      return EXIT.interrupted;
    case "failed": {
      const { sentence, exitCode } = describeFailure(last?.error);
      writeError(`${COMMAND}: ${sentence}\n`);
      return exitCode;
    }
    case "limit":
      writeError(
        `${COMMAND}: stopped at the limit of ${end.limit} before the answer was complete\n`,
      );
      return EXIT.failed;
    case "done": {
      const answer = last ? textOf(last).trimEnd() : "";
      // A reader that has seen enough is a success: the work is done.
      if (answer !== "") await writeOutput(`${answer}\n`);
      if (last?.stopReason === "length") {
        writeError(`${COMMAND}: the model's output limit cut the answer short\n`);
        return EXIT.failed;
      }
      return EXIT.done;
    }
  }
}
