// A tool that takes the place of a built-in one. Whatever it does, the model calls it as the other: a call
// is judged as a call of the other would be, and one that cannot be judged so is asked about.

import type { CallAssessment, Tool } from "@tau/agent/tool";

/** None if the session does not have the other: what the user took away stays away. */
export function replacing(tool: Tool, replaced: Tool | undefined): Tool[] {
  if (!replaced) return [];
  const { tier, assess } = replaced;
  return [{ ...tool, tier, assess: assess && ((params) => judged(tool, assess, params)) }];
}

async function judged(
  { name }: Tool,
  assess: NonNullable<Tool["assess"]>,
  params: unknown,
): Promise<CallAssessment> {
  try {
    return await assess(params);
  } catch {
    // It takes other parameters than the one that it stands for.
    const guard = `is of a tool that stands for ${name}, and cannot be judged as one of ${name}`;
    return { tier: "exec", subjects: [JSON.stringify(params) ?? ""], guard };
  }
}
