// A command line that runs another one in a bubblewrap sandbox: it reads the system, writes to
// the workspace and what is named besides, sees no secrets and no other processes, gains no
// privileges, and ends as a whole with its first process.

import { programOnPath } from "../process/program-on-path.ts";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  HIDDEN_IN_HOME,
  HIDDEN_VARIABLES,
  KEPT_AT_RUNTIME,
  RUNTIME_DIRECTORY,
} from "./hidden-places.ts";
import { planMounts, type Mount } from "./mount-plan.ts";

export interface SandboxOptions {
  /** Writable. */
  workspace: string;
  /** Where temporary files go; writable. */
  temporary: string;
  /** Further directories or files that may be written. Those that are not there are passed over. */
  writable?: readonly string[];
  /** Further secrets, such as where Tau keeps its own; absolute. */
  hidden?: readonly string[];
  network: "on" | "off";
  /** The user's; read-only, without the places in which secrets are. */
  home: string;
  /** The program; `bwrap` where absent. */
  program?: string;
}

/** Processes that bubblewrap puts above the command: one outside, and the first one inside. */
export const SANDBOX_PROCESSES = 2;

/** Root in a container would otherwise keep what makes it root. */
const UNPRIVILEGED = ["--cap-drop", "ALL"];
const SYSTEM = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
/** The kernel's switches let root turn them by its number alone, and some lead out of any cage. */
const KERNEL = ["/proc/sys", "/proc/sysrq-trigger"].flatMap((path) => [
  "--ro-bind-try",
  path,
  path,
]);
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];

export function sandboxCommand(argv: readonly string[], options: SandboxOptions): string[] {
  const mounts = planMounts(placesOf(options));
  const hidden = mounts.filter(({ kind }) => kind === "hidden_directory");
  return [
    options.program ?? programOnPath("bwrap", process.env.PATH) ?? "bwrap",
    ...baseArguments(options.network),
    ...mounts.flatMap(mountArguments),
    // Only now: places inside of them had to be made.
    ...hidden.flatMap(({ path }) => ["--remount-ro", path]),
    ...HIDDEN_VARIABLES.flatMap((name) => ["--unsetenv", name]),
    "--",
    ...argv,
  ];
}

/** What every sandbox has, whatever is in it; a machine that can do this can do all of it. */
export function baseArguments(network: "on" | "off"): string[] {
  return [
    // With whoever started it, at the latest.
    "--die-with-parent",
    ...NAMESPACES,
    ...(network === "off" ? ["--unshare-net"] : []),
    ...UNPRIVILEGED,
    ...SYSTEM,
    ...KERNEL,
  ];
}

function placesOf(options: SandboxOptions): Mount[] {
  const { workspace, temporary, writable = [], hidden = [], home } = options;
  const secrets = [...HIDDEN_IN_HOME.map((path) => join(home, path)), ...hidden];
  return [
    ...existing([RUNTIME_DIRECTORY]).map(({ path }) => mount(path, "hidden_directory")),
    ...existing(KEPT_AT_RUNTIME).map(({ path }) => mount(path, "readable")),
    ...existing(secrets).map(({ path, isDirectory }) =>
      mount(path, isDirectory ? "hidden_directory" : "hidden_file"),
    ),
    ...existing([workspace, temporary, ...writable]).map(({ path }) => mount(path, "writable")),
  ];
}

function mount(path: string, kind: Mount["kind"]): Mount {
  return { path, kind };
}

interface Found {
  path: string;
  isDirectory: boolean;
}

/** Links are followed: it is what they lead to that must be shown or hidden. */
function existing(paths: readonly string[]): Found[] {
  return paths.flatMap((given) => {
    try {
      const path = realpathSync(given);
      return [{ path, isDirectory: statSync(path).isDirectory() }];
    } catch (error) {
      // Not there, or not ours to see: then it is not the command's either.
      if (typeof (error as { code?: unknown }).code === "string") return [];
      throw error;
    }
  });
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
      // A device on a mount without devices: opening it is refused, and says so.
      return ["--ro-bind", "/dev/null", path];
  }
}
