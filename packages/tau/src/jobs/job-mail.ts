// What the model is told of a job that ended while it did something else.

import { developerText } from "@tau/ai/message";
import type { SaidMessage } from "@tau/agent/mail";
import type { JobSnapshot } from "./job.ts";

/** Its end tells most; all of it is asked for with the job tool, or is an artifact. */
const MAX_CHARACTERS = 4000;

export function jobMail(job: JobSnapshot): SaidMessage {
  const { id, label, status, durationMs, resultText, errorText } = job;
  const seconds = (durationMs / 1000).toFixed(1);
  const said = [resultText, errorText].filter(Boolean).join("\n");
  const cut = said.length > MAX_CHARACTERS ? `…${said.slice(-MAX_CHARACTERS)}` : said;
  const text = [`[job ${id} ${status} after ${seconds} s: ${label}]`, cut]
    .filter(Boolean)
    .join("\n");
  return developerText(text);
}
