// The environment of commands: the user's own, without the keys that Tau talks to models with,
// and where nobody is there to page, edit or answer, with a word to programs that it is so.

import type { Environment } from "@tau/ai/environment";
import { secretVariables } from "@tau/ai/provider-row";
import { PROVIDERS } from "@tau/ai/providers";
import { UNATTENDED_ENVIRONMENT } from "@tau/host/pty/unattended-environment";

/** Tokens that the user's own tools (glab, huggingface-cli) live on as well. */
const SHARED: ReadonlySet<string> = new Set(["GITLAB_TOKEN", "HF_TOKEN", "HUGGINGFACE_HUB_TOKEN"]);

let modelKeys: ReadonlySet<string> | undefined;

/** Whether it is for Tau to talk to models with, and for nobody that Tau starts. */
export function isModelKey(name: string): boolean {
  modelKeys ??= new Set(PROVIDERS.flatMap(secretVariables));
  return modelKeys.has(name) && !SHARED.has(name);
}

/** With a person at the terminal, who pages, edits and answers. */
export function attendedEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isModelKey(name)));
}

export function childEnvironment(env: Environment): Record<string, string | undefined> {
  return { ...attendedEnvironment(env), ...UNATTENDED_ENVIRONMENT, TERM: "dumb" };
}
