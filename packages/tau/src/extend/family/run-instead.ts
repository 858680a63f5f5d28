// A command or a Python cell of the user's own: the family's handlers may have run it elsewhere, or say how
// to run it there.

import type { Answer, Told } from "@tau/agent/hook-points";
import { currentSignal } from "./current-host.ts";
import { callHandlers, type EventPlace } from "./event-place.ts";

type Ran = Answer<"own_run">;

interface Operations {
  exec(
    command: string,
    cwd: string,
    how: { onData: (data: Buffer) => void; signal?: AbortSignal },
  ): Promise<{ exitCode: number | null }>;
}

export async function runInstead(
  place: EventPlace,
  { tool, language, text, isTold }: Told<"own_run">,
): Promise<Ran | undefined> {
  const { cwd } = place.host;
  const excludeFromContext = !isTold;
  const event =
    tool === "bash"
      ? { type: "user_bash", command: text, excludeFromContext, cwd }
      : language === "py"
        ? { type: "user_python", code: text, excludeFromContext, cwd }
        : undefined;
  if (!event) return undefined;
  let ran: Ran | undefined;
  let operations: Operations | undefined;
  await callHandlers(place, event, ({ result, operations: given }) => {
    if (typeof result === "object" && result !== null) ran = toRan(result);
    else if (typeof given === "object" && given !== null) operations = given as Operations;
    return ran || operations ? "enough" : "go on";
  });
  return ran ?? (operations && execute(operations, text, cwd));
}

function toRan(result: object): Ran {
  const { output, exitCode } = result as Record<string, unknown>;
  return {
    output: String(output ?? ""),
    exitCode: typeof exitCode === "number" ? exitCode : null,
  };
}

async function execute(operations: Operations, command: string, cwd: string): Promise<Ran> {
  let output = "";
  const onData = (data: Buffer): void => {
    output += data.toString();
  };
  const { exitCode } = await operations.exec(command, cwd, { onData, signal: currentSignal() });
  return { output, exitCode };
}
