// The sandbox that a session's commands run in, as the user's settings want it. Where it is wanted
// and cannot be had, that is an error: nothing runs unconfined because a package is missing.

import { resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import type { Sandbox } from "@tau/host/sandbox/sandbox";
import type { PreflightOptions } from "@tau/host/sandbox/preflight";
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

/** Undefined where none is wanted. Throws `UserError` where it cannot be had. */
export async function workspaceSandbox(
  options: WorkspaceSandboxOptions,
  machine: PreflightOptions = {},
): Promise<Exclude<Sandbox, { kind: "none" }> | undefined> {
  const { cwd, env, settings, writable = [] } = options;
  if (settings.mode === "off") return undefined;
  const own = settings.writable.map((path) => {
    if (typeof path === "string") return resolve(cwd, expandHome(path, env));
    throw new UserError(
      `sandbox.writable must be a list of paths; ${JSON.stringify(path)} is not a path`,
    );
  });
  const { openSandbox } = await import("@tau/host/sandbox/sandbox");
  const sandbox = await openSandbox(
    {
      workspace: cwd,
      temporary: temporaryDirectory(env),
      writable: [...own, ...writable],
      hidden: STORE_SUFFIXES.map((suffix) => storePath(env) + suffix),
      network: settings.network,
      home: homeOf(env),
    },
    machine,
  );
  if (sandbox.kind === "none") {
    throw new UserError(`the sandbox is not available: ${sandbox.why}; ${sandbox.fix}`);
  }
  return sandbox;
}
