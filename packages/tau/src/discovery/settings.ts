// The settings of discovery.

import { list } from "../config/setting.ts";
import { settingGroup } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";
import { isSource, SOURCE_IDS, type SourceId } from "./sources.ts";

export const DISCOVERY_ROWS = settingGroup("", "Discovery", {
  disabledSources: list(
    `Tools whose files are left alone: ${SOURCE_IDS.map((id) => `\`${id}\``).join(", ")}`,
    // Otherwise a repository could put the user's own rules out of force.
    { scope: "user" },
  ),
});

export function disabledSourcesFrom(settings: Settings): SourceId[] {
  const { disabledSources } = settings.group(DISCOVERY_ROWS);
  return disabledSources.filter((one): one is SourceId => typeof one === "string" && isSource(one));
}
