// What every hook is told on its standard input, whatever has happened.

import type { FeatureHost } from "../../feature-api/feature.ts";
import { WORKSPACE } from "../../tools/workspace.ts";

/** The names that scripts know; anything else is the careful one. */
const PERMISSION_MODES: Readonly<Record<string, string>> = {
  write: "acceptEdits",
  auto: "auto",
  yolo: "bypassPermissions",
};

export function hookFacts(host: FeatureHost): Record<string, unknown> {
  const mode = host.part(WORKSPACE)?.consent.mode?.() ?? "";
  return {
    session_id: host.sessionId,
    // Null for a session that is not kept.
    transcript_path: host.log.path ?? null,
    // Absent in the user's own session.
    agent_id: host.session.origin.agent,
    cwd: host.cwd,
    permission_mode: PERMISSION_MODES[mode] ?? "default",
    model: `${host.model.provider}/${host.model.id}`,
  };
}
