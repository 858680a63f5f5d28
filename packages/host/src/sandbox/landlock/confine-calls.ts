// The system calls with which a process gives up rights for itself and all that it starts, as functions
// that throw if the system refuses. They hold for the thread that makes them, and with it for the program
// that it becomes.

import { openCLibrary } from "../../c-library.ts";

const CALLS = {
  syscall: { args: ["i64", "u64", "u64", "u64", "u64"], returns: "i64" },
  prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  open: { args: ["ptr", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  signal: { args: ["i32", "u64"], returns: "u64" },
  sigprocmask: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  capset: { args: ["ptr", "ptr"], returns: "i32" },
  execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
} as const;

/** A call that was refused; the message names what could not be done. */
export class ConfineError extends Error {
  override readonly name = "ConfineError";
}

export interface ConfineCalls {
  /** Numbers, or bytes whose address is passed. Below zero if the system refuses. */
  syscall(number: number, ...words: readonly Word[]): number;
  prctl(option: number, ...words: readonly Word[]): number;
  capset(header: Uint8Array, data: Uint8Array): number;
  addressOf(bytes: Uint8Array): bigint;
  /** Without following a last link; closed when the process becomes another program. */
  openPath(path: string): number;
  close(descriptor: number): void;
  /** Handed on to the program that the process becomes. */
  keepOpen(descriptor: number): void;
  /** As a program expects to find them: nothing blocked, nothing ignored. */
  resetSignals(): void;
  /** Returns only if it did not work. */
  execute(program: string, argv: readonly string[], environment: readonly Uint8Array[]): void;
}

type Word = bigint | number | Uint8Array;

const PATH_ONLY = 0o10000000;
const NO_FOLLOW = 0o400000;
const CLOSE_ON_EXEC = 0o2000000;
const SET_DESCRIPTOR_FLAGS = 2;
const SET_MASK = 2;
/** A set of signals is at most this long. */
const MASK_BYTES = 128;
const LAST_SIGNAL = 31;
const UNCHANGEABLE: ReadonlySet<number> = new Set([9, 19]);

export function openConfineCalls(): ConfineCalls {
  const library = openCLibrary(CALLS);
  if (!library) throw new ConfineError("the system's C library cannot be used");
  const { symbols, ptr } = library;
  const word = (value: Word | undefined): bigint => {
    if (value === undefined) return 0n;
    return typeof value === "object" ? BigInt(ptr(value)) : BigInt(value);
  };
  /** Kept until the process is another one: the system has only their addresses. */
  const kept: Uint8Array[] = [];
  const text = (words: string | Uint8Array): bigint => {
    const bytes = Buffer.concat([Buffer.from(words as string), Buffer.of(0)]);
    kept.push(bytes);
    return BigInt(ptr(bytes));
  };
  return {
    syscall: (number, ...words) =>
      Number(
        symbols.syscall(
          BigInt(number),
          word(words[0]),
          word(words[1]),
          word(words[2]),
          word(words[3]),
        ),
      ),
    prctl: (option, ...words) =>
      symbols.prctl(option, word(words[0]), word(words[1]), word(words[2]), word(words[3])),
    addressOf: (bytes) => BigInt(ptr(bytes)),
    capset: (header, data) => symbols.capset(ptr(header), ptr(data)),
    openPath: (path) =>
      symbols.open(Buffer.from(`${path}\0`), PATH_ONLY | NO_FOLLOW | CLOSE_ON_EXEC),
    close: (descriptor) => void symbols.close(descriptor),
    keepOpen: (descriptor) => void symbols.fcntl(descriptor, SET_DESCRIPTOR_FLAGS, 0),
    resetSignals: () => {
      for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
        if (!UNCHANGEABLE.has(signal)) symbols.signal(signal, 0n);
      }
      symbols.sigprocmask(SET_MASK, new Uint8Array(MASK_BYTES), null);
    },
    execute: (program, argv, environment) => {
      // Both lists end with a null pointer.
      const list = (texts: readonly (string | Uint8Array)[]): BigUint64Array =>
        new BigUint64Array([...texts.map(text), 0n]);
      symbols.execve(Buffer.from(`${program}\0`), list(argv), list(environment));
    },
  };
}
