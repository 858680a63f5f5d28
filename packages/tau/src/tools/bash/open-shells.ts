// The agent's shells, as the machine and the user's settings want them: which shell, what it begins
// with, what it is confined to. None is started yet.

import { existsSync } from "node:fs";
import { removeAfterwards } from "@tau/host/process/reaper";
import { chooseShell, ShellChoiceError, type ChosenShell } from "@tau/host/shell/choose-shell";
import { ShellPool } from "@tau/host/shell/shell-pool";
import type { ProcessWrapper } from "@tau/host/process/process-wrapper";
import { UserError } from "../../user-error.ts";
import type { ShellsPlace } from "../agent-shells.ts";
import { childEnvironment } from "./child-environment.ts";
import type { UserRc } from "./user-rc.ts";

export interface OpeningShells {
  place: ShellsPlace;
  stateDirectory: string;
  wrapper: ProcessWrapper | undefined;
}

/** Throws `UserError` where the user named a shell that cannot be used. */
export async function openShells(
  opening: OpeningShells,
): Promise<{ shells: ShellPool; userRc: UserRc | undefined }> {
  const { place, stateDirectory, wrapper } = opening;
  const { cwd, env } = place;
  // What shells write down there has their variables in it.
  removeAfterwards(stateDirectory);
  const { driver, program } = chosenShell(place);
  const userRc = driver.name === "bash" ? await startRc(program, opening) : undefined;
  const shells = new ShellPool({
    cwd,
    env: childEnvironment(env),
    stateDirectory,
    driver,
    shell: program,
    startScript: () => userRc?.loaded?.script,
    wrapper,
  });
  return { shells, userRc };
}

function chosenShell({ env, settings }: ShellsPlace): ChosenShell {
  try {
    return chooseShell({
      platform: process.platform,
      env,
      configured: env.TAU_SHELL_PATH || settings.shellPath,
      exists: existsSync,
    });
  } catch (error) {
    if (error instanceof ShellChoiceError) {
      throw new UserError(`${error.message} (TAU_SHELL_PATH or the setting bash.shellPath)`);
    }
    throw error;
  }
}

async function startRc(
  shell: string,
  { place, stateDirectory, wrapper }: OpeningShells,
): Promise<UserRc | undefined> {
  const { env, home, agentDirectory, settings } = place;
  if (!settings.userRc) return undefined;
  const { UserRc } = await import("./user-rc.ts");
  const userRc = new UserRc({
    env,
    home,
    agentDirectory,
    scratchDirectory: stateDirectory,
    shell,
    wrapper: wrapper?.argv,
  });
  await userRc.ready();
  return userRc;
}
