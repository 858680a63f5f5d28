// What hides secrets for those who write to a session, or hand it on, without opening it.

import type { Environment } from "@tau/ai/environment";
import type { Redactor } from "../base/redactor.ts";
import { agentDirectory } from "../config/places.ts";
import { BUILT_IN } from "./built-in.ts";
import { openUserSettings } from "./open-user-settings.ts";

/** Undefined if the user does not want secrets hidden. Rejects with a `UserError` if they cannot be read. */
export async function openRedactor(cwd: string, env: Environment): Promise<Redactor | undefined> {
  const settings = await openUserSettings({ cwd, env });
  const place = { settings, env, wishes: {}, toolNames: [], canPreview: false };
  const hiding = BUILT_IN.find((feature) => feature.redactor && (feature.isOn?.(place) ?? true));
  return hiding?.redactor?.({ env, agentDirectory: agentDirectory(env) });
}
