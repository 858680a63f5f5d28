// Which modules run inside Tau besides those that lie in the directories for them.

import { list } from "../config/setting.ts";
import { settingGroup } from "../config/setting-group.ts";

export const EXTENSION_ROWS = settingGroup("", "Extensions", {
  extensions: list(
    "More extensions to load: files, directories or packages; relative to the working directory",
  ),
  disabledExtensions: list("Extensions not to load, by name: `guard`, or `extension-module:guard`"),
});

const PREFIX = "extension-module:";

/** Names without the prefix that the family writes. */
export function disabledNames(values: readonly unknown[]): Set<string> {
  const names = values.filter((one): one is string => typeof one === "string");
  return new Set(names.map((name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name)));
}
