// Notices when code of an extension keeps Tau's event loop from turning, for which nothing inside of Tau can
// help: a second process tells the terminal who it is, and how to end it. One for the process, started when an
// extension's code is first called in earnest; where there is no extension there is none.

import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ownEnvironment } from "@tau/host/process/own-environment";
import { programOnPath } from "@tau/host/process/program-on-path";
import { freeVariables } from "@tau/host/process/reaper";
import { Modes } from "@tau/tui/terminal/modes";
import { isOwnProcess } from "../../base/self-command.ts";
import { temporaryDirectory } from "../../config/places.ts";
import type { FrontEnd } from "../../feature-api/user-interface.ts";
import { watchRunning, type RunningCode } from "../running-now.ts";
import { WATCHDOG_SCRIPT } from "./watchdog-script.ts";

/** Often enough for the limit, seldom enough to cost nothing. */
const BEAT_MS = 1000;
/** Whoever sees nothing happen for so long begins to wonder. */
const BLOCKED_S = 5;
/** A session in which nothing of an extension has been called by then has drawn its first frame. */
const START_AFTER_MS = 1000;
/** Before the first frame a process more would be felt. */
const BEFORE_FRAME: ReadonlySet<string> = new Set(["session_start"]);
/** If nobody sits there it is the first request that is waited for; a prompt comes at once then. */
const BEFORE_REQUEST: ReadonlySet<string> = new Set([
  "session_start",
  "session_before_prompt",
  "input",
  "run_start",
  "context",
  "request",
]);
/** For the name of whoever runs: read as one line. */
const LABEL_BYTES = 256;

/** It was blocked and is not any longer: for how long, and by whom. */
export type TellBlocked = (seconds: number, who: string) => void;

export interface WatchdogPlace {
  readonly front: FrontEnd;
  /** The names of all extensions. */
  readonly extensions: readonly string[];
}

let watchdog: Watchdog | undefined;

/** The one of this process; undefined in a program that embeds Tau, which has ways of its own. */
export function watchBlocking(place: WatchdogPlace): Watchdog | undefined {
  if (!isOwnProcess() || process.platform === "win32") return undefined;
  return (watchdog ??= new Watchdog(place));
}

export class Watchdog {
  readonly #place: WatchdogPlace;
  readonly #bytes = new TextEncoder();
  readonly #early: ReadonlySet<string>;
  #label: Uint8Array | undefined;
  #isStarted = false;
  /** Of the session that its user is in. */
  tell: TellBlocked | undefined;

  constructor(place: WatchdogPlace) {
    this.#place = place;
    this.#early = place.front === "print" ? BEFORE_REQUEST : BEFORE_FRAME;
    watchRunning(this.#note);
    setTimeout(() => this.#start(), START_AFTER_MS).unref();
  }

  readonly #note = (latest: RunningCode | undefined): void => {
    if (!this.#isStarted && latest && !this.#early.has(latest.hook ?? "")) this.#start();
    if (!this.#label) return;
    const words = latest ? `${labelOf(latest)}\n` : "\n";
    this.#bytes.encodeInto(words, this.#label);
  };

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const bash = programOnPath("bash", ownEnvironment().PATH);
    if (bash === undefined) return;
    try {
      this.#launch(bash);
    } catch (error) {
      // No room for a file or a process: everything works without it.
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
    }
  }

  #launch(bash: string): void {
    const { front, extensions } = this.#place;
    const { PATH } = ownEnvironment();
    const { label, descriptor } = sharedLabel();
    const isScreen = front === "terminal";
    const helper = Bun.spawn(
      [
        bash,
        "--norc",
        "--noprofile",
        "-c",
        WATCHDOG_SCRIPT,
        "tau-watchdog",
        String(process.pid),
        isScreen ? "screen" : "lines",
        restoring().replaceAll("\x1b", "\\033"),
        String(BLOCKED_S),
        extensions.length === 1 ? `the extension ${extensions[0]}` : "an extension",
      ],
      {
        cwd: "/",
        env: { PATH, ...freeVariables() },
        stdio: ["pipe", "pipe", "inherit", descriptor],
      },
    );
    closeSync(descriptor);
    helper.unref();
    this.#label = label;
    const beat = setInterval(() => {
      void helper.stdin.write("\n");
      void helper.stdin.flush();
    }, BEAT_MS);
    beat.unref();
    void helper.exited.then(() => clearInterval(beat));
    void this.#listen(helper.stdout);
  }

  async #listen(said: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of said) {
      for (const line of decoder.decode(chunk).trim().split("\n")) {
        const [, seconds, who] = /^(\d+) (.*)$/.exec(line) ?? [];
        if (who !== undefined) this.tell?.(Number(seconds), who);
      }
    }
  }
}

function labelOf({ extension, hook }: RunningCode): string {
  const words = hook === undefined ? extension : `${extension} (${hook})`;
  return `the extension ${words.replaceAll("\n", " ")}`.slice(0, LABEL_BYTES / 4);
}

/** Memory that the other process reads as a file; the file itself has no name any more. */
function sharedLabel(): { label: Uint8Array; descriptor: number } {
  const name = `tau-running-${process.pid}-${crypto.randomUUID()}`;
  const path = join(temporaryDirectory(ownEnvironment()), name);
  const descriptor = openSync(path, "wx+", 0o600);
  try {
    writeSync(descriptor, "\n".repeat(LABEL_BYTES));
    return { label: Bun.mmap(path, { shared: true }), descriptor };
  } finally {
    unlinkSync(path);
  }
}

/** For whatever may be on: none of it harms where it is not. */
function restoring(): string {
  const modes = new Modes();
  modes.enable("bracketedPaste", "noAutowrap", "appearanceNotices", "focusNotices");
  modes.enable("kittyKeyboard", "modifyOtherKeys");
  return modes.disableAll();
}
