// Brings a settings file to the current version: only the lines that changed are written, comments
// stay, and what was there before is kept beside it.

import { existsSync, readFileSync } from "node:fs";
import { createDiskStorage } from "@tau/host/storage";
import { migrationOf, SETTINGS_VERSION, VERSION_KEY, type SettingChange } from "./migrations.ts";
import { changeFile, removeIn, renameIn, setIn } from "./write-setting.ts";

export interface MigratedFile {
  changes: SettingChange[];
  /** Where the old one is; undefined where nothing had to change. */
  backup?: string;
}

export async function migrateFile(file: string): Promise<MigratedFile> {
  if (!existsSync(file)) return { changes: [] };
  let migrated: MigratedFile = { changes: [] };
  await changeFile(file, async (document) => {
    const { changes } = migrationOf((document.toJS() ?? {}) as Record<string, unknown>);
    if (changes.length === 0) return "unchanged";
    const backup = await keepOld(file);
    for (const { old, now, rest } of changes) {
      if (now && rest === undefined) renameIn(document, old, now.key, file);
      else if (rest === undefined) removeIn(document, old);
      else setIn(document, old, rest, file);
      if (now) setIn(document, now.key, now.value, file);
    }
    setIn(document, VERSION_KEY, SETTINGS_VERSION, file);
    migrated = { changes, backup };
    return "changed";
  });
  return migrated;
}

/** Never over an earlier one. */
async function keepOld(file: string): Promise<string> {
  const text = readFileSync(file);
  for (let number = 1; ; number++) {
    const backup = `${file}.${number}.bak`;
    if (existsSync(backup)) continue;
    const options = { point: "settings.backup", mode: 0o600 };
    await createDiskStorage().createExclusive(backup, text, options);
    return backup;
  }
}
