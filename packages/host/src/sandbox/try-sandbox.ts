// Tries, from inside a sandbox, what must not work there, and prints what did. Started by `preflight.ts`.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";

export interface Attempts {
  /** A file outside of all that may be written, which is not there. */
  outside: string | undefined;
  secrets: readonly string[];
  /** What must stay as it is inside of what may be written. */
  guarded: readonly string[];
  /** Somebody listens there, on this machine, for TCP and UDP. */
  port: number;
  datagramPort: number;
  /** The Tau that asks, and whose numbers of processes it counts by. */
  pid: number;
  processNamespace: string;
}

export const PROCESS_NAMESPACE = "/proc/self/ns/pid";

/** What could be done. */
export interface Reached {
  outside: boolean;
  secrets: number;
  guarded: number;
  network: boolean;
  isTauVisible: boolean;
  isTauSignalled: boolean;
  isTauRead: boolean;
}

const CONNECT_MS = 1000;

export async function trySandbox(words: readonly string[]): Promise<void> {
  const { outside, secrets, guarded, port, datagramPort, pid, processNamespace } = JSON.parse(
    words[0]!,
  ) as Attempts;
  // Elsewhere the same number is another process.
  const isSame = readlinkSync(PROCESS_NAMESPACE) === processNamespace;
  const reached: Reached = {
    outside: outside !== undefined && works(() => closeSync(openSync(outside, "wx"))),
    secrets: secrets.filter((path) => works(() => readByte(path))).length,
    guarded: guarded.filter((path) => works(() => accessSync(path, constants.W_OK))).length,
    network: await isReached(port),
    isTauVisible: isSame && existsSync(`/proc/${pid}`),
    isTauSignalled: isSame && works(() => process.kill(pid, 0)),
    isTauRead: isSame && works(() => readByte(`/proc/${pid}/environ`)),
  };
  await sendDatagram(datagramPort);
  process.stdout.write(JSON.stringify(reached));
}

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}

function readByte(path: string): void {
  const descriptor = openSync(path, "r");
  readSync(descriptor, Buffer.alloc(1));
  closeSync(descriptor);
}

/** Whether anybody answers; for whatever reason not, it comes to the same. */
async function isReached(port: number): Promise<boolean> {
  const answer = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => answer.resolve(false), CONNECT_MS);
  Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: () => answer.resolve(true),
      data: () => {},
      error: () => answer.resolve(false),
    },
  }).catch(() => answer.resolve(false));
  const isOpen = await answer.promise;
  clearTimeout(timer);
  return isOpen;
}

/** Whoever listens knows whether it came. */
async function sendDatagram(port: number): Promise<void> {
  try {
    const socket = await Bun.udpSocket({});
    socket.send("x", port, "127.0.0.1");
    socket.close();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

if (import.meta.main) {
  await trySandbox(process.argv.slice(2));
  process.exit(0);
}
