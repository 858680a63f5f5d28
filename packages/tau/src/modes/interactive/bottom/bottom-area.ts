// What stands below the transcript, from the features' panels down to the status line.

import type { Component } from "@tau/tui/component";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import { AGENT_BOOK } from "../../../feature-api/agent-book.ts";
import { ownLineOf, type OwnLine } from "../../../feature-api/own-line.ts";
import type { Panel, StatusPart } from "../../../feature-api/terminal-feature.ts";
import type { Session } from "../../../session/session.ts";
import type { SessionEvent } from "../../../session/session-event.ts";
import type { AppContext } from "../app-context.ts";
import type { GitState } from "../git-state.ts";
import { shownDirectory } from "../greeting.ts";
import { PromptFrame } from "./prompt-frame.ts";
import { QueueList } from "./queue-list.ts";
import { CONFINEMENT } from "../../../tools/confinement.ts";
import type { WidgetShelf } from "./widget-shelf.ts";
import { StatusLine, type SentWords, type StatusFacts } from "./status-line.ts";
import { statusLayout, type StatusLineSettings } from "../../../looks/status-settings.ts";

export interface BottomAreaOptions {
  app: AppContext;
  status(): StatusLineSettings;
  git(): GitState | undefined;
  extensions: ExtensionRows;
}

/** What extensions keep in sight. */
export interface ExtensionRows {
  readonly above: WidgetShelf;
  readonly below: WidgetShelf;
  readonly statuses: Iterable<SentWords>;
}

const THINKING_TOKENS: Readonly<Record<string, ThemeToken>> = {
  minimal: "thinkingMinimal",
  low: "thinkingLow",
  medium: "thinkingMedium",
  high: "thinkingHigh",
  xhigh: "thinkingXhigh",
};

export class BottomArea {
  readonly queue: QueueList;
  #panels: readonly Panel[] = [];
  #status: readonly StatusPart[] = [];
  readonly #options: BottomAreaOptions;
  readonly #frame: PromptFrame;
  /** The first of what is being typed. */
  #draft = "";

  constructor(options: BottomAreaOptions) {
    this.#options = options;
    const { surface, editor } = options.app;
    const { theme } = surface;
    this.queue = new QueueList(theme, () => surface.bindings.hint("app.message.dequeue"));
    this.#frame = new PromptFrame({
      theme,
      editor,
      border: () => this.#border(),
      label: () => (this.#draft.startsWith("/") ? "command" : this.#ownLine()?.label),
    });
  }

  /** Puts everything in its place, as the settings want it. */
  place(): void {
    const { app, status, extensions } = this.#options;
    const { surface, activity } = app;
    const { above, below } = extensions;
    const settings = status();
    const layout = statusLayout(settings);
    const rows: Component[] = [
      ...this.#panels,
      this.queue,
      activity,
      above,
      surface.strip,
      this.#frame,
      below,
    ];
    if (layout) {
      const { separator } = settings;
      const facts = (): StatusFacts => this.#facts();
      rows.push(new StatusLine({ theme: surface.theme, layout, separator, facts }));
    }
    surface.setBottom(rows);
  }

  /** What the features keep in sight, from now on. */
  useFeatures({
    panels,
    status,
  }: {
    panels: readonly Panel[];
    status: readonly StatusPart[];
  }): void {
    this.#panels = panels;
    this.#status = status;
    this.enterSession();
    this.place();
  }

  /** Another session is the current one, or the same at another place of its tree. */
  enterSession(): void {
    const { session } = this.#options.app.active;
    for (const panel of this.#panels) panel.enter(session);
  }

  follow(event: SessionEvent): void {
    const { session } = this.#options.app.active;
    for (const panel of this.#panels) panel.follow(event, session);
  }

  draftChanged(firstLine: string): void {
    this.#draft = firstLine;
  }

  #border(): ThemeToken {
    const { app } = this.#options;
    if (!app.isOpen) return "borderMuted";
    const own = this.#ownLine();
    if (own) return own.border;
    return THINKING_TOKENS[app.active.session.thinking ?? "off"] ?? "border";
  }

  /** Nobody knows whose lines there are before the session is open. */
  #ownLine(): OwnLine | undefined {
    const { app } = this.#options;
    return app.isOpen ? ownLineOf(app.active.features, this.#draft) : undefined;
  }

  #said(session: Session): SentWords[] {
    const { theme } = this.#options.app.surface;
    return this.#status.flatMap((part) => {
      const words = part.render({ session, theme });
      const { from } = part;
      return typeof words === "string" && words.trim() !== "" ? [{ from, words }] : [];
    });
  }

  #facts(): StatusFacts {
    const { app, git, extensions } = this.#options;
    const session = app.isOpen ? app.active.session : undefined;
    const { spend } = app;
    return {
      model: session ? `${session.model.provider}/${session.model.id}` : "",
      thinking: session?.thinking,
      path: shownDirectory(app.cwd),
      git: git(),
      title: session?.state.title,
      contextTokens: spend.contextTokens,
      contextWindow: session?.model.contextWindow ?? 0,
      inputTokens: spend.inputTokens,
      outputTokens: spend.outputTokens,
      costUsd: spend.costUsd,
      runningJobs: app.isOpen ? app.active.workspace.jobs.runningOf("bash") : 0,
      runningAgents: session?.part(AGENT_BOOK)?.atWork ?? 0,
      sandbox: session?.parts.get(CONFINEMENT)?.status,
      extensions: [...(session ? this.#said(session) : []), ...extensions.statuses],
    };
  }
}
