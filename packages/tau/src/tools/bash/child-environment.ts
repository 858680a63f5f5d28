// The environment of commands: the user's own, without the keys that Tau talks to models with,
// and with a word to programs that nobody is there to page, edit or answer.

import type { Environment } from "@tau/ai/environment";
import { secretVariables } from "@tau/ai/provider-row";
import { PROVIDERS } from "@tau/ai/providers";
import { UNATTENDED_ENVIRONMENT } from "@tau/host/pty/unattended-environment";

/** Tokens that the user's own tools (glab, huggingface-cli) live on as well. */
const SHARED: ReadonlySet<string> = new Set(["GITLAB_TOKEN", "HF_TOKEN", "HUGGINGFACE_HUB_TOKEN"]);

export function childEnvironment(env: Environment): Record<string, string | undefined> {
  const secret = new Set(PROVIDERS.flatMap(secretVariables));
  const kept = Object.entries(env).filter(([name]) => !secret.has(name) || SHARED.has(name));
  return { ...Object.fromEntries(kept), ...UNATTENDED_ENVIRONMENT, TERM: "dumb" };
}
