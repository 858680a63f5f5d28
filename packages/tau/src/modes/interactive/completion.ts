// What the prompt offers to finish: commands and their arguments after a slash, files after `@`
// or on demand. Files come from a listing that is kept fresh in the background.

import type { Completion, CompletionProvider, CompletionRequest } from "@tau/tui/editor/completion";
import type { PathFinder } from "@tau/host/fuzzy/path-finder";
import type { AvailableInstruction } from "../../context/available-instructions.ts";
import type { AppContext } from "./app-context.ts";
import type { Command, FrontEnd } from "../commands/command.ts";

/** A few screens of a popup. */
const MAX_OFFERS = 50;

export interface CompletionOptions {
  app: () => AppContext;
  commands: () => Promise<readonly Command[]>;
  /** Prompts and skills that are kept as files. */
  ownCommands: () => readonly AvailableInstruction[];
}

export class PromptCompletion implements CompletionProvider, Disposable {
  readonly #options: CompletionOptions;
  #finder: PathFinder | undefined;

  constructor(options: CompletionOptions) {
    this.#options = options;
  }

  complete(
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<readonly Completion[]> | readonly Completion[] {
    if (request.trigger === "/") return this.#slash(request.query);
    const { query, trigger } = request;
    return this.#paths(query.replace(/^@/, ""), { trigger, signal });
  }

  [Symbol.dispose](): void {
    this.#finder?.[Symbol.dispose]();
  }

  async #slash(query: string): Promise<readonly Completion[]> {
    const commands = await this.#options.commands();
    const blank = query.search(/\s/);
    if (blank >= 0) return this.#argument(commands, query.slice(0, blank), query.slice(blank + 1));
    const own = this.#options.ownCommands();
    const offers = [
      ...commands.map(({ name, help, argument }) => offer(name, help, argument)),
      ...own.map(({ name, description, argumentHint }) =>
        offer(name, description, argumentHint ?? "[ARGUMENTS]"),
      ),
    ];
    return rank(offers, query).slice(0, MAX_OFFERS);
  }

  async #argument(
    commands: readonly Command[],
    name: string,
    typed: string,
  ): Promise<readonly Completion[]> {
    const command = commands.find((one) => one.name === name || one.aliases?.includes(name));
    if (!command?.complete) return [];
    const app = this.#options.app();
    // The session may not be open yet, and most offers do not need it.
    const front: FrontEnd = {
      app,
      by: "person",
      get active() {
        return app.active;
      },
    };
    const words = await command.complete(front, typed);
    return words
      .filter((word) => word.toLowerCase().includes(typed.toLowerCase()) && word !== typed)
      .slice(0, MAX_OFFERS)
      .map((word) => ({ label: word, insert: `/${name} ${word}`, submits: true }));
  }

  async #paths(
    query: string,
    { trigger, signal }: { trigger: CompletionRequest["trigger"]; signal: AbortSignal },
  ): Promise<readonly Completion[]> {
    if (trigger === "tab" && query === "") return [];
    const finder = await this.#files();
    const { paths } = await finder.find({ query, limit: MAX_OFFERS, signal });
    const sign = trigger === "@" ? "@" : "";
    return paths.map(({ path }) => ({
      label: path,
      insert: `${sign}${quoted(path)}${path.endsWith("/") ? "" : " "}`,
    }));
  }

  async #files(): Promise<PathFinder> {
    if (this.#finder) return this.#finder;
    const { PathFinder: Finder } = await import("@tau/host/fuzzy/path-finder");
    this.#finder ??= new Finder({ root: this.#options.app().cwd });
    return this.#finder;
  }
}

const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

function offer(name: string, help: string, argument?: string): Completion {
  const takes = argument !== undefined;
  return {
    label: `/${name}${takes ? ` ${argument}` : ""}`,
    detail: help,
    insert: takes ? `/${name} ` : `/${name}`,
    // What needs an argument is not sent before it has one.
    submits: !takes || argument.startsWith("["),
  };
}

/** Those that begin so first, then those that contain it. */
function rank(offers: readonly Completion[], query: string): Completion[] {
  const wanted = `/${query.toLowerCase()}`;
  const begins = offers.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const holds = offers.filter(
    (one) => !begins.includes(one) && one.label.toLowerCase().includes(wanted.slice(1)),
  );
  return [...begins, ...holds];
}
