// What the interactive mode shows of the session that is open: its conversation so far and as it goes
// on, what it has spent, what its features keep in sight. Another session, or another place in the
// tree, is shown anew.

import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import { AVAILABLE } from "../../context/available-instructions.ts";
import type { EntryView } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";
import { describeQueue } from "../../session/queued-messages.ts";
import type { Session } from "../../session/session.ts";
import type { SessionChange, SessionEvent } from "../../session/session-event.ts";
import { Spend } from "../../session/spend.ts";
import type { AppContext } from "./app-context.ts";
import type { Attention } from "./attention.ts";
import { plainToolView } from "./blocks/plain-tool-view.ts";
import type { BottomArea } from "./bottom/bottom-area.ts";
import type { ConversationView } from "./conversation-view.ts";
import type { Display } from "./display.ts";
import { Gear } from "./gear.ts";
import type { GitWatch } from "./git-state.ts";

export interface SessionWindowOptions {
  app: AppContext;
  conversation: ConversationView;
  bottom: BottomArea;
  display: Display;
  attention: Attention;
  git: GitWatch;
  failed(error: unknown): void;
}

export class SessionWindow {
  spend = new Spend();
  highlighter: CodeHighlighter | undefined;
  viewOf: (name: string) => ToolView = () => plainToolView;
  entryViewOf: (customType: string) => EntryView | undefined = () => undefined;
  readonly #options: SessionWindowOptions;
  readonly #gear = new Gear();
  #notices: readonly string[] = [];

  constructor(options: SessionWindowOptions) {
    this.#options = options;
  }

  /** Once for the same features; what is on the screen already stays as it is. */
  async loadGear(): Promise<void> {
    const { app, bottom, conversation } = this.#options;
    const { features } = app.active;
    const loaded = await this.#gear.load(app.surface, features);
    // Another session has come meanwhile, which has loaded its own.
    if (features !== app.active.features) return;
    const { viewOf, entryViewOf, highlighter, panels, status } = loaded;
    if (this.viewOf !== viewOf) bottom.useFeatures({ panels, status });
    this.viewOf = viewOf;
    this.entryViewOf = entryViewOf;
    this.highlighter = highlighter;
    conversation.useViews(viewOf, entryViewOf);
    conversation.useHighlighter(highlighter);
  }

  /** What was said so far on this branch. */
  async showEarlier(): Promise<void> {
    const { app, display } = this.#options;
    const { session } = app.active;
    if (session.log.leafId === null) return;
    await this.loadGear();
    const [{ projectEntries }, { showEarlier }] = await Promise.all([
      import("../../session/projection/project-entries.ts"),
      import("./resume-view.ts"),
    ]);
    showEarlier(projectEntries(await session.log.branch()), {
      surface: app.surface,
      cwd: app.cwd,
      viewOf: this.viewOf,
      entryViewOf: this.entryViewOf,
      highlighter: this.highlighter,
      hyperlinks: display.hyperlinks,
      hidesThinking: () => display.hidesThinking,
      wholeKey: app.surface.bindings.hint("app.tools.expand"),
    });
  }

  /** Another session is the current one. */
  enter(): void {
    const { app, bottom, attention, git, failed } = this.#options;
    const { session } = app.active;
    void this.#countSpend(session).catch(failed);
    // What an earlier process left there too: it waits for the person.
    bottom.queue.set(describeQueue(session.mailbox.queued()));
    this.lendTerminal();
    app.shortcuts.use(app.active.features);
    bottom.enterSession();
    bottom.place();
    attention.showTitle();
    git.look();
    void app.active.part(AVAILABLE)?.start().catch(failed);
  }

  /** To programs that want a person. */
  lendTerminal(): void {
    const { active, surface } = this.#options.app;
    active.workspace.shells.showTerminal = async (terminal) => {
      const { showTerminal } = await import("./show-terminal.ts");
      await showTerminal(surface, terminal);
    };
  }

  follow(event: SessionEvent): void {
    const { app, conversation, bottom, attention, git } = this.#options;
    const { session } = app.active;
    app.activity.follow(event);
    conversation.handle(event);
    attention.follow(event);
    bottom.follow(event);
    switch (event.type) {
      case "queue_changed":
        bottom.queue.set(event.queued);
        break;
      case "message_end":
      case "reply_discarded":
        if (event.message.role === "assistant") this.spend.add(event.message, session.model.cost);
        break;
      case "model_call":
        this.spend.addCall(event);
        break;
      case "tool_execution_end":
      case "agent_end":
        git.look();
        break;
      case "position_changed":
        if (event.inRun) break;
        conversation.reset();
        bottom.enterSession();
        this.spend.measure(session.messages);
        this.#showAgain("From here:");
        break;
      case "session_changed":
        conversation.reset();
        this.enter();
        void this.loadGear().catch(this.#options.failed);
        this.#tellNotices(event.reason);
        if (event.reason === "resume" || event.reason === "branch") {
          this.#showAgain(`In ${session.state.title ?? event.id}.`);
        }
        break;
      default:
        break;
    }
    app.surface.requestRender();
  }

  /** Those of the session as it was opened first. */
  noticesTold(): void {
    this.#notices = this.#options.app.active.ownNotices;
  }

  /** What was told of the same session before is not told again. */
  #tellNotices(reason: SessionChange): void {
    const { active, surface } = this.#options.app;
    const known = reason === "reload" ? this.#notices : [];
    this.#notices = active.ownNotices;
    for (const notice of this.#notices) {
      if (!known.includes(notice)) surface.note(notice, "warning");
    }
  }

  /** After a line that says why. */
  #showAgain(why: string): void {
    const { app, failed } = this.#options;
    app.surface.note(why);
    void this.showEarlier().catch(failed);
  }

  /** What an earlier run of the session used is read while the user already types. */
  async #countSpend(session: Session): Promise<void> {
    const spend = new Spend();
    this.spend = spend;
    if (session.messages.length === 0) return;
    spend.measure(session.messages);
    spend.addAll(await session.spend());
    this.#options.app.surface.requestRender();
  }
}
