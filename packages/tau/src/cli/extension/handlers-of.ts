// At which hook points an extension of Tau's own kind listens. Only a session knows: its `setup` says so.

import { RUN_HOOK_NAMES, SESSION_HOOK_NAMES } from "@tau/agent/hook-names";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession } from "../../assembly/create-session.ts";

export async function handlersOf(path: string, cwd: string): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), "tau-inspect-"));
  try {
    const { session } = await createSession({
      cwd,
      env: { ...process.env, HOME: home, TAU_AGENT_DIR: home },
      session: { kind: "memory" },
      model: "tau/demo",
      extensions: { discover: false, paths: [path] },
    });
    await using opened = session;
    const names = [...RUN_HOOK_NAMES, ...SESSION_HOOK_NAMES];
    return names.filter((hook) =>
      opened.hooks.at(hook).some(({ owner }) => owner.kind === "extension"),
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
