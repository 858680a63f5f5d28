// The settings of discovery.

import { list, type LostPart } from "../config/setting.ts";
import { settingGroup } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";
import { isSource, SOURCE_IDS, type SourceId } from "../config/sources.ts";

export const DISCOVERY_ROWS = settingGroup("", "Discovery", {
  disabledSources: list(
    `Sources to ignore: tools whose files are not read: ${SOURCE_IDS.map((id) => `\`${id}\``).join(", ")}`,
    // Otherwise a repository could put the user's own rules out of force.
    { scope: "user", guards: { kind: "consent", check: checkSources } },
  ),
});

/** A source that was to be left alone may allow calls: a slip in its name must not let it. */
async function checkSources(value: unknown): Promise<LostPart[]> {
  const { suggest } = await import("../base/suggest.ts");
  return (value as readonly unknown[]).flatMap((one, at): LostPart[] => {
    if (typeof one === "string" && isSource(one)) return [];
    const near = suggest(String(one).toLowerCase(), SOURCE_IDS);
    const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
    const message = `there is no source ${JSON.stringify(one)}${hint}`;
    const isNobodys = typeof one === "string" && near === undefined;
    return [{ path: [at], message, calls: isNobodys ? "none" : "any" }];
  });
}

export function disabledSourcesFrom(settings: Settings): SourceId[] {
  const { disabledSources } = settings.group(DISCOVERY_ROWS);
  return disabledSources.filter((one): one is SourceId => typeof one === "string" && isSource(one));
}
