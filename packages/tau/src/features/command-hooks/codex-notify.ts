// `notify` in codex's own configuration: a program that is started whenever a turn is complete, with a
// description of it as its last argument. Nobody waits for it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { programOnPath } from "@tau/host/process/program-on-path";
import { textOf, type Message } from "@tau/ai/message";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { homeOf } from "../../config/places.ts";

export interface Notifier {
  argv: readonly string[];
  file: string;
}

/** The user's own only: a project has no say in what is started for every turn. */
export async function codexNotifier(env: FeatureHost["env"]): Promise<Notifier | undefined> {
  const file = join(homeOf(env), ".codex", "config.toml");
  if (!existsSync(file)) return undefined;
  const { readDocument } = await import("../../discovery/read-document.ts");
  const document = await readDocument(file);
  const notify = document.ok ? document.data.notify : undefined;
  if (!Array.isArray(notify) || notify.length === 0) return undefined;
  if (!notify.every((word): word is string => typeof word === "string")) return undefined;
  const [program = "", ...args] = notify;
  const found = programOnPath(program, env.PATH);
  return found === undefined ? undefined : { argv: [found, ...args], file };
}

/** The description of a turn that is complete. */
export function turnComplete(host: FeatureHost, messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  const begin = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages.slice(begin).filter(({ role }) => role === "user");
  return JSON.stringify({
    type: "agent-turn-complete",
    "thread-id": host.sessionId,
    "turn-id": host.view.leafId ?? "",
    cwd: host.cwd,
    client: "tau",
    "input-messages": asked.map((message) => textOf(message)),
    "last-assistant-message": last ? textOf(last) : null,
  });
}
