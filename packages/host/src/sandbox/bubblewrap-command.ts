// A command line that runs another one in a bubblewrap sandbox: it reads the system, writes to
// the workspace and what is named besides, sees no secrets and no other processes, gains no
// privileges, and ends as a whole with its first process.

import { lstatSync, readlinkSync } from "node:fs";
import { ownEnvironment } from "../process/own-environment.ts";
import { programOnPath } from "../process/program-on-path.ts";
import { HIDDEN_VARIABLES, SYSTEM_PROGRAMS } from "./hidden-places.ts";
import type { Mount } from "./mount-plan.ts";
import { PROFILES, type ConfinedWork } from "./profiles.ts";
import { hasNetwork, placesOf, type SandboxOptions } from "./sandbox-places.ts";

/** Processes that bubblewrap puts above the command: one outside, and the first one inside. */
export const BUBBLEWRAP_PROCESSES = 2;

/** Root in a container would otherwise keep what makes it root. */
const UNPRIVILEGED = ["--cap-drop", "ALL"];
const SYSTEM = ["--ro-bind", "/", "/"];
const DEVICES = ["--dev", "/dev", "--proc", "/proc"];
/** The kernel's switches let root turn them by its number alone, and some lead out of any cage. */
const KERNEL = ["/proc/sys", "/proc/sysrq-trigger"].flatMap((path) => [
  "--ro-bind-try",
  path,
  path,
]);
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];

export interface BubblewrapPlace {
  options: SandboxOptions;
  /** The program; `bwrap` where absent. */
  program?: string;
}

export function bubblewrapCommand(
  argv: readonly string[],
  { options, program }: BubblewrapPlace,
  work: ConfinedWork,
): string[] {
  const mounts = placesOf(options, work);
  const isBare = PROFILES[work.profile].reads === "given";
  const hidden = mounts.filter(({ kind }) => kind === "hidden_directory");
  return [
    program ?? programOnPath("bwrap", ownEnvironment().PATH) ?? "bwrap",
    // With whoever started it, at the latest.
    "--die-with-parent",
    ...NAMESPACES,
    ...(hasNetwork(options, work) ? [] : ["--unshare-net"]),
    ...UNPRIVILEGED,
    ...(isBare ? systemLinks() : SYSTEM),
    ...DEVICES,
    ...KERNEL,
    ...mounts.flatMap(mountArguments),
    // Only now: places inside of them had to be made.
    ...[...hidden.map(({ path }) => path), ...(isBare ? ["/"] : [])].flatMap((path) => [
      "--remount-ro",
      path,
    ]),
    ...HIDDEN_VARIABLES.flatMap((name) => ["--unsetenv", name]),
    "--",
    ...argv,
  ];
}

/** In an empty root the system's links have to be made, such as that of /bin to /usr/bin. */
function systemLinks(): string[] {
  return SYSTEM_PROGRAMS.flatMap((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
      ? ["--symlink", readlinkSync(path), path]
      : [],
  );
}

function mountArguments({ path, kind }: Mount): string[] {
  switch (kind) {
    case "writable":
      return ["--bind", path, path];
    case "readable":
      return ["--ro-bind", path, path];
    case "hidden_directory":
      return ["--tmpfs", path];
    case "hidden_file":
    case "hidden_socket":
      // A device on a mount without devices: opening it is refused, and says so.
      return ["--ro-bind", "/dev/null", path];
  }
}
