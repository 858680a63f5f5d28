// What a sandbox is made of, whatever makes it: for a kind of work, which places it may write, which it
// may read, and which it must not see.

import { join } from "node:path";
import { all, entriesOf, existing, mount } from "./existing-places.ts";
import { guardedIn } from "./guarded-mounts.ts";
import {
  HIDDEN_IN_HOME,
  KEPT_AT_RUNTIME,
  RUNTIME_DIRECTORY,
  SYSTEM_PROGRAMS,
} from "./hidden-places.ts";
import { planMounts, type Mount } from "./mount-plan.ts";
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

/** What is not named is readable, or with `given` not there. Outermost first. */
export function placesOf(options: SandboxOptions, work: ConfinedWork): Mount[] {
  const { reads = [], writes = [] } = work;
  const profile = PROFILES[work.profile];
  const given = [...all(reads, "readable"), ...all(writes, "writable")];
  if (profile.reads === "given") return planMounts([...all(SYSTEM_PROGRAMS, "readable"), ...given]);
  const { workspace, temporary, writable = [], hidden = [], sockets = [], home } = options;
  const secrets = [...HIDDEN_IN_HOME.map((path) => join(home, path)), ...hidden];
  return planMounts([
    ...all([RUNTIME_DIRECTORY], "hidden_directory"),
    ...all(KEPT_AT_RUNTIME, "readable"),
    ...existing(secrets).map(({ path, isDirectory }) =>
      mount(path, isDirectory ? "hidden_directory" : "hidden_file"),
    ),
    ...all(sockets, "hidden_socket"),
    ...guardedIn(workspace, home),
    ...all([workspace, temporary, ...writable], "writable"),
    ...given,
  ]);
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
