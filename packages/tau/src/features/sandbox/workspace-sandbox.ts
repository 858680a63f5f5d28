// The sandbox that a session's processes run in, as the user's settings want it.

import { resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import type { SandboxMachine } from "@tau/host/sandbox/mechanisms";
import type { Sandbox } from "@tau/host/sandbox/sandbox";
import { selfCommand } from "../../base/self-command.ts";
import { expandHome, homeOf, temporaryDirectory } from "../../config/places.ts";
import { storePath } from "../../credentials/open-store.ts";
import { UserError } from "../../user-error.ts";
import type { SandboxSettings } from "./settings.ts";

export interface WorkspaceSandboxOptions {
  cwd: string;
  env: Environment;
  settings: SandboxSettings;
  /** What Tau itself gives commands to write to. */
  writable?: readonly string[];
}

/** SQLite keeps what was written last beside the file. */
const STORE_SUFFIXES = ["", "-wal", "-shm"];
/** Where services put sockets, whatever the temporary directory is. */
const SHARED_TEMPORARY = "/tmp";

/** Throws `UserError` if the settings cannot be followed. */
export async function workspaceSandbox(
  { cwd, env, settings, writable = [] }: WorkspaceSandboxOptions,
  machine: SandboxMachine = {},
): Promise<Sandbox> {
  const own = settings.writable.map((path) => {
    if (typeof path === "string") return resolve(cwd, expandHome(path, env));
    throw new UserError(
      `sandbox.writable must be a list of paths; ${JSON.stringify(path)} is not a path`,
    );
  });
  const [{ openSandbox }, { socketsIn }] = await Promise.all([
    import("@tau/host/sandbox/sandbox"),
    import("@tau/host/sandbox/sandbox-places"),
  ]);
  const temporary = temporaryDirectory(env);
  return openSandbox(
    {
      workspace: cwd,
      temporary,
      writable: [...own, ...writable],
      hidden: STORE_SUFFIXES.map((suffix) => storePath(env) + suffix),
      sockets: [...socketsIn([...new Set([temporary, SHARED_TEMPORARY])]), ...namedSockets(env)],
      network: settings.network,
      home: homeOf(env),
    },
    { kind: settings.kind, own: ownPrograms(), ...machine },
  );
}

function ownPrograms(): SandboxMachine["own"] {
  const runConfined = selfCommand(["run-confined"]);
  const trySandbox = selfCommand(["try-sandbox"]);
  return runConfined && trySandbox && { runConfined, trySandbox };
}

/** Sockets that the environment leads to, wherever they are. */
function namedSockets({ SSH_AUTH_SOCK, DOCKER_HOST }: Environment): string[] {
  const docker = /^unix:\/\/(\/.+)$/.exec(DOCKER_HOST ?? "")?.[1];
  return [SSH_AUTH_SOCK, docker].filter((path): path is string => !!path?.startsWith("/"));
}
