// What a sandbox is made of, whatever makes it: for a kind of work, which places it may write, which it
// may read, and which it must not see.

import { join } from "node:path";
import { realPlace } from "../guard/real-path.ts";
import { all, entriesOf, existing, mount } from "./existing-places.ts";
import { guardedIn } from "./guarded-mounts.ts";
import {
  HIDDEN_IN_HOME,
  KEPT_AT_RUNTIME,
  RUNTIME_DIRECTORY,
  SYSTEM_PROGRAMS,
} from "./hidden-places.ts";
import { isWithin, planMounts, type Mount } from "./mount-plan.ts";
import { PROFILES, type ConfinedWork } from "./profiles.ts";

export interface SandboxOptions {
  /** Writable. */
  workspace: string;
  /** Where temporary files go; writable. */
  temporary: string;
  /** Further directories or files that may be written. Those that are not there are passed over. */
  writable?: readonly string[];
  /** Further secrets, such as where Tau keeps its own; absolute. */
  hidden?: readonly string[];
  /** Sockets of the user's services, which hidden directories do not cover; absolute. */
  sockets?: readonly string[];
  network: "on" | "off";
  /** The user's; read-only, without the places in which secrets are. */
  home: string;
}

/** Whether this work has the network. */
export function hasNetwork({ network }: SandboxOptions, { profile }: ConfinedWork): boolean {
  return network === "on" && PROFILES[profile].network === "as_set";
}

/** As the places are now: what is confined may replace what lies in them by links later. */
export function settledOptions(options: SandboxOptions): SandboxOptions {
  const { workspace, temporary, writable = [], home } = options;
  return {
    ...options,
    workspace: realPlace(workspace),
    temporary: realPlace(temporary),
    writable: writable.map(realPlace),
    home: realPlace(home),
  };
}

/** What is not named is readable, or with `given` not there. Outermost first. */
export function placesOf(options: SandboxOptions, work: ConfinedWork): Mount[] {
  const { reads = [], writes = [] } = work;
  const readable = all(reads, "readable");
  if (PROFILES[work.profile].reads === "given") {
    const system = all(SYSTEM_PROGRAMS, "readable");
    return planMounts([...system, ...readable, ...writablePlaces(writes, [])]);
  }
  const { workspace, temporary, writable = [], hidden = [], sockets = [], home } = options;
  const secrets = [...HIDDEN_IN_HOME.map((path) => join(home, path)), ...hidden];
  const shut = [
    ...all([RUNTIME_DIRECTORY], "hidden_directory"),
    ...all(KEPT_AT_RUNTIME, "readable"),
    ...existing(secrets).map(({ path, isDirectory }) =>
      mount(path, isDirectory ? "hidden_directory" : "hidden_file"),
    ),
    ...all(sockets, "hidden_socket"),
    ...guardedPlaces(options),
  ];
  const open = [workspace, temporary, ...writable, ...writes];
  return planMounts([...shut, ...readable, ...writablePlaces(open, shut)]);
}

/**
 * What lies in another writable place is writable already. If it is named all the same, because something
 * around it is shut, it must be what was named: whoever writes there could have put a link in its place.
 */
function writablePlaces(paths: readonly string[], shut: readonly Mount[]): Mount[] {
  return paths.flatMap((given) => {
    const found = all([given], "writable");
    const isInner = paths.some((other) => other !== given && isWithin(given, other));
    if (!isInner) return found;
    const isNeeded = shut.some(({ path }) => isWithin(given, path));
    return isNeeded ? found.filter(({ path }) => path === given) : [];
  });
}

function guardedPlaces({ workspace, home }: SandboxOptions): Mount[] {
  const [[work], [own]] = [existing([workspace]), existing([home])];
  return work && own ? guardedIn(work.path, own.path) : [];
}

/** Sockets directly in these directories, or in one of their directories. */
export function socketsIn(directories: readonly string[]): string[] {
  return directories.flatMap((directory) =>
    entriesOf(directory).flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isSocket()) return [path];
      if (!entry.isDirectory()) return [];
      return entriesOf(path).flatMap((inner) => (inner.isSocket() ? [join(path, inner.name)] : []));
    }),
  );
}
