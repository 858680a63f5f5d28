// The models that there are, by the user's own settings and files.

import type { Environment } from "@tau/ai/environment";
import type { Settings } from "../config/settings.ts";
import { openModelAccess, type ModelAccess } from "../model/model-access.ts";
import { openUserSettings } from "./open-user-settings.ts";

export async function openModels(place: {
  env: Environment;
  cwd: string;
  /** Opened before; the user's own if absent. */
  settings?: Settings;
}): Promise<ModelAccess> {
  const settings = place.settings ?? (await openUserSettings(place));
  return openModelAccess({ ...place, settings, problems: settings.problems });
}
