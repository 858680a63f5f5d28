// A shell that lives longer than one command: what a command changes is there for the next one.
// Whatever a command does to it (exit, exec, a runaway loop, a kill), the next command finds a
// shell that goes on from where it was.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { programOnPath } from "../process/program-on-path.ts";
import {
  descendantsOf,
  endProcesses,
  isZombie,
  processesWithMark,
  programOf,
  readsPipe,
  signalGroup,
  signalProcess,
} from "../process/process-tree.ts";
import {
  wrappedProcesses,
  type MissedNetwork,
  type ProcessWrapper,
} from "../process/process-wrapper.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { StrayWatch } from "../process/strays.ts";
import { BASH_DRIVER } from "./bash-driver.ts";
import { DeafWatch } from "./deaf-watch.ts";
import { MarkerScanner } from "./marker-scanner.ts";
import { openOutputSource, type OutputSource } from "./output-source.ts";
import { SHELL_MARK_VARIABLE, type CommandPlace, type ShellDriver } from "./shell-driver.ts";
import { settledState, stateName } from "./shell-state-file.ts";
import { StateDirectory } from "./state-directory.ts";

export interface ShellOptions {
  /** How it is talked to; as bash where absent. */
  driver?: ShellDriver;
  /** The program; the driver's own where absent. */
  shell?: string;
  /** What it runs in. */
  wrapper?: ProcessWrapper;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A private directory of this shell's own, for what it writes down. */
  stateDirectory: string;
  /** Where that directory is to be made, if Tau holds on to it. */
  parent?: () => StateDirectory;
  /** What another shell wrote down: this one begins as that one was. */
  inherits?: () => string | undefined;
  /** Read by a shell that begins anew; asked when it does, for it may come later than others. */
  startScript?: () => string | undefined;
}

export interface RunOptions extends CommandPlace {
  signal?: AbortSignal;
  timeoutMs?: number;
  /**
   * Output and error output, in the order they were written. The bytes are the callee's for the
   * call only; a promise holds the command up until it resolves.
   */
  onOutput: (bytes: Buffer) => void | Promise<void>;
}

export interface ShellResult {
  /** Null where a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** `deaf`: it carried nothing out any more, and the next command finds a new shell. */
  end: "exited" | "timeout" | "aborted" | "deaf";
  /** Where the shell is now. */
  cwd: string;
  /** What it left in the background, which ends with it. */
  endedWith?: readonly EndedProcess[];
  /** Whether it wanted a network that is not there; absent if there is one. */
  missedNetwork?: MissedNetwork;
}

export interface EndedProcess {
  pid: number;
  /** Of its program; undefined if it cannot be told. */
  name: string | undefined;
}

/** The shell could not be started at all. */
export class ShellStartError extends Error {
  override readonly name = "ShellStartError";
}

/** After its children are gone a shell ends at once, unless it is beyond asking. */
const END_GRACE_MS = 300;
/** What is left when a command has ended is looked for a moment later: nobody waits for it. */
const SWEEP_DELAY_MS = 150;

type Child = Bun.Subprocess<"pipe", "pipe" | number, "ignore">;

interface Call {
  scanner: MarkerScanner;
  onOutput: (bytes: Buffer) => void | Promise<void>;
  settle: (fields: string | undefined) => void;
  fail: (error: unknown) => void;
  /** Whoever takes the output is not ready for more. */
  isHeld: boolean;
}

export class ShellSession implements AsyncDisposable {
  readonly #options: ShellOptions;
  readonly #driver: ShellDriver;
  readonly #mark = `${SHELL_MARK_VARIABLE}=${crypto.randomUUID()}`;
  readonly #statePath: string;
  #directory: StateDirectory | undefined;
  #child: Child | undefined;
  #output: OutputSource | undefined;
  #call: Call | undefined;
  #cwd: string;
  #cleaning: Promise<void> = Promise.resolve();
  #sweep: ReturnType<typeof setTimeout> | undefined;
  #strays: StrayWatch | undefined;
  #files = 0;
  #probes = 0;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#driver = options.driver ?? BASH_DRIVER;
    this.#cwd = options.cwd;
    this.#statePath = join(options.stateDirectory, stateName(this.#driver));
  }

  /** Where the next command runs. */
  get cwd(): string {
    return this.#cwd;
  }

  /** Where the shell has written down what it is, if it has. */
  get statePath(): string | undefined {
    return settledState(this.#place(), this.#driver);
  }

  /** Begins as the other one is, by a copy of what that one wrote down. */
  adopt(other: ShellSession): void {
    const name = stateName(this.#driver);
    if (other.statePath === undefined) return;
    const text = other.#place().read(name);
    if (text !== undefined) this.#place().write(name, text);
  }

  #place(): StateDirectory {
    const { parent, stateDirectory } = this.#options;
    this.#directory ??=
      parent?.().sub(basename(stateDirectory)) ?? new StateDirectory(stateDirectory);
    return this.#directory;
  }

  get isBusy(): boolean {
    return this.#call !== undefined;
  }

  /** One at a time. Throws `ShellStartError`. */
  async run(command: string, options: RunOptions): Promise<ShellResult> {
    options.signal?.throwIfAborted();
    clearTimeout(this.#sweep);
    await this.#cleaning;
    // One that was killed while it was idle heard nothing of this command.
    if (this.#child && hasEnded(this.#child)) this.#drop();
    const child = (this.#child ??= this.#start());
    const token = `\u001e${crypto.randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const scanner = new MarkerScanner(token);
    this.#call = {
      scanner,
      onOutput: options.onOutput,
      settle: resolve,
      fail: reject,
      isHeld: false,
    };
    const strays = (this.#strays = new StrayWatch());
    let end: ShellResult["end"] = "exited";
    const stop = (reason: "timeout" | "aborted" | "deaf"): void => {
      if (end !== "exited") return;
      end = reason;
      this.#cleaning = this.#stop(child);
    };
    const onAbort = (): void => stop("aborted");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop("timeout"), options.timeoutMs);
    this.#listen(child);
    const file = this.#send(child, command, token, options);
    const deaf = this.#watchDeaf(child, () => stop("deaf"));
    try {
      const fields = await promise;
      await this.#cleaning;
      if (fields !== undefined) return this.#ended(fields, end, child);
      return await this.#gone(child, end);
    } catch (error) {
      // Whoever takes the output cannot: nobody is left to run it for.
      this.#cleaning = this.#stop(child).then(() => this.#drop());
      await this.#cleaning;
      throw error;
    } finally {
      this.#call = undefined;
      strays[Symbol.dispose]();
      deaf?.[Symbol.dispose]();
      await this.#output?.stop();
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      if (file !== undefined) this.#directory?.remove(file);
      this.#sweepLater();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#sweep);
    await this.#cleaning;
    const child = this.#child;
    this.#drop();
    this.#call?.settle(undefined);
    if (child) {
      signalGroup(child.pid, "SIGKILL");
      await endProcesses(() => [...descendantsOf(child.pid), ...this.#outOfSight()], 0);
      await child.exited;
    } else await endProcesses(() => this.#outOfSight(), 0);
    this.#directory?.[Symbol.dispose]();
    this.#directory = undefined;
  }

  #drop(): void {
    this.#child = undefined;
    this.#output?.close();
    this.#output = undefined;
  }

  #start(): Child {
    const driver = this.#driver;
    const { shell = driver.program, wrapper, env, stateDirectory } = this.#options;
    const place = this.#place();
    const output = openOutputSource(stateDirectory);
    let child: Child;
    try {
      const program = programOnPath(shell, env.PATH) ?? shell;
      child = Bun.spawn([...(wrapper?.argv ?? []), program, ...driver.arguments], {
        cwd: this.#options.cwd,
        env: ownedEnvironment(env, this.#mark),
        stdin: "pipe",
        stdout: output.writeEnd,
        stderr: "ignore",
        // A session of its own: no terminal to ask questions on, and one group to end.
        detached: true,
      });
    } catch (error) {
      output.close();
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
      // The system's word for that names the program.
      const why = existsSync(this.#options.cwd)
        ? (error as Error).message
        : `its directory ${this.#options.cwd} does not exist`;
      throw new ShellStartError(why, { cause: error });
    }
    // Nobody is kept from leaving by an idle shell.
    child.unref();
    output.started(typeof child.stdout === "object" ? child.stdout : undefined);
    this.#output = output;
    child.stdin.write(driver.setup(this.#statePath));
    const state = settledState(place, driver);
    if (state !== undefined) child.stdin.write(driver.restore(state));
    else this.#beginAnew(child);
    child.stdin.write(driver.readyLine);
    return child;
  }

  #beginAnew(child: Child): void {
    const { inherits, startScript } = this.#options;
    const inherited = inherits?.();
    if (inherited !== undefined) child.stdin.write(this.#driver.restore(inherited));
    else {
      const script = startScript?.();
      if (script !== undefined) {
        const path = this.#place().write(`start${this.#driver.fileSuffix}`, script);
        child.stdin.write(this.#driver.restore(path));
      }
    }
    child.stdin.write(this.#driver.enter(this.#cwd));
  }

  #listen(child: Child): void {
    const call = this.#call!;
    const take = (bytes: Buffer): boolean | Promise<boolean> => {
      let held: unknown;
      const found = call.scanner.push(bytes, (output) => {
        held = call.onOutput(output);
      });
      call.isHeld = held instanceof Promise;
      const settle = (): boolean => {
        call.isHeld = false;
        if (found) call.settle(found.fields);
        return !found;
      };
      return held instanceof Promise ? held.then(settle) : settle();
    };
    void this.#output?.listen(take).then((isEnd) => {
      if (isEnd) this.#lost(child);
    }, call.fail);
  }

  /** The shell's output has ended, or the shell has, with someone else holding its output. */
  #lost(child: Child): void {
    if (this.#child !== child) return;
    const call = this.#call;
    call?.scanner.finish((output) => void call.onOutput(output));
    call?.settle(undefined);
  }

  #send(child: Child, command: string, token: string, place: CommandPlace): string | undefined {
    let file: string | undefined;
    const { maxInlineCharacters, fileSuffix, lifetime } = this.#driver;
    if (command.length > maxInlineCharacters) {
      file = `command-${++this.#files}${fileSuffix}`;
      const path = this.#place().write(file, command);
      child.stdin.write(this.#driver.fileCommand(path, token, place));
    } else child.stdin.write(this.#driver.command(command, token, place));
    if (lifetime === "command") void child.stdin.end();
    else child.stdin.flush();
    // One that ends itself may leave its output open to a child of its own.
    void child.exited.then(async () => {
      await Bun.sleep(SWEEP_DELAY_MS);
      this.#lost(child);
    });
    return file;
  }

  #watchDeaf(child: Child, onDeaf: () => void): DeafWatch | undefined {
    const { probe } = this.#driver;
    if (!probe) return undefined;
    // One that was read after its command is of no more use.
    this.#directory?.remove(`probe-${this.#probes}`);
    const path = join(this.#options.stateDirectory, `probe-${++this.#probes}`);
    const call = this.#call!;
    return new DeafWatch({
      path,
      send: () => {
        child.stdin.write(probe(path));
        child.stdin.flush();
      },
      isHeld: () => call.isHeld,
      onDeaf,
    });
  }

  #ended(fields: string, end: ShellResult["end"], child: Child): ShellResult {
    const [, status = "0", ...path] = fields.split(" ");
    this.#cwd = path.join(" ") || this.#cwd;
    const missedNetwork = this.#options.wrapper?.missedNetwork?.(this.#own(child).at(-1)!);
    // At once, behind the result: what comes next may kill the shell, or begin as it is.
    this.#keep(child);
    let endedWith: EndedProcess[] | undefined;
    if (this.#driver.lifetime === "command") this.#cleaning = this.#leave(child);
    else if (this.#leftOver(child).length > 0) {
      endedWith = this.#toStay(child);
      this.#cleaning = this.#endLeftOver(child);
    }
    const { length } = endedWith ?? [];
    return {
      exitCode: Number(status),
      signal: null,
      end,
      cwd: this.#cwd,
      endedWith: length > 0 ? endedWith : undefined,
      missedNetwork,
    };
  }

  /** What reads from the command, as in `>(tee log)`, ends by itself with it. */
  #toStay(child: Child): EndedProcess[] {
    const left = this.#leftOver(child).filter((pid) => !isZombie(pid) && !readsPipe(pid));
    return left.map((pid) => ({ pid, name: programOf(pid) }));
  }

  #keep(child: Child): void {
    const { keepLine } = this.#driver;
    if (keepLine === "" || hasEnded(child)) return;
    child.stdin.write(keepLine);
    child.stdin.flush();
  }

  /** The command ended its shell: with `exit`, by `exec`, or because it was stopped. */
  async #gone(child: Child, end: ShellResult["end"]): Promise<ShellResult> {
    signalGroup(child.pid, "SIGKILL");
    await child.exited;
    await this.#output?.stop();
    this.#drop();
    const signal = child.signalCode === null ? null : String(child.signalCode);
    return { exitCode: child.exitCode, signal, end, cwd: this.#cwd };
  }

  /** What it started is ended, then the shell ends itself and writes down what it was. */
  async #stop(child: Child): Promise<void> {
    signalProcess(this.#own(child).at(-1)!, "SIGTERM");
    await this.#endLeftOver(child);
    const isOver = await Promise.race([
      child.exited.then(() => true),
      Bun.sleep(END_GRACE_MS).then(() => false),
    ]);
    if (!isOver) signalGroup(child.pid, "SIGKILL");
    await child.exited;
    await endProcesses(() => this.#outOfSight(), 0);
  }

  /** Its command has ended, and so it is about to. */
  async #leave(child: Child): Promise<void> {
    this.#drop();
    await Promise.race([child.exited, Bun.sleep(END_GRACE_MS)]);
    await this.#endLeftOver(child);
    signalGroup(child.pid, "SIGKILL");
    await child.exited;
  }

  #endLeftOver(child: Child): Promise<void> {
    return endProcesses(() => this.#leftOver(child));
  }

  /** What commands started. In a sandbox orphans come to its first process, not to the shell. */
  #leftOver(child: Child): number[] {
    if (this.#options.wrapper === undefined) return descendantsOf(child.pid);
    const own = this.#own(child);
    return descendantsOf(child.pid).filter((pid) => !own.includes(pid));
  }

  /** The shell, last, below what it runs in. */
  #own(child: Child): number[] {
    return wrappedProcesses(child.pid, this.#options.wrapper);
  }

  /** Those that left the shell are found by their mark, or because they have none. */
  #outOfSight(): number[] {
    return [...processesWithMark(this.#mark), ...(this.#strays?.alive() ?? [])];
  }

  #sweepLater(): void {
    clearTimeout(this.#sweep);
    this.#sweep = setTimeout(() => {
      if (this.#call) return;
      const own = this.#child ? this.#own(this.#child) : [];
      const find = (): number[] => this.#outOfSight().filter((pid) => !own.includes(pid));
      this.#cleaning = this.#cleaning.then(() => endProcesses(find));
    }, SWEEP_DELAY_MS);
    this.#sweep.unref();
  }
}

function hasEnded({ exitCode, signalCode }: Child): boolean {
  return exitCode !== null || signalCode !== null;
}
