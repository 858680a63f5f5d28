// A pipe as the system makes them, which the runtime has no call for. On Linux the C library is asked,
// which takes microseconds and gives a pipe that holds more; elsewhere, and where that is forbidden, a
// named pipe that loses its name at once does as well.

import { constants, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownEnvironment } from "../process/own-environment.ts";
import { openCLibrary } from "../c-library.ts";
import { programOnPath } from "../process/program-on-path.ts";

export interface Pipe {
  /** Reading from it never waits. */
  readEnd: number;
  writeEnd: number;
}

const CLOSE_ON_EXEC = 0o2000000;
const SET_FLAGS = 4;
const SET_PIPE_SIZE = 1031;
/** What an ordinary user may ask for. The usual 64 KiB have both ends wait for each other more. */
const PIPE_BYTES = 1024 * 1024;

type MakePipe = () => Pipe | undefined;

/** A private directory for the moment of opening. Undefined where neither way is to be had. */
export function openPipe(directory: string): Pipe | undefined {
  systemPipe ??= process.platform === "linux" ? findSystemPipe() : () => undefined;
  return systemPipe() ?? openNamedPipe(directory);
}

let systemPipe: MakePipe | undefined;

function findSystemPipe(): MakePipe {
  const library = openCLibrary({
    pipe2: { args: ["ptr", "i32"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  } as const);
  if (!library) return () => undefined;
  const { symbols, ptr } = library;
  return () => {
    const ends = new Int32Array(2);
    if (symbols.pipe2(ptr(ends), CLOSE_ON_EXEC) !== 0) return undefined;
    const [readEnd, writeEnd] = ends as unknown as [number, number];
    symbols.fcntl(readEnd, SET_FLAGS, constants.O_NONBLOCK);
    // Where too many are that large already, it stays as it is.
    symbols.fcntl(readEnd, SET_PIPE_SIZE, PIPE_BYTES);
    return { readEnd, writeEnd };
  };
}

export function openNamedPipe(directory: string): Pipe | undefined {
  const path = join(directory, `output-${crypto.randomUUID()}`);
  try {
    const program = programOnPath("mkfifo", ownEnvironment().PATH);
    if (program === undefined) return undefined;
    const made = Bun.spawnSync([program, "-m", "600", path], { env: {}, stderr: "ignore" });
    if (!made.success) return undefined;
    // Without waiting for the other end, which is opened next.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    // No such program, or a file system that knows no pipes.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}
