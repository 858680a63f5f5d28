// The interactive mode: wires the terminal, the prompt, the conversation and the session together
// and owns nothing of what they own. The prompt is there before the session is: what is typed and
// sent in the meantime waits for it.

import type { ApprovalQuestion } from "@tau/agent/judge-call";
import type { Environment } from "@tau/ai/environment";
import type { ImageBlock, UserMessage } from "@tau/ai/message";
import type { PromptEditor } from "@tau/tui/editor/prompt-editor";
import type { KeyInput } from "@tau/tui/key-input";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { Appearance } from "@tau/tui/terminal/appearance";
import { AVAILABLE } from "../../context/available-instructions.ts";
import { EXTENSIONS } from "../../extend/extension-book.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { AGENT_BOOK } from "../../feature-api/agent-book.ts";
import type { Settings } from "../../config/settings.ts";
import type { ActiveSession } from "../../assembly/active-session.ts";
import type { PersonAtTerminal } from "../person.ts";
import { ALL_ACTIONS } from "./app-actions.ts";
import type { AppContext } from "./app-context.ts";
import { AppKeys, joined } from "./app-keys.ts";
import { Attention } from "./attention.ts";
import { Attachments, withPictureNamed } from "./attachments.ts";
import { ActivityLine } from "./bottom/activity-line.ts";
import { BottomArea } from "./bottom/bottom-area.ts";
import { CancelStack } from "./cancel-stack.ts";
import { PromptCompletion } from "./completion.ts";
import { ConversationView } from "./conversation-view.ts";
import { Display } from "./display.ts";
import type { ExtensionWatch } from "./extension-watch.ts";
import { ExtensionShortcuts } from "./extension-shortcuts.ts";
import { failureWords } from "./failure-words.ts";
import type { Guide } from "./guide.ts";
import { GitWatch } from "./git-state.ts";
import { sayGoodbye } from "../say-goodbye.ts";
import { Looks } from "./looks.ts";
import { makeEditor } from "./make-editor.ts";
import { PastPrompts } from "./past-prompts.ts";
import { Prompting } from "./prompting.ts";
import { SessionWindow } from "./session-window.ts";
import { stopRun } from "./stop-run.ts";
import { TerminalInterface } from "./terminal-interface.ts";
import { Surface } from "./surface.ts";
import type { EntryView } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

export interface AppOptions {
  cwd: string;
  env: Environment;
  person: PersonAtTerminal;
  /** Opens the session, once there is a screen to ask on. */
  open(app: App): Promise<ActiveSession>;
  /** Sent as soon as the session is open. */
  first?: UserMessage;
}

export class App implements AppContext {
  readonly cwd: string;
  readonly env: Environment;
  readonly surface: Surface;
  readonly editor: PromptEditor;
  readonly cancels = new CancelStack();
  readonly activity: ActivityLine;
  readonly conversation: ConversationView;
  /** What extensions can ask and show. */
  readonly ui: TerminalInterface;
  readonly shortcuts = new ExtensionShortcuts(this);
  guide: Guide | undefined;
  readonly #options: AppOptions;
  readonly #attachments = new Attachments();
  readonly #past: PastPrompts;
  readonly #completion: PromptCompletion;
  readonly #keys: AppKeys;
  readonly #prompting: Prompting;
  readonly #bottom: BottomArea;
  readonly #looks: Looks;
  readonly #attention: Attention;
  readonly #git: GitWatch;
  readonly #display: Display;
  readonly #window: SessionWindow;
  readonly #left = Promise.withResolvers<ExitCode>();
  #active: ActiveSession | undefined;
  #watch: ExtensionWatch | undefined;

  constructor(options: AppOptions) {
    const { cwd, env } = options;
    this.#options = options;
    this.cwd = cwd;
    this.env = env;
    this.#looks = new Looks(this);
    const { theme } = this.#looks;
    this.surface = new Surface({
      theme,
      bindings: new KeyBindings(ALL_ACTIONS),
      onKey: (input) => this.#key(input),
      isPromptInUse: () => this.editor.isInUse,
      onAppearance: (appearance) => this.#setAppearance(appearance),
      onFocus: (focused) => this.#attention.focus(focused),
      onHangup: () => this.leave(EXIT.interrupted),
    });
    const { surface } = this;
    this.#attention = new Attention(this);
    this.#git = new GitWatch(this, surface.requestRender);
    this.#past = new PastPrompts({ cwd, warn: (words) => surface.note(words, "warning") });
    this.#completion = new PromptCompletion({
      app: () => this,
      commands: async () => {
        const { commandsOf, withCommandsOf } = await import("../commands/command-list.ts");
        return this.isOpen ? commandsOf(this.active) : withCommandsOf([]);
      },
      ownCommands: () => this.#active?.part(AVAILABLE)?.current ?? [],
    });
    this.editor = makeEditor({
      app: this,
      history: this.#past,
      completion: this.#completion,
      onSubmit: (submission) => this.#prompting.submit(submission),
      onChange: () => this.#bottom.draftChanged(this.editor.model.line(0)),
      onFailure: (error) => this.#failed(error),
    });
    this.activity = new ActivityLine({
      theme,
      clock: surface.clock,
      stopKey: () => surface.bindings.hint("app.interrupt"),
    });
    const failed = (error: unknown): void => this.#failed(error);
    this.#display = new Display({ surface, settings: () => this.settings, failed });
    this.conversation = new ConversationView({
      surface,
      cwd,
      hidesThinking: () => this.#display.hidesThinking,
      hyperlinks: () => this.#display.hyperlinks,
      showPicture: (image) => this.showPicture(image),
    });
    this.ui = new TerminalInterface({ app: this, attention: this.#attention, failed });
    this.#bottom = new BottomArea({
      app: this,
      extensions: this.ui,
      status: () => this.#looks.status,
      git: () => this.#git.state,
    });
    this.#window = new SessionWindow({
      app: this,
      conversation: this.conversation,
      bottom: this.#bottom,
      display: this.#display,
      attention: this.#attention,
      git: this.#git,
      failed,
    });
    this.#keys = new AppKeys({
      app: this,
      attachments: this.#attachments,
      toggleThinking: () => this.#display.toggleThinking(),
      failed,
    });
    this.#prompting = new Prompting({
      app: this,
      attachments: this.#attachments,
      remember: (prompt) => this.#past.add(prompt),
      failed,
    });
  }

  get active(): ActiveSession {
    if (!this.#active) throw new Error("The session is not open yet.");
    return this.#active;
  }

  get isOpen(): boolean {
    return this.#active !== undefined;
  }

  get themes(): AppContext["themes"] {
    return this.#looks.themes;
  }

  get spend(): AppContext["spend"] {
    return this.#window.spend;
  }

  get highlighter(): AppContext["highlighter"] {
    return this.#window.highlighter;
  }

  viewOf(name: string): ToolView {
    return this.#window.viewOf(name);
  }

  entryViewOf(customType: string): EntryView | undefined {
    return this.#window.entryViewOf(customType);
  }

  showPicture(image: ImageBlock): void {
    this.#display.show(image);
  }

  get settings(): AppContext["settings"] {
    return this.#looks.interaction;
  }

  /** Until the user leaves. */
  async run(): Promise<ExitCode> {
    const { surface } = this;
    this.#bottom.place();
    const features = surface.start();
    features.then(
      (known) => {
        this.#setAppearance(known.appearance);
        this.#display.discovered(known);
      },
      () => {},
    );
    // The first frame is on its way before anything heavy is loaded.
    await new Promise((resolve) => setImmediate(resolve));
    const onSignal = (): void => this.leave(EXIT.interrupted);
    for (const signal of SIGNALS) process.on(signal, onSignal);
    try {
      const opening = this.#open();
      // A session that cannot be opened ends the mode; its words are for the shell then.
      const code = await Promise.race([this.#left.promise, opening.then(() => this.#left.promise)]);
      await opening.catch(() => {});
      return code;
    } finally {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      this.#watch?.[Symbol.dispose]();
      this.#completion[Symbol.dispose]();
      this.#past[Symbol.dispose]();
      this.#looks[Symbol.dispose]();
      // What was seen of an answer that is left in the middle stays in history, too.
      this.conversation.settle();
      await surface.stop();
      if (this.#active) await sayGoodbye(this.#active.session);
      await this.#active?.[Symbol.asyncDispose]();
    }
  }

  submit(text: string): void {
    this.#prompting.submit({ text, shown: text, how: "send" });
  }

  stop(): void {
    this.activity.say("Stopping");
    const words = stopRun(this.active.session, (error) => this.#failed(error));
    if (words !== "") this.editor.setText(joined(words, this.editor.text));
    this.surface.requestRender();
  }

  leave(code: ExitCode = EXIT.done): void {
    this.#left.resolve(code);
  }

  changedFiles(): void {
    this.#git.look();
  }

  async reload(): Promise<void> {
    const { openUserSettings } = await import("../../features/open-user-settings.ts");
    await this.#dress(await openUserSettings(this));
  }

  async #dress(settings: Settings): Promise<void> {
    await this.#looks.apply(settings);
    this.#keys.rebind();
    if (this.isOpen) this.shortcuts.use(this.active.features);
    this.#bottom.place();
  }

  async #open(): Promise<void> {
    const active = await this.#options.open(this);
    this.#active = active;
    // From here on commands of the person's run, though not everything is drawn yet.
    this.#window.lendTerminal();
    this.#options.person.answerWith((question, signal) => this.#ask(question, signal));
    active.subscribe((event) => this.#window.follow(event));
    active.onAppended(this.conversation.appended);
    const { greet } = await import("./greeting.ts");
    greet(active.session, this.cwd, this.surface);
    for (const notice of active.notices) this.surface.note(notice, "warning");
    this.#window.noticesTold();
    this.ui.begin();
    await this.#dress(active.settings);
    await this.#window.showEarlier();
    this.#window.enter();
    this.#prompting.begin(this.#options.first);
    void this.#askTrust().catch((error: unknown) => this.#failed(error));
    await this.#window.loadGear();
    await this.#watchExtensions();
    active.subscribe(({ type }) => {
      if (type === "session_changed") void this.#watchExtensions().catch((e) => this.#failed(e));
    });
    await this.#past.open(active.store.agentDirectory, () => this.active.session);
  }

  /** Whoever saves one of them has it loaded anew. */
  async #watchExtensions(): Promise<void> {
    if (!this.#watch && !this.active.part(EXTENSIONS)) return;
    const { ExtensionWatch: Watch } = await import("./extension-watch.ts");
    this.#watch ??= new Watch(this, (error) => this.#failed(error));
    await this.#watch.follow();
  }

  async #askTrust(): Promise<void> {
    const { askTrust } = await import("./ask-trust.ts");
    const said = await askTrust(this, "opened");
    if (said !== undefined) this.surface.note(said);
  }

  #key(input: KeyInput): void {
    if (this.shortcuts.press(input)) return;
    if (input.type === "paste") {
      this.editor.handleKey({ type: "paste", text: withPictureNamed(input.text) });
    } else if (!this.editor.handleKey(input)) this.#keys.press(input);
  }

  async #ask(question: ApprovalQuestion, signal: AbortSignal) {
    const { askConsent } = await import("./approval-screen.ts");
    const { agent } = question.origin ?? {};
    if (agent !== undefined) this.#attention.asked(agent);
    const consent = { stage: this.surface, cwd: this.cwd, stop: () => this.#stopAsking(agent) };
    return askConsent(question, consent, signal);
  }

  /** Whose question it is has to end, and nobody else. */
  #stopAsking(agent: string | undefined): void {
    if (agent === undefined) return this.stop();
    const stopped = this.active.session.part(AGENT_BOOK)?.interrupt(agent);
    void stopped?.catch((error: unknown) => this.#failed(error));
  }

  #setAppearance(appearance: Appearance): void {
    void this.#looks.setAppearance(appearance).catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.surface.note(failureWords(error), "error");
    const stack = error instanceof Error ? error.stack : undefined;
    if (this.env.TAU_DEBUG && stack) this.surface.note(stack);
  }
}
