// The models that there are, by the user's own settings and files.

import type { Environment } from "@tau/ai/environment";
import type { Settings } from "../config/settings.ts";
import { openModelAccess, type ModelAccess } from "../model/model-access.ts";
import type { Feature } from "../feature-api/feature.ts";
import { broughtProviders } from "./brought-providers.ts";
import { openUserSettings } from "./open-user-settings.ts";

export async function openModels(place: {
  env: Environment;
  cwd: string;
  /** Opened before; the user's own if absent. */
  settings?: Settings;
  /** Whose providers are there, too. */
  features?: readonly Feature[];
}): Promise<ModelAccess> {
  const settings = place.settings ?? (await openUserSettings(place));
  const providers = broughtProviders(place.features ?? []);
  return openModelAccess({ ...place, settings, providers, problems: settings.problems });
}
