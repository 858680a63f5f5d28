// One host, and the connection that all commands to it share. It is made by the first command,
// found again by the next ones, made anew when it is gone, and ended with its owner.

import { endProcesses, processesWithMark } from "../process/process-tree.ts";
import {
  compatProbe,
  hasProbeMark,
  POSIX_PROBE,
  readPosixProbe,
  readWindowsProbe,
  WINDOWS_PROBE,
  type FactsCache,
  type RemoteFacts,
} from "./remote-facts.ts";
import { runRemote, type RemoteResult, type RemoteRunOptions } from "./run-remote.ts";
import { SshError } from "./ssh-error.ts";
import { checkKey, hostProblem, type SshHost } from "./ssh-host.ts";
import {
  connectOptions,
  destination,
  fileOptions,
  PERSIST_S,
  targetOptions,
  type HostKeyPolicy,
  type SshOptions,
} from "./ssh-options.ts";
import { askSsh, type SshAnswer } from "./ssh-process.ts";

/** To connect through a few jumps, each with a timeout of its own. */
const OPEN_TIMEOUT_MS = 45_000;
const LOCAL_TIMEOUT_MS = 10_000;
const PROBE_TIMEOUT_MS = 20_000;
/** Of what `ssh` said, in a sentence. */
const MAX_REASON_CHARACTERS = 600;
/** Windows' own client cannot share a connection. */
const canShare = process.platform !== "win32";

export interface SshConnectionOptions extends SshOptions {
  /** Short, and in a directory that only this user can enter. */
  socketPath: string;
  cache?: FactsCache;
}

interface Target {
  policy: HostKeyPolicy;
  identity: string;
}

export class SshConnection implements AsyncDisposable {
  readonly host: SshHost;
  readonly #options: SshConnectionOptions;
  readonly #mark = `TAU_SSH=${crypto.randomUUID()}`;
  #target: Promise<Target> | undefined;
  #opening: Promise<void> | undefined;
  #facts: RemoteFacts | undefined;

  constructor(host: SshHost, options: SshConnectionOptions) {
    this.host = host;
    this.#options = options;
  }

  /** Throws `SshError`. Its timeout is for everything together, connecting too. */
  run(command: string, options: RemoteRunOptions): Promise<RemoteResult> {
    return runRemote(command, options, {
      name: this.host.name,
      prepare: async () => {
        await this.open();
        const facts = await this.facts();
        const args = [...fileOptions(this.#options), ...(await this.#commandArguments())];
        return { facts, arguments: args, compat: this.host.compat };
      },
      options: this.#options,
      mark: this.#mark,
    });
  }

  /** Nothing to do where the shared connection is there. Throws `SshError`. */
  open(): Promise<void> {
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Asked once, then known. Throws `SshError`. */
  async facts(): Promise<RemoteFacts> {
    if (this.#facts) return this.#facts;
    const { identity } = await this.#resolve();
    const known = this.#options.cache?.read(this.host.name, identity);
    const facts = known ?? (await this.#probe());
    if (!known) await this.#options.cache?.write(this.host.name, identity, facts);
    return (this.#facts = facts);
  }

  async isOpen(): Promise<boolean> {
    return canShare && (await this.#control("check")) === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing was asked of `ssh` yet, so nothing of it is running.
    if (!this.#target) return;
    await this.#control("exit");
    await endProcesses(() => processesWithMark(this.#mark));
  }

  async #open(): Promise<void> {
    const { policy } = await this.#resolve();
    if (!canShare || (await this.isOpen())) return;
    await checkKey(this.host);
    // In the background as soon as the host has let us in; the exit code says whether it has.
    const answer = await this.#ask(
      [
        "-MNf",
        `-S${this.#options.socketPath}`,
        `-oControlPersist=${PERSIST_S}`,
        ...targetOptions(this.host),
        ...connectOptions(policy),
        ...destination(this.host),
      ],
      OPEN_TIMEOUT_MS,
    );
    if (answer.exitCode !== 0) throw this.#notConnected(answer);
  }

  /** What `ssh` makes of the address, with the user's configuration. */
  #resolve(): Promise<Target> {
    this.#target ??= this.#resolveOnce().catch((error: unknown) => {
      this.#target = undefined;
      throw error;
    });
    return this.#target;
  }

  async #resolveOnce(): Promise<Target> {
    const problem = hostProblem(this.host);
    if (problem !== undefined) {
      const message = `the SSH host ${this.host.name} cannot be used: ${problem}; correct it.`;
      throw new SshError("bad_host", message);
    }
    const answer = await this.#ask(
      ["-G", ...targetOptions(this.host), ...destination(this.host)],
      LOCAL_TIMEOUT_MS,
    );
    if (answer.exitCode !== 0) throw this.#notConnected(answer);
    const said = new Map(
      answer.stdout.split("\n").map((line) => {
        const at = line.indexOf(" ");
        return [line.slice(0, at), line.slice(at + 1)] as const;
      }),
    );
    const strict = said.get("stricthostkeychecking");
    const parts = [said.get("user"), said.get("hostname"), said.get("port"), said.get("proxyjump")];
    return {
      policy: strict === "true" || strict === "yes" ? "yes" : "accept-new",
      identity: parts.map((part) => part ?? "").join(" "),
    };
  }

  async #probe(): Promise<RemoteFacts> {
    const posix = readPosixProbe(await this.#remote(POSIX_PROBE));
    if (posix) return posix;
    const shell = readWindowsProbe(await this.#remote(WINDOWS_PROBE));
    if (shell === undefined) {
      const message = `${this.host.name} runs neither a POSIX shell nor PowerShell or cmd for us; see what \`ssh ${this.host.name} uname\` says.`;
      throw new SshError("not_connected", message);
    }
    for (const compat of ["bash", "sh"] as const) {
      if (hasProbeMark(await this.#remote(compatProbe(compat)))) {
        return { system: "windows", shell, compat };
      }
    }
    return { system: "windows", shell };
  }

  async #remote(command: string): Promise<string> {
    const answer = await this.#ask(
      [...(await this.#commandArguments()), command],
      PROBE_TIMEOUT_MS,
    );
    // 255 is `ssh`'s own; everything else the host's answer, in words.
    if (answer.exitCode === null || answer.exitCode === 255) throw this.#notConnected(answer);
    return answer.stdout;
  }

  async #commandArguments(): Promise<string[]> {
    const { policy } = await this.#resolve();
    return [
      ...(canShare ? ["-o", "ControlMaster=no", "-S", this.#options.socketPath] : []),
      ...targetOptions(this.host),
      ...connectOptions(policy),
      ...destination(this.host),
    ];
  }

  async #control(word: "check" | "exit"): Promise<number | null> {
    const { exitCode } = await this.#ask(
      ["-S", this.#options.socketPath, "-O", word, ...destination(this.host)],
      LOCAL_TIMEOUT_MS,
    );
    return exitCode;
  }

  #ask(args: readonly string[], timeoutMs: number): Promise<SshAnswer> {
    const given = [...fileOptions(this.#options), ...args];
    return askSsh(given, this.#options, { timeoutMs, mark: this.#mark });
  }

  #notConnected({ stderr, exitCode }: SshAnswer): SshError {
    const said = stderr.trim().slice(-MAX_REASON_CHARACTERS);
    const why = said || (exitCode === null ? "it did not answer in time" : `ssh gave ${exitCode}`);
    const { name, address } = this.host;
    const message = `no connection to the SSH host ${name}: ${why}; \`ssh ${address}\` in a terminal shows more.`;
    return new SshError("not_connected", message);
  }
}
