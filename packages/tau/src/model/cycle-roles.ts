// The next model of the user's roles, for keys and programs that go through them.

import type { Model } from "@tau/ai/model";
import type { Settings } from "../config/settings.ts";
import { MODEL_ROWS } from "./model-setting-rows.ts";
import { splitLevel } from "./selector.ts";

/** Undefined where there are no two to go between. A model that has no role comes before the first. */
export function nextRoleModel(
  settings: Settings,
  { provider, id }: Pick<Model, "provider" | "id">,
  direction: "forward" | "backward" = "forward",
): string | undefined {
  const { modelRoles } = settings.group(MODEL_ROWS);
  const selectors = [...new Set(Object.values(modelRoles).map(String))];
  if (selectors.length < 2) return undefined;
  const at = selectors.findIndex((selector) => splitLevel(selector).name === `${provider}/${id}`);
  if (direction === "forward") return selectors[(at + 1) % selectors.length];
  return selectors.at(at <= 0 ? -1 : at - 1);
}
