// What an extension of Tau's own kind brings by its `setup`: the hook points at which it listens, and
// commands besides those that it declares. Only a session knows.

import { RUN_HOOK_NAMES, SESSION_HOOK_NAMES } from "@tau/agent/hook-names";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession } from "../../assembly/create-session.ts";
import { EXTENSIONS } from "../../extend/extension-book.ts";
import type { Inspection } from "../../extend/inspection.ts";

export async function broughtToSession(
  path: string,
  cwd: string,
): Promise<Pick<Inspection, "handlers" | "commands">> {
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
    return {
      handlers: names.filter((hook) =>
        opened.hooks.at(hook).some(({ owner }) => owner.kind === "extension"),
      ),
      commands: [...(opened.part(EXTENSIONS)?.commands.values() ?? [])].flat(),
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
