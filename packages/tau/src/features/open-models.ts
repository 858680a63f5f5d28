// The models that there are, by the user's own settings and files.

import type { Environment } from "@tau/ai/environment";
import { openModelAccess, type ModelAccess } from "../model/model-access.ts";
import { openUserSettings } from "./open-user-settings.ts";

export async function openModels(place: { env: Environment; cwd: string }): Promise<ModelAccess> {
  const settings = await openUserSettings(place);
  return openModelAccess({ ...place, settings, problems: settings.problems });
}
