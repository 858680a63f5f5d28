// Puts a call to the person at the terminal: what would run, why it is asked about, and the
// choice between once, for good, and not at all.

import { createInterface } from "node:readline/promises";
import type { Approval as Answer, ApprovalQuestion } from "@tau/agent/judge-call";
import { answerFor } from "../consent-answer.ts";
import type { Style } from "../style.ts";

/** Lines of what would run; the rest is counted. */
const SHOWN_LINES = 12;

export async function askApproval(
  question: ApprovalQuestion,
  options: { style: Style; signal: AbortSignal },
): Promise<Answer> {
  const { style, signal } = options;
  process.stdout.write(`\r\x1b[K${describe(question, style)}`);
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<string>((resolve) => reader.once("close", () => resolve("n")));
  const onAbort = (): void => reader.close();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const asked = reader.question(`${style.accent("?")} Run it? yes once (y), always (a), no (n) `);
    const word = (await Promise.race([asked, left])).trim().toLowerCase();
    if (word === "a" || word === "always") return answerFor(question, "always");
    return answerFor(question, word === "y" || word === "yes" ? "once" : "no");
  } finally {
    signal.removeEventListener("abort", onAbort);
    reader.close();
  }
}

function describe({ call, prepared, reasons }: ApprovalQuestion, style: Style): string {
  const params = prepared.params as Record<string, unknown>;
  const words =
    typeof params.command === "string" ? params.command : JSON.stringify(params, null, 2);
  const lines = words.split("\n");
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`);
  if (lines.length > SHOWN_LINES)
    shown.push(style.dim(`  … ${lines.length - SHOWN_LINES} more lines`));
  const why = reasons.map(({ reason }) => reason).join("; ");
  return `${style.bold(call.name)} ${style.dim(`asks: ${why}`)}\n${shown.join("\n")}\n`;
}
