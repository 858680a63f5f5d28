// What becomes of a line that was sent: a command, a line that a feature runs (`!ls`), or words to
// the model; and while the model works, words that wait for it. One place decides, so that no key
// and no command has a way of its own to the session.

import type { Submission } from "@tau/tui/editor/prompt-editor";
import { textOf, type UserMessage } from "@tau/ai/message";
import { SessionBusy } from "../../session/session-busy.ts";
import { ownLineOf, type OwnLine } from "../../feature-api/own-line.ts";
import type { AppContext } from "./app-context.ts";
import type { Attachments } from "./attachments.ts";

export interface PromptingOptions {
  app: AppContext;
  attachments: Attachments;
  /** For the arrows and the next start. */
  remember(prompt: string): void;
  /** Told where it happens; the mode goes on. */
  failed(error: unknown): void;
}

export class Prompting {
  readonly #options: PromptingOptions;
  /** Sent before the session was open. */
  #early: Submission[] = [];

  constructor(options: PromptingOptions) {
    this.#options = options;
  }

  /** What was given on the command line, then what was sent while the session was being opened. */
  begin(first: UserMessage | undefined): void {
    const early = this.#early;
    this.#early = [];
    if (first) {
      const { failed } = this.#options;
      void this.say(first, { shown: textOf(first), how: "send" }).catch(failed);
    }
    for (const submission of early) this.submit(submission);
  }

  readonly submit = (submission: Submission): void => {
    const { app, failed } = this.#options;
    if (!app.isOpen) return void this.#early.push(submission);
    const { guide } = app;
    void this.#take(submission)
      .catch(failed)
      .then(() => {
        if (guide !== undefined && guide === app.guide) guide.after();
      });
  };

  async #take({ text, shown, how }: Submission): Promise<void> {
    const words = text.trim();
    this.#options.remember(words);
    if (words.startsWith("/") && (await this.#command(words))) return;
    const { app, attachments } = this.#options;
    const own = ownLineOf(app.active.features, words);
    if (own) return this.#runOwn(own, words);
    const { message, problems } = await attachments.message(words, app.cwd);
    for (const problem of problems) app.surface.note(problem, "warning");
    return this.say(message, { shown, how });
  }

  /** False if it is words to the model. */
  async #command(words: string): Promise<boolean> {
    const { app } = this.#options;
    const [{ takeCommand, UnknownCommand }, { isRefusal }] = await Promise.all([
      import("../commands/take-command.ts"),
      import("../../session/session-command.ts"),
    ]);
    try {
      return (await takeCommand({ active: app.active, by: "person", app }, words)) === "taken";
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // To be mended.
      if (error instanceof UnknownCommand) app.editor.setText(words);
      return true;
    }
  }

  async #runOwn(line: OwnLine, words: string): Promise<void> {
    const { app } = this.#options;
    const { session } = app.active;
    const controller = new AbortController();
    using _scope = app.cancels.push(line.stops, () => controller.abort());
    await line.run({ session, signal: controller.signal }, words);
    app.changedFiles();
  }

  /** To the model: now, or into the run that is on. */
  async say(
    message: UserMessage,
    { shown, how }: Pick<Submission, "shown" | "how">,
  ): Promise<void> {
    const { app } = this.#options;
    const { session } = app.active;
    const said = { typed: shown.trim() };
    if (session.isBusy) {
      await (how === "followUp" ? session.followUp(message, said) : session.steer(message, said));
      return;
    }
    try {
      await app.active.prompt(message, said);
    } catch (error) {
      // A run began by itself in this very moment: the words go into it.
      if (!(error instanceof SessionBusy)) throw error;
      await session.steer(message, said);
    }
  }
}
