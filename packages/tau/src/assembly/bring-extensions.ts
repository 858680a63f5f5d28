// Has the extensions of a session found, loaded and admitted, before the session is put together: what
// they bring counts as if it had been there from the start, settings included.

import type { Environment } from "@tau/ai/environment";
import { agentDirectory } from "../config/places.ts";
import type { Feature } from "../feature-api/feature.ts";
import { noteStart, takeCrashNote } from "../extend/start-marker.ts";
import { findExtensions, type ExtensionWish } from "../extend/find-extensions.ts";
import type { ExtensionBook } from "../extend/extension-book.ts";
import type { AdmittedFeatures } from "../features/admit-features.ts";
import type { Project } from "../project/project.ts";

export interface BringingPlace {
  project: Project;
  /** Those that are there anyway. */
  features: readonly Feature[];
  tell(notice: string): void;
}

export interface BroughtExtensions {
  book: ExtensionBook;
  /** All features, those of the extensions among them. */
  admitted: AdmittedFeatures;
}

function afterCrash(names: readonly string[]): string {
  const what = names.length === 1 ? "the extension" : "these extensions";
  return `Tau ended while it was loading ${what} (${names.join(", ")}); this time none is loaded, the next start tries again`;
}

export async function bringExtensions(
  wish: ExtensionWish,
  place: BringingPlace & { cwd: string; env: Environment },
): Promise<Partial<BroughtExtensions>> {
  const { project, features, cwd, env, tell } = place;
  // A program with settings of its own does not want what the user has lying around.
  const discover = (wish.discover ?? true) && project.readsFiles;
  const directory = agentDirectory(env);
  const crashed = discover ? takeCrashNote(directory) : undefined;
  if (crashed) tell(afterCrash(crashed));
  const settings = project.settings;
  const wanted = { ...wish, discover: discover && !crashed };
  const found = await findExtensions(wanted, { cwd, env, settings });
  found.notices.forEach(tell);
  if (found.sources.length === 0) return {};
  const settled = noteStart(
    directory,
    found.sources.map(({ name }) => name),
  );
  const [
    { loadExtensions },
    { HookClock },
    { locateError },
    { admitFeatures },
    { settingsTableOf },
  ] = await Promise.all([
    import("../extend/load-extensions.ts"),
    import("../extend/hook-clock.ts"),
    import("../extend/locate-error.ts"),
    import("../features/admit-features.ts"),
    import("../features/settings-table.ts"),
  ]);
  const result = await loadExtensions(found.sources, { cwd, flags: wish.flags ?? {} });
  const book = { ...result, clock: new HookClock(), locate: locateError, settled };
  for (const { source, message } of book.failures) {
    tell(`the extension ${source.name} is not loaded: ${message} (${source.path})`);
  }
  for (const { notices } of book.loaded) notices.forEach(tell);
  const admitted = admitFeatures([...features, ...book.loaded.map(({ feature }) => feature)]);
  const hasSettings = admitted.features.some(
    (one) => !features.includes(one) && (one.settings || one.variables),
  );
  if (hasSettings) await project.widen(async () => settingsTableOf(admitted.features));
  return { book, admitted };
}
