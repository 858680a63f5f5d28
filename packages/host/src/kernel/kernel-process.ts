// One process of a kernel: started with Tau's mark, talked to over a channel of its own, its
// output read without end and in order, and ended with everything it started.

import {
  descendantsOf,
  endProcesses,
  processesWithMark,
  signalGroup,
  signalProcess,
} from "../process/process-tree.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { StrayWatch } from "../process/strays.ts";
import { OutputCapture } from "../output-capture.ts";
import { MarkerScanner } from "../shell/marker-scanner.ts";
import { wrappedProcesses, type ProcessWrapper } from "../process/process-wrapper.ts";
import type { CellRun } from "./cell-run.ts";
import { kernelFrame, type HostFrame, type KernelFrame } from "./kernel-frame.ts";

/** How a kernel of some language is started. */
export interface KernelLaunch {
  command: readonly string[];
  /** What it runs in, such as a sandbox. */
  wrapper?: ProcessWrapper;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The first message: what the other side needs before it can take cells. */
  boot: Readonly<Record<string, unknown>>;
}

/** A kernel could not be started; the message says what to do. */
export class KernelStartError extends Error {
  override readonly name = "KernelStartError";
}

/** A loaded machine may take this long to start an interpreter. */
const START_LIMIT_MS = 20_000;
/** After its channel is closed a kernel cleans up, within what it was told; then it is ended. */
const LEAVE_GRACE_MS = 500;
/** A process that is gone may have left its output to a child: that one's is not waited for. */
const DRAIN_MS = 200;
/** Of what is printed while no cell runs. */
const LATE_BYTES = 16 * 1024;
/** Of what a kernel says that does not come up. */
const START_WORDS = 2000;

type Child = Bun.Subprocess<"ignore", "pipe", "pipe">;

export class KernelProcess implements AsyncDisposable {
  #interrupts = 0;
  readonly #child: Child;
  readonly #mark: string;
  readonly #wrapper: ProcessWrapper | undefined;
  readonly #scanner: MarkerScanner;
  readonly #ready = Promise.withResolvers<string | undefined>();
  readonly #drained: Promise<unknown>;
  /** Resolves when the process is gone and its output has been handed on. */
  readonly ended: Promise<void>;
  #cell: CellRun | undefined;
  #late: OutputCapture | undefined;
  #isGone = false;
  #strays: StrayWatch | undefined;

  private constructor(launch: KernelLaunch, token: string, mark: string) {
    this.#mark = mark;
    this.#wrapper = launch.wrapper;
    this.#scanner = new MarkerScanner(`\u001e${token}`);
    this.#child = this.#spawn(launch);
    // Nobody is kept from leaving by an idle kernel.
    this.#child.unref();
    this.#drained = Promise.all([this.#readOutput(), this.#readErrors()]);
    this.ended = this.#end();
    this.#post({ ...launch.boot, type: "boot", token });
  }

  /** Throws `KernelStartError`. */
  static async start(launch: KernelLaunch): Promise<KernelProcess> {
    const kernel = new KernelProcess(
      launch,
      crypto.randomUUID(),
      `TAU_KERNEL=${crypto.randomUUID()}`,
    );
    const timer = setTimeout(() => kernel.#ready.resolve(undefined), START_LIMIT_MS);
    const version = await kernel.#ready.promise;
    clearTimeout(timer);
    if (version !== undefined) return kernel;
    await kernel[Symbol.asyncDispose]();
    const words = (kernel.#late?.result().text ?? "").trim().slice(-START_WORDS);
    throw new KernelStartError(
      `${launch.command[0]} did not start as a kernel${words ? `: ${words}` : "."}`,
    );
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** How it ended, once it has. */
  get ending(): string {
    const { exitCode, signalCode } = this.#child;
    return signalCode === null ? `exit code ${exitCode}` : String(signalCode);
  }

  send(frame: HostFrame): void {
    this.#post(frame);
  }

  /** Output and messages go to this cell from now on; first what was printed in the meantime. */
  async attach(cell: CellRun): Promise<void> {
    const late = this.#late?.result().text;
    this.#late = undefined;
    this.#cell = cell;
    this.#strays ??= new StrayWatch();
    // Whoever waits for a cell is not to leave before it is done.
    this.#child.ref();
    if (late) await cell.output(Buffer.from(`[printed since the last cell]\n${late.trimEnd()}\n`));
  }

  detach(): void {
    this.#cell = undefined;
    this.#strays?.[Symbol.dispose]();
    this.#child.unref();
  }

  /** What it has started, nearest first. */
  children(): number[] {
    const own = this.#own();
    return descendantsOf(this.#child.pid).filter((pid) => !own.includes(pid));
  }

  /** The kernel itself, last, below what it runs in. */
  #own(): number[] {
    return wrappedProcesses(this.#child.pid, this.#wrapper);
  }

  /** How many it has been sent so far. */
  get interrupts(): number {
    return this.#interrupts;
  }

  /** Interrupts it and, of what it started, all but `spared`. */
  interrupt(spared: ReadonlySet<number>): void {
    this.#interrupts += 1;
    if (this.#isGone) return;
    for (const pid of this.children()) if (!spared.has(pid)) signalProcess(pid, "SIGINT");
    signalProcess(this.#own().at(-1)!, "SIGINT");
  }

  kill(): void {
    if (!this.#isGone) signalGroup(this.#child.pid, "SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isGone) {
      this.#child.disconnect();
      await Promise.race([this.#child.exited, Bun.sleep(LEAVE_GRACE_MS)]);
      this.kill();
    }
    const own = this.#child.pid;
    const outOfSight = (): number[] => [
      ...processesWithMark(this.#mark),
      ...(this.#strays?.alive() ?? []),
    ];
    await endProcesses(() => [...descendantsOf(own), ...outOfSight()], 0);
    this.#strays?.[Symbol.dispose]();
    await this.ended;
  }

  #spawn({ command, wrapper, cwd, env }: KernelLaunch): Child {
    try {
      return Bun.spawn([...(wrapper?.argv ?? []), ...command], {
        cwd,
        env: ownedEnvironment(env, this.#mark),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        // A session of its own: no terminal to ask questions on, and one group to end.
        detached: true,
        // Lines of JSON, which every language can read.
        serialization: "json",
        ipc: (message: unknown) => this.#receive(kernelFrame(message)),
      });
    } catch (error) {
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
      throw new KernelStartError(`${command[0]} did not start: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  #post(message: object): void {
    if (this.#isGone) return;
    try {
      this.#child.send(message);
    } catch (error) {
      // It went while it was being talked to; `ended` tells whoever waits.
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
    }
  }

  #receive(frame: KernelFrame | undefined): void {
    if (frame?.type === "ready") this.#ready.resolve(frame.version);
    else if (frame && this.#cell) this.#cell.frame(frame);
    else if (frame?.type === "display") {
      void this.#output(Buffer.from(`${String(frame.bundle["text/plain"] ?? "[a display]")}\n`));
    } else if (frame?.type === "call") {
      const error = "No cell is running: ask from within a cell.";
      this.#post({ type: "reply", id: frame.id, ok: false, error });
    }
  }

  async #readOutput(): Promise<void> {
    for await (const value of this.#child.stdout) {
      let chunk: Buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      while (chunk.length > 0) {
        let held: unknown;
        const found = this.#scanner.push(chunk, (bytes) => {
          held = this.#output(bytes);
        });
        if (held instanceof Promise) await held;
        if (!found) break;
        await this.#cell?.marker(found.fields);
        chunk = found.rest;
      }
    }
  }

  /** Kernels send both streams one way; here is only what a runtime itself has to say. */
  async #readErrors(): Promise<void> {
    for await (const value of this.#child.stderr) {
      await this.#output(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
  }

  #output(bytes: Buffer): void | Promise<void> {
    if (this.#cell) return this.#cell.output(bytes);
    this.#late ??= new OutputCapture(LATE_BYTES);
    this.#late.push(bytes);
    return undefined;
  }

  async #end(): Promise<void> {
    await this.#child.exited;
    this.#isGone = true;
    this.#ready.resolve(undefined);
    await Promise.race([this.#drained, Bun.sleep(DRAIN_MS)]);
    this.#scanner.finish((bytes) => void this.#output(bytes));
    this.#cell?.lost();
  }
}
