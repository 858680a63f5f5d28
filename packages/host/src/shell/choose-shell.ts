// Which shell runs commands: the one the user names, else bash; on Windows the bash that comes with
// Git, else PowerShell, else cmd. A pure choice over what is there.

import { posix, win32 } from "node:path";
import { BASH_DRIVER } from "./bash-driver.ts";
import { CMD_DRIVER } from "./cmd-driver.ts";
import { POWERSHELL_DRIVER } from "./powershell-driver.ts";
import type { ShellDriver } from "./shell-driver.ts";

export interface ShellWish {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** What the user wants; empty where they do not say. */
  configured: string;
  exists: (path: string) => boolean;
}

export interface ChosenShell {
  driver: ShellDriver;
  program: string;
}

/** What the user named cannot be used. */
export class ShellChoiceError extends Error {
  override readonly name = "ShellChoiceError";
}

const DRIVERS: readonly { names: RegExp; driver: ShellDriver }[] = [
  { names: /^bash(?:-\d[\d.]*)?$/, driver: BASH_DRIVER },
  { names: /^(?:pwsh|powershell)(?:-preview)?$/, driver: POWERSHELL_DRIVER },
  { names: /^cmd$/, driver: CMD_DRIVER },
];

/** Below one of these variables' directories; the first that is there is taken. */
const WINDOWS_PLACES: readonly { driver: ShellDriver; variable: string; path: string }[] = [
  { driver: BASH_DRIVER, variable: "ProgramFiles", path: "Git\\bin\\bash.exe" },
  { driver: BASH_DRIVER, variable: "ProgramW6432", path: "Git\\bin\\bash.exe" },
  { driver: BASH_DRIVER, variable: "ProgramFiles(x86)", path: "Git\\bin\\bash.exe" },
  { driver: BASH_DRIVER, variable: "LOCALAPPDATA", path: "Programs\\Git\\bin\\bash.exe" },
  {
    driver: BASH_DRIVER,
    variable: "USERPROFILE",
    path: "scoop\\apps\\git\\current\\bin\\bash.exe",
  },
];
const WINDOWS_FALLBACKS: typeof WINDOWS_PLACES = [
  { driver: POWERSHELL_DRIVER, variable: "ProgramFiles", path: "PowerShell\\7\\pwsh.exe" },
  {
    driver: POWERSHELL_DRIVER,
    variable: "SystemRoot",
    path: "System32\\WindowsPowerShell\\v1.0\\powershell.exe",
  },
];

/** Throws `ShellChoiceError`. */
export function chooseShell(wish: ShellWish): ChosenShell {
  if (wish.configured !== "") return configuredShell(wish);
  if (wish.platform !== "win32") return { driver: BASH_DRIVER, program: BASH_DRIVER.program };
  return (
    firstPlace(wish, WINDOWS_PLACES) ??
    gitBashByPath(wish) ??
    firstPlace(wish, WINDOWS_FALLBACKS) ?? {
      driver: CMD_DRIVER,
      program: variable(wish, "ComSpec") ?? CMD_DRIVER.program,
    }
  );
}

function configuredShell({ configured, platform, exists }: ShellWish): ChosenShell {
  const paths = platform === "win32" ? win32 : posix;
  const base = paths.basename(configured).toLowerCase();
  const name = base.endsWith(".exe") ? base.slice(0, -".exe".length) : base;
  const found = DRIVERS.find(({ names }) => names.test(name));
  if (!found) {
    throw new ShellChoiceError(
      `${configured} is not a supported shell; name bash, PowerShell or cmd`,
    );
  }
  const isPath = configured.includes("/") || (platform === "win32" && configured.includes("\\"));
  if (isPath && !exists(configured)) {
    throw new ShellChoiceError(
      `the shell ${configured} does not exist; correct the path or unset it`,
    );
  }
  return { driver: found.driver, program: configured };
}

function firstPlace(wish: ShellWish, places: typeof WINDOWS_PLACES): ChosenShell | undefined {
  for (const { driver, variable: name, path } of places) {
    const root = variable(wish, name);
    const program = root === undefined ? undefined : win32.join(root, path);
    if (program !== undefined && wish.exists(program)) return { driver, program };
  }
  return undefined;
}

/** Beside a `git` in an unusual place. What Windows itself calls `bash` is another machine. */
function gitBashByPath(wish: ShellWish): ChosenShell | undefined {
  for (const directory of (variable(wish, "PATH") ?? "").split(";")) {
    if (!win32.isAbsolute(directory)) continue;
    const git = win32.join(directory, "git.exe");
    const program = win32.join(directory, "..", "bin", "bash.exe");
    if (wish.exists(git) && wish.exists(program)) return { driver: BASH_DRIVER, program };
  }
  return undefined;
}

/** Windows does not mind how names of variables are written. */
function variable({ env }: ShellWish, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const key = Object.keys(env).find((one) => one.toLowerCase() === wanted);
  return (key === undefined ? undefined : env[key]) || undefined;
}
