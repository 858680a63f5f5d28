// Whether Tau ends is for its user to say. A `process.exit` (`abort`, `kill` of the own process) that an
// extension calls, or a package that it has brought along, is refused: it throws, so that nothing after it
// runs, and is told by name and line like any other failure. Tau's own ways out (own-exit.ts) stay as they are,
// and so does a program that embeds Tau.

import { realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { isOwnExit } from "@tau/tui/terminal/own-exit";
import { isOwnProcess } from "../base/self-command.ts";
import { UserError } from "../user-error.ts";
import type { ExtensionSource } from "./extension-source.ts";
import { runningNow } from "./running-now.ts";

interface Caller {
  readonly name: string;
  /** The file and the line, as far as the call has left a trace. */
  readonly place?: string;
}

/** An extension wanted to end the process. */
export class ExitRefused extends UserError {
  readonly extension: string;
  /** Without saying who. */
  readonly what: string;

  constructor({ name, place }: Caller, call: string) {
    const what = `calls ${call}${place === undefined ? "" : ` (${place})`}, which would end Tau`;
    super(`The extension ${name} ${what}; it was kept from it.`);
    this.extension = name;
    this.what = `it ${what}`;
  }
}

/** By the path of their module; those that have gone may still have timers. */
const known = new Map<string, ExtensionSource>();

/** Before their modules are loaded. */
export function refuseExits(sources: readonly ExtensionSource[]): void {
  if (!isOwnProcess()) return;
  if (known.size === 0) intercept();
  for (const source of sources) known.set(source.path, source);
}

function intercept(): void {
  const { exit, abort, kill } = process;
  const real = process as unknown as { reallyExit?: (code?: number) => never };
  const { reallyExit } = real;
  process.exit = function ended(code) {
    check(`process.exit(${code ?? ""})`, ended);
    return exit.call(process, code);
  };
  process.abort = function aborted() {
    check("process.abort()", aborted);
    return abort.call(process);
  };
  process.kill = function killed(pid, signal) {
    // Zero only asks whether it is there; the pid zero is the whole group.
    if (signal !== 0 && (pid === process.pid || pid === 0 || pid === -process.pid)) {
      check(`process.kill(${pid === process.pid ? "process.pid" : pid})`, killed);
    }
    return kill.call(process, pid, signal);
  };
  if (!reallyExit) return;
  real.reallyExit = function left(code) {
    check("process.reallyExit()", left);
    return reallyExit.call(process, code);
  };
}

/** `within`: what was called; whoever called it stands above. */
function check(call: string, within: (...args: never[]) => unknown): void {
  if (isOwnExit()) return;
  const here = { stack: "" };
  Error.captureStackTrace(here, within);
  throw new ExitRefused(callerOf(here.stack), call);
}

/** The file, the line. */
const FRAME = /(?:\(|at |@)(?:file:\/\/)?(\/[^()]+?|[A-Za-z]:\\[^()]+?):(\d+)(?::\d+)?\)?$/;

/** A call in the last place of a function has no frame of it: then whose code was called last is known. */
function callerOf(stack: string): Caller {
  for (const line of stack.split("\n").slice(1)) {
    const [, file, row] = FRAME.exec(line.trim()) ?? [];
    if (file === undefined) continue;
    if (isOwn(file)) break;
    return { name: nameFor(file), place: `${basename(file)}:${row}` };
  }
  const [only, ...others] = known.values();
  return {
    name: runningNow()?.extension ?? (others.length > 0 ? SOMEBODY : (only?.name ?? SOMEBODY)),
  };
}

const SOMEBODY = "that is loaded";

/** In a checkout the packages beside this one; in an executable what it carries. */
const OWN = import.meta.dir.includes("$bunfs")
  ? dirname(import.meta.dir) + sep
  : join(import.meta.dir, "..", "..", "..") + sep;

function isOwn(file: string): boolean {
  return file.startsWith(OWN) || file.includes("$bunfs");
}

function nameFor(file: string): string {
  const sources = [...known.values()];
  const exact = sources.find(({ path }) => file === path || file === realOf(path));
  const near = sources.find(({ path, packageRoot }) => {
    const place = packageRoot ?? dirname(path);
    return file.startsWith(place + sep) || file.startsWith(realOf(place) + sep);
  });
  return (exact ?? near ?? sources[0])?.name ?? basename(file);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is gone meanwhile: the name that it had is all there is.
    return path;
  }
}
