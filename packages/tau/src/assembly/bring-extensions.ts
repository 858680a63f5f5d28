// Has the extensions of a session found, loaded and admitted, before the session is put together: what
// they bring counts as if it had been there from the start, settings included.

import type { Environment } from "@tau/ai/environment";
import { agentDirectory } from "../config/places.ts";
import type { Feature } from "../feature-api/feature.ts";
import { noteStart, takeCrashNote } from "../extend/start-marker.ts";
import {
  findExtensions,
  mayHaveExtensions,
  type ExtensionWish,
} from "../extend/find-extensions.ts";
import type { ExtensionBook } from "../extend/extension-book.ts";
import type { AdmittedFeatures } from "../features/admit-features.ts";
import type { LoadFailure } from "../extend/load-extensions.ts";
import type { FrontEnd } from "../feature-api/user-interface.ts";
import type { Project } from "../project/project.ts";

export interface BringingPlace {
  project: Project;
  /** Those that are there anyway. */
  features: readonly Feature[];
  /** Where what modules print would be seen. */
  front?: FrontEnd;
  tell(notice: string): void;
}

export interface BroughtExtensions {
  book: ExtensionBook;
  /** One that may guard calls is missing: every call is asked about instead. */
  mustAsk: boolean;
  /** All features, those of the extensions among them. */
  admitted: AdmittedFeatures;
}

function afterCrash(names: readonly string[]): string {
  const what = names.length === 1 ? "the extension" : "these extensions";
  return `Tau ended while it was loading ${what} (${names.join(", ")}); this time none is loaded and every call needs your approval; the next start tries again`;
}

export async function bringExtensions(
  wish: ExtensionWish,
  place: BringingPlace & { cwd: string; env: Environment },
): Promise<Partial<BroughtExtensions>> {
  const { project, features, cwd, env, front, tell } = place;
  // A program with settings of its own does not want what the user has lying around.
  const discover = (wish.discover ?? true) && project.readsFiles;
  const directory = agentDirectory(env);
  const crashed = discover ? takeCrashNote(directory) : undefined;
  if (crashed) tell(afterCrash(crashed));
  const settings = project.settings;
  const wanted = { ...wish, discover: discover && !crashed };
  const mustAsk = crashed !== undefined;
  const looked = { cwd, env, settings };
  if (!mayHaveExtensions(wanted, looked)) return { mustAsk };
  // The code that takes them in is loaded while the disk is searched.
  const code = loadCode();
  code.catch(() => {});
  const found = await findExtensions(wanted, looked);
  found.notices.forEach(tell);
  if (found.sources.length === 0) return { mustAsk };
  const settled = noteStart(
    directory,
    found.sources.map(({ name }) => name),
  );
  const {
    loadExtensions,
    HookClock,
    locateError,
    admitFeatures,
    settingsTableOf,
    StrayWatch,
    quietFor,
    watchBlocking,
  } = await code;
  const strays = new StrayWatch(found.sources);
  const extensions = found.sources.map(({ name }) => name);
  const watchdog = front && watchBlocking({ front, extensions });
  quietFor(front);
  const result = await loadExtensions(found.sources, { cwd, flags: wish.flags ?? {} });
  const commands = new Map<string, readonly string[]>();
  const clock = new HookClock();
  const book = { ...result, clock, locate: locateError, commands, settled, strays, watchdog };
  for (const { source, message } of book.failures) {
    tell(`the extension ${source.name} is not loaded: ${message} (${source.path})`);
  }
  const missing = await guardsAmong(book.failures);
  if (missing.length > 0) {
    tell(
      `${missing.join(", ")} may guard calls: while it is missing, every call needs your approval`,
    );
  }
  for (const { notices } of book.loaded) notices.forEach(tell);
  const admitted = admitFeatures([...features, ...book.loaded.map(({ feature }) => feature)]);
  const hasSettings = admitted.features.some(
    (one) => !features.includes(one) && (one.settings || one.variables),
  );
  if (hasSettings) await project.widen(async () => settingsTableOf(admitted.features));
  return { book, admitted, mustAsk: mustAsk || missing.length > 0 };
}

async function loadCode() {
  const [load, clock, locate, admit, table, strays, quiet, watchdog] = await Promise.all([
    import("../extend/load-extensions.ts"),
    import("../extend/hook-clock.ts"),
    import("../extend/locate-error.ts"),
    import("../features/admit-features.ts"),
    import("../features/settings-table.ts"),
    import("../extend/stray-errors.ts"),
    import("./quiet-for.ts"),
    import("../extend/watchdog/watchdog.ts"),
  ]);
  return { ...load, ...clock, ...locate, ...admit, ...table, ...strays, ...quiet, ...watchdog };
}

async function guardsAmong(failures: readonly LoadFailure[]): Promise<string[]> {
  const { mayGuard } = await import("../extend/may-guard.ts");
  const found = await Promise.all(
    failures.map(async ({ source }) => ((await mayGuard(source)) ? [source.name] : [])),
  );
  return found.flat();
}
