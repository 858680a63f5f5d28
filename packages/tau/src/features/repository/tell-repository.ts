// Says it with the first prompt. Git is asked while the session is put together; a repository that
// takes longer than a person would notice goes untold.

import type { HookHandlers } from "@tau/agent/hooks";
import type { Environment } from "@tau/ai/environment";
import { repositoryOf } from "@tau/host/git/repository-of";

/** A run never waits longer for it. */
const PATIENCE_MS = 250;
/** A status of thousands of files is cut by those who show it. */
const MAX_OUTPUT_BYTES = 256 * 1024;

export function tellRepository({ cwd, env }: { cwd: string; env: Environment }): HookHandlers {
  if (repositoryOf(cwd) === undefined) return {};
  let state: Promise<string | undefined> | undefined = ask(cwd, env);
  return {
    run_start: async ({ messages }) => {
      const asked = state;
      state = undefined;
      // One that goes on knows what it began with.
      if (!asked || messages.some(({ role }) => role === "assistant")) return undefined;
      const text = await asked;
      if (text === undefined) return undefined;
      const content = [{ type: "text" as const, text }];
      return { messages: [{ role: "developer", content, timestamp: Date.now() }] };
    },
  };
}

async function ask(cwd: string, env: Environment): Promise<string | undefined> {
  const { inertOverview } = await import("@tau/host/git/inert-git");
  const question = { cwd, env, timeoutMs: PATIENCE_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const overview = await inertOverview(question);
  if (!overview) return undefined;
  const { repositoryWords } = await import("./repository-words.ts");
  return repositoryWords(overview);
}
