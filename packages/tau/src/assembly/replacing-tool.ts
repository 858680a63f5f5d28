// A tool that takes the place of a built-in one. Whatever it does, the model calls it as the other: a call
// is judged as a call of the other would be, and one that cannot be judged so is asked about.

import type { CallAssessment, Tool } from "@tau/agent/tool";

/** None if the session does not have the other: what the user took away stays away. */
export function replacing(tool: Tool, replaced: Tool | undefined): Tool[] {
  if (!replaced) return [];
  const { tier, assess } = replaced;
  const known = new Set(Object.keys(propertiesOf(replaced)));
  const judge = (params: unknown): Promise<CallAssessment> | CallAssessment => {
    // What the other does not know cannot have been judged by it.
    const isKnown = Object.keys((params ?? {}) as object).every((key) => known.has(key));
    return assess && isKnown ? judged(tool, assess, params) : unjudged(tool, params);
  };
  return [{ ...tool, tier, assess: judge }];
}

function propertiesOf({ parameters }: Tool): object {
  const { properties } = parameters.jsonSchema as { properties?: object };
  return properties ?? {};
}

async function judged(
  tool: Tool,
  assess: NonNullable<Tool["assess"]>,
  params: unknown,
): Promise<CallAssessment> {
  try {
    return await assess(params);
  } catch {
    // It takes other parameters than the one that it stands for.
    return unjudged(tool, params);
  }
}

function unjudged({ name }: Tool, params: unknown): CallAssessment {
  const guard = `is of a tool that stands for ${name}, and cannot be judged as one of ${name}`;
  return { tier: "exec", subjects: [JSON.stringify(params) ?? ""], guard };
}
