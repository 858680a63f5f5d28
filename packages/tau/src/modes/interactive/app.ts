// The interactive mode: wires the terminal, the prompt, the conversation and the session together
// and owns nothing of what they own. The prompt is there before the session is: what is typed and
// sent in the meantime waits for it.

import type { ApprovalQuestion } from "@tau/agent/judge-call";
import type { Environment } from "@tau/ai/environment";
import { textOf, type ImageBlock, type UserMessage } from "@tau/ai/message";
import { PromptEditor, type Submission } from "@tau/tui/editor/prompt-editor";
import type { KeyInput } from "@tau/tui/key-input";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { Appearance } from "@tau/tui/terminal/appearance";
import type { TerminalFeatures } from "@tau/tui/terminal/terminal";
import { COMMAND } from "../../brand.ts";
import { writeOutput } from "../../cli/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import type { Settings } from "../../config/settings.ts";
import type { ActiveSession } from "../../session/active-session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import type { PersonAtTerminal } from "../person.ts";
import { ALL_ACTIONS } from "./app-actions.ts";
import type { AppContext } from "./app-context.ts";
import { AppKeys, joined } from "./app-keys.ts";
import { Attention } from "./attention.ts";
import { Attachments, droppedPicture } from "./attachments.ts";
import { ActivityLine } from "./bottom/activity-line.ts";
import { BottomArea } from "./bottom/bottom-area.ts";
import { plainToolView } from "./blocks/plain-tool-view.ts";
import { CancelStack } from "./cancel-stack.ts";
import { PromptCompletion } from "./completion.ts";
import { ConversationView } from "./conversation-view.ts";
import { failureWords } from "./failure-words.ts";
import { Gear } from "./gear.ts";
import type { Guide } from "./guide.ts";
import { GitWatch } from "./git-state.ts";
import { Looks } from "./looks.ts";
import { PastPrompts } from "./past-prompts.ts";
import type { PictureTerminal } from "./pictures/show-pictures.ts";
import { Prompting } from "./prompting.ts";
import { Spend } from "./spend.ts";
import { Surface } from "./surface.ts";
import type { ToolView } from "./tool-view.ts";

/** The rules above and below the prompt, and the status line. */
const AROUND_PROMPT_ROWS = 3;

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
  spend = new Spend();
  guide: Guide | undefined;
  highlighter: CodeHighlighter | undefined;
  viewOf: (name: string) => ToolView = () => plainToolView;
  readonly #options: AppOptions;
  readonly #attachments = new Attachments();
  readonly #past: PastPrompts;
  readonly #completion: PromptCompletion;
  readonly #keys: AppKeys;
  readonly #prompting: Prompting;
  readonly #bottom: BottomArea;
  readonly #looks: Looks;
  readonly #attention: Attention;
  readonly #gear: Gear;
  readonly #git: GitWatch;
  readonly #left = Promise.withResolvers<ExitCode>();
  #active: ActiveSession | undefined;
  /** Sent before the session was open. */
  #early: Submission[] = [];
  #hidesThinking: boolean | undefined;
  #pictures: PictureTerminal | undefined;

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
    this.#gear = new Gear();
    this.#git = new GitWatch(this, surface.requestRender);
    this.#past = new PastPrompts({ cwd, warn: (words) => surface.note(words, "warning") });
    this.#completion = new PromptCompletion({
      app: () => this,
      commands: async () => (await import("./commands/command-list.ts")).APP_COMMANDS,
      ownCommands: () => this.#active?.instructions?.current ?? [],
    });
    this.editor = new PromptEditor({
      theme,
      bindings: surface.bindings,
      requestRender: surface.requestRender,
      onSubmit: (submission) => this.#submit(submission),
      onChange: () => this.#bottom.draftChanged(this.editor.model.line(0)),
      onFailure: (error) => this.#failed(error),
      history: this.#past,
      completion: this.#completion,
      externalEditor: async (text) => {
        const { editOutside } = await import("./external-editor.ts");
        return editOutside(text, this);
      },
      escape: "pass",
      prompt: "› ",
      room: () => {
        const { columns, rows } = surface.size;
        return rows - AROUND_PROMPT_ROWS - surface.strip.height(columns);
      },
    });
    this.activity = new ActivityLine({
      theme,
      clock: surface.clock,
      stopKey: () => surface.bindings.hint("app.interrupt"),
    });
    this.conversation = new ConversationView({
      surface,
      cwd,
      hidesThinking: () => this.#hidesThinkingNow,
      hyperlinks: () => this.#hyperlinks,
      showPicture: (image) => this.showPicture(image),
    });
    this.#bottom = new BottomArea({
      app: this,
      status: () => this.#looks.status,
      git: () => this.#git.state,
    });
    const failed = (error: unknown): void => this.#failed(error);
    this.#keys = new AppKeys({
      app: this,
      attachments: this.#attachments,
      toggleThinking: () => this.#toggleThinking(),
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

  get settings(): AppContext["settings"] {
    return this.#looks.interaction;
  }

  /** Until the user leaves. */
  async run(): Promise<ExitCode> {
    const { surface } = this;
    this.#bottom.place();
    const features = surface.start();
    features.then(
      (known) => this.#discovered(known),
      () => {},
    );
    // The first frame is on its way before anything heavy is loaded.
    await new Promise((resolve) => setImmediate(resolve));
    const onSignal = (): void => this.leave(EXIT.interrupted);
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, onSignal);
    try {
      const opening = this.#open();
      // A session that cannot be opened ends the mode; its words are for the shell then.
      const code = await Promise.race([this.#left.promise, opening.then(() => this.#left.promise)]);
      await opening.catch(() => {});
      return code;
    } finally {
      for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.off(signal, onSignal);
      this.#completion[Symbol.dispose]();
      this.#past[Symbol.dispose]();
      this.#looks[Symbol.dispose]();
      // What was seen of an answer that is left in the middle stays in history, too.
      this.conversation.settle();
      await surface.stop();
      await this.#sayGoodbye();
      await this.#active?.[Symbol.asyncDispose]();
    }
  }

  submit(text: string): void {
    this.#submit({ text, shown: text, how: "send" });
  }

  stop(): void {
    const { session } = this.active;
    const own = session.mailbox.queued().filter(({ sender }) => sender === "user");
    this.activity.say("Stopping");
    // What waited comes back before the run ends, so that nothing takes it up again.
    void session.withdraw(own.map(({ id }) => id)).catch((error: unknown) => this.#failed(error));
    void session.abort().catch((error: unknown) => this.#failed(error));
    const words = own.map(({ message }) => textOf(message)).join("\n\n");
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
    const { openSettings } = await import("../../config/open-settings.ts");
    await this.#dress(await openSettings(this));
  }

  async #dress(settings: Settings): Promise<void> {
    await this.#looks.apply(settings);
    this.#keys.rebind();
    this.#bottom.place();
  }

  async #open(): Promise<void> {
    const active = await this.#options.open(this);
    this.#active = active;
    // From here on commands of the person's run, though not everything is drawn yet.
    this.#lendTerminal();
    this.#options.person.answerWith((question, signal) => this.#ask(question, signal));
    active.subscribe((event) => this.#handle(event));
    active.onAppended(this.conversation.appended);
    const { greet } = await import("./greeting.ts");
    greet(active.session, this.cwd, this.surface);
    for (const notice of active.notices) this.surface.note(notice, "warning");
    await this.#dress(active.settings);
    await this.#showEarlier();
    this.#newSession();
    this.#begin();
    void this.#askTrust();
    await this.#loadGear();
    await this.#past.open(active.store.agentDirectory, () => ({
      sessionId: this.active.session.id,
      hide: (text) => this.active.vault?.hide(text) ?? text,
    }));
  }

  async #askTrust(): Promise<void> {
    try {
      const { askTrust } = await import("./ask-trust.ts");
      const said = await askTrust(this, "opened");
      if (said !== undefined) this.surface.note(said);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Once; what is on the screen already stays as it is. */
  async #loadGear(): Promise<void> {
    const { viewOf, highlighter } = await this.#gear.load(this.surface);
    this.viewOf = viewOf;
    this.highlighter = highlighter;
    this.conversation.useViews(viewOf);
    this.conversation.useHighlighter(highlighter);
  }

  /** What was said so far on this branch, behind a line that says why. */
  #showAgain(why: string): void {
    this.surface.note(why);
    void this.#showEarlier().catch((error: unknown) => this.#failed(error));
  }

  /** What was given on the command line, then what was sent while the session was opened. */
  #begin(): void {
    const { first } = this.#options;
    const early = this.#early;
    this.#early = [];
    if (first) {
      void this.#prompting
        .say(first, { shown: textOf(first), how: "send" })
        .catch((error: unknown) => this.#failed(error));
    }
    for (const submission of early) this.#prompting.submit(submission);
  }

  async #showEarlier(): Promise<void> {
    const { session } = this.active;
    if (session.log.leafId === null) return;
    await this.#loadGear();
    const [{ projectEntries }, { showEarlier }] = await Promise.all([
      import("../../session/projection/project-entries.ts"),
      import("./resume-view.ts"),
    ]);
    showEarlier(projectEntries(await session.log.branch()), {
      surface: this.surface,
      cwd: this.cwd,
      viewOf: this.viewOf,
      highlighter: this.highlighter,
      hyperlinks: this.#hyperlinks,
      hidesThinking: () => this.#hidesThinkingNow,
      wholeKey: this.surface.bindings.hint("app.tools.expand"),
    });
  }

  /** What belongs to the session that is open now. */
  #newSession(): void {
    const { session } = this.active;
    this.spend = Spend.of(session.messages, session.model.cost);
    this.#bottom.queue.set([]);
    this.#lendTerminal();
    this.#bottom.showTodos("elsewhere");
    this.#bottom.place();
    this.#attention.showTitle();
    this.#git.look();
    void this.active.instructions?.start().catch((error: unknown) => this.#failed(error));
  }

  /** To programs that want a person. */
  #lendTerminal(): void {
    this.active.workspace.showTerminal = async (terminal) => {
      const { showTerminal } = await import("./show-terminal.ts");
      await showTerminal(this.surface, terminal);
    };
  }

  #handle(event: SessionEvent): void {
    this.activity.follow(event);
    this.conversation.handle(event);
    this.#attention.follow(event);
    switch (event.type) {
      case "queue_changed":
        this.#bottom.queue.set(event.queued);
        break;
      case "todo_changed":
        this.#bottom.showTodos("here");
        break;
      case "message_end":
        if (event.message.role === "assistant") {
          this.spend.add(event.message, this.active.session.model.cost);
        }
        break;
      case "tool_execution_end":
      case "agent_end":
        this.#git.look();
        break;
      case "position_changed":
        this.conversation.reset();
        this.#bottom.showTodos("elsewhere");
        this.spend = Spend.of(this.active.session.messages, this.active.session.model.cost);
        this.#showAgain("From here:");
        break;
      case "session_changed":
        this.conversation.reset();
        this.#newSession();
        if (event.reason === "resume" || event.reason === "branch") {
          this.#showAgain(`In ${this.active.session.state.title ?? event.id}.`);
        }
        break;
      default:
        break;
    }
    this.surface.requestRender();
  }

  #key(input: KeyInput): void {
    if (input.type === "paste") {
      const dropped = droppedPicture(input.text);
      const text = dropped === undefined ? input.text : `@${JSON.stringify(dropped)} `;
      this.editor.handleKey({ type: "paste", text });
    } else if (!this.editor.handleKey(input)) this.#keys.press(input);
  }

  #submit(submission: Submission): void {
    if (!this.isOpen) this.#early.push(submission);
    else this.#prompting.submit(submission);
  }

  async #ask(question: ApprovalQuestion, signal: AbortSignal) {
    const { askConsent } = await import("./approval-screen.ts");
    const consent = { stage: this.surface, cwd: this.cwd, stop: () => this.stop() };
    return askConsent(question, consent, signal);
  }

  get #hyperlinks(): "on" | "off" {
    const { hyperlinks } = this.settings;
    if (hyperlinks === "auto") return this.surface.hyperlinks ? "on" : "off";
    return hyperlinks === "always" ? "on" : "off";
  }

  /** What the terminal has said about itself. */
  #discovered({ appearance, kittyGraphics, cell }: TerminalFeatures): void {
    this.#setAppearance(appearance);
    const protocol = kittyGraphics ? "kitty" : this.surface.imageProtocol;
    this.#pictures = protocol && { protocol, ...(cell ? { cell } : {}) };
  }

  #setAppearance(appearance: Appearance): void {
    void this.#looks.setAppearance(appearance).catch((error: unknown) => this.#failed(error));
  }

  showPicture(image: ImageBlock): void {
    const terminal = this.#pictures;
    if (!terminal || !this.settings.showImages) return;
    void this.#gear
      .pictures(this.surface, terminal)
      .then((pictures) => pictures.show(image))
      .catch((error: unknown) => this.#failed(error));
  }

  get #hidesThinkingNow(): boolean {
    return this.#hidesThinking ?? this.settings.hideThinkingBlock;
  }

  #toggleThinking(): void {
    const hides = !this.#hidesThinkingNow;
    this.#hidesThinking = hides;
    this.surface.note(hides ? "Thinking is hidden from here on." : "Thinking is shown.");
  }

  #failed(error: unknown): void {
    this.surface.note(failureWords(error), "error");
    const stack = error instanceof Error ? error.stack : undefined;
    if (this.env.TAU_DEBUG && stack) this.surface.note(stack);
  }

  /** How to come back, where there is something to come back to. */
  async #sayGoodbye(): Promise<void> {
    const session = this.#active?.session;
    if (!session?.log.path || session.messages.length === 0) return;
    await writeOutput(`${COMMAND} -r ${session.id} goes on with this session.\n`);
  }
}
