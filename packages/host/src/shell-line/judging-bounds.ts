// How much work a line may make. Whatever goes beyond it was made to, and is not judged to its end:
// somebody has to look at it.

/** Commands gone through, loops counted each time. */
const MAX_COMMANDS = 5000;
/** Commands that may be hidden in arguments, tried as if they ran. */
const MAX_PROBES = 300;
const MAX_PROBES_DEEP = 5;
/** Whole programs are judged in some milliseconds. */
const MAX_JUDGING_MS = 2000;

const TOO_MANY = "it has too many commands to judge";

/** Shared by all who walk over a line. */
export class JudgingBounds {
  /** Why the rest of the line was not judged. */
  exceeded: string | undefined;
  /** Files of the project whose commands have been judged: one may run the other. */
  readonly judgedFiles = new Set<string>();
  readonly #until = performance.now() + MAX_JUDGING_MS;
  #commands = 0;
  #probes = 0;

  exceed(why: string): void {
    this.exceeded ??= why;
  }

  /** Whether another command may be judged. */
  hasRoomForCommand(): boolean {
    if (++this.#commands > MAX_COMMANDS) this.exceed(TOO_MANY);
    if (performance.now() > this.#until) this.exceed("it takes too long to judge");
    return this.exceeded === undefined;
  }

  /** Whether something may be tried as a command that is so deep in others. */
  hasRoomForProbe(depth: number): boolean {
    if (depth >= MAX_PROBES_DEEP) this.exceed("its commands are nested too deeply to judge");
    if (++this.#probes > MAX_PROBES) this.exceed(TOO_MANY);
    return this.exceeded === undefined;
  }
}
