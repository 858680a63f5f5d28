// Whether this machine can confine processes in a given way, and what such a sandbox keeps. Tried, not
// guessed: containers and hardened systems refuse in many ways, and settings can open what was meant to
// be shut. Once for each way and place in the life of this process.

import { accessSync, constants, existsSync, readlinkSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownEnvironment } from "../process/own-environment.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { entriesOf } from "./existing-places.ts";
import { isWithin, type Mount } from "./mount-plan.ts";
import { brokenPromise, type SandboxPromises } from "./promises.ts";
import { hasNetwork, placesOf, type SandboxOptions } from "./sandbox-places.ts";
import { PROCESS_NAMESPACE, type Attempts, type Reached } from "./try-sandbox.ts";

export type Preflight =
  { ok: true; promises: SandboxPromises } | { ok: false; why: string; fix: string };

/** One way to confine. */
export interface Mechanism {
  kind: "bubblewrap" | "landlock";
  wrap(argv: readonly string[]): string[];
  /** Why nothing came back; `said` is what it printed. */
  explain(said: string): { why: string; fix: string };
}

/** It starts one small program, on a loaded machine. */
const TIMEOUT_MS = 20_000;
const MAX_REASON_CHARACTERS = 300;
/** More are not read to find out. */
const MAX_SECRETS = 64;
const WORK = { profile: "commands" } as const;

const checked = new Map<string, Promise<Preflight>>();

export function preflight(
  mechanism: Mechanism,
  options: SandboxOptions,
  trySandbox: readonly string[],
): Promise<Preflight> {
  const key = JSON.stringify([mechanism.kind, mechanism.wrap([]), options]);
  let result = checked.get(key);
  if (!result) {
    result = check(mechanism, options, trySandbox);
    checked.set(key, result);
    // What is missing may be installed meanwhile.
    void result.then(({ ok }) => ok || checked.delete(key));
  }
  return result;
}

async function check(
  mechanism: Mechanism,
  options: SandboxOptions,
  trySandbox: readonly string[],
): Promise<Preflight> {
  let datagrams = 0;
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const udp = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: { data: () => void (datagrams += 1) },
  });
  const places = placesOf(options, WORK);
  const attempts: Attempts = {
    outside: outsideOf(places, options),
    secrets: secretsAmong(places),
    guarded: guardedAmong(places),
    port: server.port,
    datagramPort: udp.port,
    pid: process.pid,
    processNamespace: readlinkSync(PROCESS_NAMESPACE),
  };
  try {
    const { said, failed } = await run(mechanism.wrap([...trySandbox, JSON.stringify(attempts)]));
    const reached = reachedFrom(said);
    if (!reached) return { ok: false, ...mechanism.explain(short(failed)) };
    const wrote = attempts.outside !== undefined && existsSync(attempts.outside);
    const promises = promisesFrom({
      ...reached,
      outside: reached.outside || wrote,
      network: reached.network || datagrams > 0,
    });
    const broken = brokenPromise(promises, hasNetwork(options, WORK) ? "on" : "off");
    if (broken === undefined) return { ok: true, promises };
    return {
      ok: false,
      why: `it was tried, and ${broken}`,
      fix: "check the setting sandbox.writable, or choose another sandbox.kind",
    };
  } finally {
    server.stop(true);
    udp.close();
    if (attempts.outside !== undefined) rmSync(attempts.outside, { force: true });
  }
}

async function run(argv: readonly string[]): Promise<{ said: string; failed: string }> {
  try {
    const child = Bun.spawn([...argv], {
      cwd: "/",
      env: ownedEnvironment({ PATH: ownEnvironment().PATH, DO_NOT_TRACK: "1" }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const [said, failed] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    return { said, failed: failed || "it did not finish in time" };
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    return { said: "", failed: "" };
  }
}

function reachedFrom(said: string): Reached | undefined {
  try {
    return JSON.parse(said) as Reached;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function promisesFrom(reached: Reached): SandboxPromises {
  return {
    keepsWriting: !reached.outside,
    keepsSecrets: reached.secrets === 0,
    network: reached.network ? "on" : "off",
    keepsGuarded: reached.guarded === 0,
    hidesProcesses: !reached.isTauVisible,
    keepsSignals: !reached.isTauSignalled,
    keepsMemory: !reached.isTauRead,
  };
}

function short(text: string): string {
  return text.trim().slice(0, MAX_REASON_CHARACTERS);
}

/** A file that this process could make, and a confined one must not. */
function outsideOf(
  places: readonly Mount[],
  { home, workspace }: SandboxOptions,
): string | undefined {
  const name = `.tau-sandbox-${crypto.randomUUID()}`;
  const directory = [home, dirname(workspace), dirname(home), "/var/tmp", "/"].find(
    (candidate) => isOurs(candidate) && kindAt(places, candidate) !== "writable",
  );
  return directory === undefined ? undefined : join(directory, name);
}

function kindAt(places: readonly Mount[], path: string): Mount["kind"] | undefined {
  return places.findLast((place) => isWithin(path, place.path))?.kind;
}

function isOurs(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}

/** One file of each hidden place. */
function secretsAmong(places: readonly Mount[]): string[] {
  return places
    .flatMap(({ path, kind }) => {
      if (kind === "hidden_file") return [path];
      if (kind !== "hidden_directory") return [];
      const file = entriesOf(path).find((entry) => entry.isFile());
      const inside = file && join(path, file.name);
      return inside !== undefined && kindAt(places, inside) === kind ? [inside] : [];
    })
    .slice(0, MAX_SECRETS);
}

/** Read-only places inside of writable ones. */
function guardedAmong(places: readonly Mount[]): string[] {
  return places
    .filter(
      ({ path, kind }) =>
        kind === "readable" && kindAt(places, dirname(path)) === "writable" && isThere(path),
    )
    .map(({ path }) => path);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
