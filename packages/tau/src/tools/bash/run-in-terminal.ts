// A command in a terminal that a person sits at: they answer what it asks, the model gets what it
// printed and how it ended, in the same words as of any command. Where nobody is there, it runs the
// normal way and says so.

import { ToolError } from "@tau/agent/tool";
import { openPty, PtyStartError, type Pty, type PtyExit } from "@tau/host/pty/pty";
import type { ShellPool } from "@tau/host/shell/shell-pool";
import { isSwitchedOn } from "../../config/environment-value.ts";
import type { Workspace } from "../workspace.ts";
import { attendedEnvironment } from "./child-environment.ts";
import { OutputCollector } from "./collect-output.ts";
import {
  redactingStream,
  refuse,
  runCommand,
  textFor,
  type FinishedCommand,
  type WantedCommand,
} from "./run-command.ts";
import type { BASH_VARIABLES } from "./settings.ts";
import type { ShowTerminal } from "./show-terminal.ts";

const NOBODY = "no terminal: nobody is there to use one";

/** A terminal cannot be held up; what floods it faster than the disk takes it is let go. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface Watch {
  signal: AbortSignal;
  update: (text: string) => void;
}

export async function runForPerson(
  workspace: Workspace,
  wanted: WantedCommand,
  watch: Watch,
): Promise<FinishedCommand> {
  const { env } = workspace;
  const { showTerminal } = workspace.shells;
  const plain = (): Promise<FinishedCommand> =>
    runCommand(workspace, { ...wanted, notes: [...(wanted.notes ?? []), NOBODY] }, watch);
  if (!showTerminal || isSwitchedOn<typeof BASH_VARIABLES>(env, "TAU_NO_PTY")) return plain();
  const shells = await workspace.shells.open().catch(refuse);
  const directory = wanted.cwd ?? shells.cwd;
  const own = { ...attendedEnvironment(env), ...wanted.env };
  const words = shells.forTerminal(wanted.command, { cwd: directory, env: own });
  if (words === undefined) return plain();
  await wanted.begin?.(directory);
  const run = new TerminalRun({ workspace, wanted, shells, words, env: own });
  const before = turns.get(workspace) ?? Promise.resolve();
  const turn = before.then(() => run.run(showTerminal, watch));
  // Its failure is its caller's.
  turns.set(
    workspace,
    turn.then(
      () => {},
      () => {},
    ),
  );
  return turn;
}

/** A person looks at one terminal at a time. */
const turns = new WeakMap<Workspace, Promise<void>>();

interface RunPlace {
  workspace: Workspace;
  wanted: WantedCommand;
  shells: ShellPool;
  words: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

class TerminalRun {
  readonly #place: RunPlace;
  #pty: Pty | undefined;
  /** The terminal does not wait for the disk: pieces are kept one after the other behind it. */
  #kept: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #missingBytes = 0;

  constructor(place: RunPlace) {
    this.#place = place;
  }

  async run(show: ShowTerminal, { signal, update }: Watch): Promise<FinishedCommand> {
    const { workspace, wanted, shells } = this.#place;
    signal.throwIfAborted();
    const redacting = await redactingStream(workspace);
    const collector = new OutputCollector({ tool: "bash", artifacts: workspace.artifacts, update });
    const keep = (bytes: Uint8Array): void => {
      if (this.#waitingBytes > MAX_WAITING_BYTES) {
        this.#missingBytes += bytes.length;
        return;
      }
      const piece = Buffer.from(bytes);
      this.#waitingBytes += piece.length;
      this.#kept = this.#kept
        .then(() => collector.push(redacting ? redacting.push(piece) : piece))
        .then(() => void (this.#waitingBytes -= piece.length));
    };
    try {
      await show({
        title: wanted.command,
        signal,
        open: (size, onOutput) =>
          this.#open(size, signal, (bytes) => {
            keep(bytes);
            onOutput(bytes);
          }),
      });
    } catch (error) {
      await this.#pty?.kill();
      if (error instanceof PtyStartError) throw new ToolError(`It did not start: ${error.message}`);
      throw error;
    }
    // A person who looks away leaves nothing running behind.
    const exit = await this.#pty?.kill();
    if (!exit) throw new ToolError("aborted");
    await this.#kept;
    if (redacting) await collector.push(redacting.end());
    const output = await collector.finish();
    const notes = (wanted.notes ?? []).map((note) => `[${note}]`);
    const missing = this.#missingBytes;
    if (missing > 0) notes.push(`[${missing} bytes came faster than they could be kept]`);
    return {
      text: [...notes, textFor(output)].filter(Boolean).join("\n"),
      failure: failureOf(exit, wanted.timeoutMs / 1000),
      details: {
        exitCode: exit.code,
        signal: exit.signal,
        cwd: shells.cwd,
        artifactId: output.artifactId,
      },
    };
  }

  #open(
    size: { columns: number; rows: number },
    signal: AbortSignal,
    onOutput: (bytes: Uint8Array) => void,
  ): Pty {
    const { words, wanted, shells, env } = this.#place;
    if (this.#pty) throw new Error("a terminal is opened once");
    const cwd = wanted.cwd ?? shells.cwd;
    const { timeoutMs } = wanted;
    this.#pty = openPty(words, { cwd, env, ...size, onOutput, timeoutMs, signal });
    return this.#pty;
  }
}

function failureOf({ end, code, signal }: PtyExit, timeoutSeconds: number): string | undefined {
  if (end === "aborted") return "aborted";
  if (end === "timeout") return `timed out after ${timeoutSeconds} s`;
  if (end === "killed") return "ended by the user";
  if (signal !== null) return `killed by ${signal}`;
  return code === 0 ? undefined : `exit code ${code}`;
}
