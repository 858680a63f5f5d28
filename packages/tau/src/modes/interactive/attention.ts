// What reaches a person who looks elsewhere: the terminal's title, and a word from the terminal
// when an answer is done or a question waits.

import { PRODUCT } from "../../brand.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import type { AppContext } from "./app-context.ts";

/** An answer that came sooner found its reader still there. */
const WORTH_TELLING_MS = 5_000;

export class Attention {
  readonly #app: AppContext;
  #isFocused = true;
  #since = 0;
  #ownTitle: string | undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  focus(focused: boolean): void {
    this.#isFocused = focused;
  }

  /** The session as the terminal's title. */
  showTitle(): void {
    const { settings, surface, active, cwd } = this.#app;
    if (!settings.title) return;
    if (this.#ownTitle !== undefined) return surface.setTitle(this.#ownTitle);
    const name = active.session.state.title ?? cwd.split(/[\\/]/).at(-1) ?? "";
    surface.setTitle(`${PRODUCT}: ${name}`);
  }

  /** An extension's, instead of the session's; undefined gives it back. */
  useTitle(title: string | undefined): void {
    this.#ownTitle = title;
    if (this.#app.isOpen) this.showTitle();
  }

  /** Somebody other than Tau itself asks. */
  asked(who: string): void {
    this.#tell(`${who} asks`, "now");
  }

  readonly follow = (event: SessionEvent): void => {
    switch (event.type) {
      case "title_changed":
      case "session_changed":
        return this.showTitle();
      case "agent_start":
        this.#since = performance.now();
        return;
      case "approval_start":
        return this.#tell(`${event.call.name} needs your approval`, "now");
      case "agent_end":
        if (event.end.reason !== "aborted") this.#tell("The answer is done", "if it took long");
        return;
      default:
        return;
    }
  };

  #tell(words: string, when: "now" | "if it took long"): void {
    const { settings, surface } = this.#app;
    if (settings.notify === "never") return;
    if (settings.notify === "unfocused") {
      if (this.#isFocused) return;
      if (when !== "now" && performance.now() - this.#since < WORTH_TELLING_MS) return;
    }
    const title = this.#app.isOpen ? this.#app.active.session.state.title : undefined;
    surface.notify(title ? `${words}: ${title}` : words);
  }
}
