// Settings that a program brings along instead of the user's files, as the layer that they are.

import { Settings } from "../config/settings.ts";
import type { ModelSettings } from "../model/model-settings.ts";
import type { SessionSettings } from "../session/session-settings.ts";
import type { FileToolSettings } from "../tools/file-tool-settings.ts";

export interface IsolatedSettings {
  session?: Partial<SessionSettings>;
  tools?: Partial<FileToolSettings>;
  models?: Partial<ModelSettings>;
  /** Any others, by their keys: `compaction.strategy`, `secrets.enabled`. */
  rows?: Readonly<Record<string, unknown>>;
}

export function isolatedSettings({ session = {}, rows = {} }: IsolatedSettings): Settings {
  const { promotes, ...modes } = session;
  const values = new Map<string, unknown>([...Object.entries(modes), ...Object.entries(rows)]);
  if (promotes !== undefined) values.set("contextPromotion.enabled", promotes);
  return new Settings([{ name: "flag", source: "the program", values, problems: [] }]);
}
