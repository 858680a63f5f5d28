// What is being done about a failed call, in one line for whoever waits.

import type { RecoveryEvent } from "@tau/agent/event";
import { whoFailed } from "./describe-failure.ts";
import type { ModelFailure } from "@tau/ai/error";

/** Shorter waits are over before they are read. */
const WORTH_TELLING_MS = 1000;

/** Undefined if there is nothing worth a line. */
export function describeRecovery(event: RecoveryEvent): string | undefined {
  // What nobody waits for did not break anything that anybody sees.
  if (event.type === "auto_retry_end" || event.isQuiet) return undefined;
  const { action, delayMs, failure, model, purpose } = event;
  const what = `${purposeWords(purpose)}${whoFailed(failure)}${failure.message.replace(/\s+/g, " ").replace(/\.$/, "")}`;
  switch (action) {
    case "wait":
      if (delayMs < WORTH_TELLING_MS) return undefined;
      return `${what}; retrying in ${Math.ceil(delayMs / 1000)} s`;
    case "rotate":
      return `${what}; continuing with another account`;
    case "fallback":
      return `${what}; continuing with ${model}`;
    case "refresh":
      return undefined;
    case "shorten":
      return `${what}; continuing with the longest messages shortened`;
    case "leave_out":
      return `${what}; continuing without ${leftOut(failure)}`;
  }
}

const NO_TOOLS =
  "tools, so that it can only talk; choose a model that takes tools, or have its server allow them and choose the model again";

/** What is not sent to this model any more. */
function leftOut({ blames = [] }: ModelFailure): string {
  const tools = blames.flatMap((blame) => (blame.part === "tool" ? [blame.name] : []));
  const images = blames.filter((blame) => blame.part === "image");
  if (blames.some((blame) => blame.part === "sight"))
    return "images, which this model does not see";
  const parts: string[] = [];
  for (const blame of blames) {
    if (blame.part === "schemas") parts.push("the details of the tools' schemas");
    else if (blame.part === "tools" && blame.most === undefined) parts.push(NO_TOOLS);
    else if (blame.part === "tools") {
      parts.push(`the tools after the first ${blame.most}; turn off features that you do not need`);
    }
  }
  if (tools.length > 0) parts.push(`the tool${tools.length > 1 ? "s" : ""} ${tools.join(", ")}`);
  if (images.length > 0) parts.push("the image that was refused");
  if (blames.some((blame) => blame.part === "reasoning")) parts.push("its earlier reasoning");
  return parts.join(" and ");
}

/** So that a summary that fails does not look like the conversation itself. */
function purposeWords(purpose: string | undefined): string {
  return purpose === undefined ? "" : `${purpose.replaceAll("_", " ")}: `;
}
