// What extensions can ask and show over the pipe: questions go out as `ask` like every other, and what
// only has to be seen as events, which the client shows as it likes. Nothing can be drawn.

import type {
  NoticeTone,
  Sender,
  UserInterface,
  Widget,
  WidgetPlace,
} from "../../feature-api/user-interface.ts";
import type { OutgoingEvent } from "./frame-writer.ts";
import type { Questions } from "./questions.ts";

export interface RpcInterfaceOptions {
  questions: Questions;
  emit(event: OutgoingEvent): void;
  /** Takes secrets out of what is shown. */
  hide<T>(value: T): T;
}

/** Of one text; more is not for a person to read at a glance. */
const MAX_CHARACTERS = 64 * 1024;
const MAX_LINES = 200;

export class RpcInterface implements UserInterface {
  readonly front = "rpc";
  readonly canDraw = false;
  readonly theme = undefined;
  /** What was typed is the client's to know. */
  readonly draft = "";
  readonly #options: RpcInterfaceOptions;
  #early: OutgoingEvent[] | undefined = [];

  constructor(options: RpcInterfaceOptions) {
    this.#options = options;
  }

  get canAsk(): boolean {
    return this.#options.questions.canAnswer;
  }

  /** The client has been greeted: from now on it hears and answers. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.#tell(event);
  }

  readonly select: UserInterface["select"] = async (title, choices, options = {}) => {
    if (this.#early) return undefined;
    const { from, agent: agent_id } = options;
    const listed = choices.map(({ value, label = value, description }) => ({
      value,
      label,
      description,
    }));
    const question = {
      kind: "select",
      from,
      extension: from,
      agent_id,
      title,
      choices: listed,
    } as const;
    return this.#options.questions.dialog(question, options);
  };

  readonly confirm: UserInterface["confirm"] = async (title, message, options = {}) => {
    if (this.#early) return false;
    const { from, agent: agent_id } = options;
    const question = { kind: "confirm", from, extension: from, agent_id, title, message } as const;
    return (await this.#options.questions.dialog(question, options)) === true;
  };

  readonly questions: UserInterface["questions"] = async (posed, options = {}) => {
    if (this.#early) return undefined;
    const { from: extension, agent: agent_id, signal, pickWithinMs: timeoutMs } = options;
    return this.#options.questions.pose(posed, { extension, agent_id, signal, timeoutMs });
  };

  readonly input: UserInterface["input"] = async (title, options = {}) => {
    if (this.#early) return undefined;
    const { from, agent: agent_id, placeholder, initial } = options;
    const question = {
      kind: "input",
      from,
      extension: from,
      agent_id,
      title,
      placeholder,
      initial,
    } as const;
    return this.#options.questions.dialog(question, options);
  };

  readonly editText: UserInterface["editText"] = async (title, text, options = {}) => {
    if (this.#early) return undefined;
    const { from, agent: agent_id } = options;
    const question = {
      kind: "editor",
      from,
      extension: from,
      agent_id,
      title,
      initial: text,
    } as const;
    return this.#options.questions.dialog(question, options);
  };

  notify(text: string, tone: NoticeTone = "info", { from }: Sender = {}): void {
    this.#tell({ type: "extension_notify", from, extension: from, text: bounded(text), tone });
  }

  setStatus(key: string, text: string | undefined, { from }: Sender = {}): void {
    this.#tell({ type: "extension_status", from, key, text: text && bounded(text) });
  }

  setWidget(
    key: string,
    widget: Widget | undefined,
    place: WidgetPlace = "above",
    { from }: Sender = {},
  ): void {
    // One that draws itself needs a terminal.
    if (typeof widget === "function") return;
    const lines = widget?.slice(0, MAX_LINES).map((line) => bounded(line));
    this.#tell({ type: "extension_widget", from, key, lines, place });
  }

  setTitle(title: string | undefined, { from }: Sender = {}): void {
    this.#tell({ type: "extension_title", from, title: title && bounded(title) });
  }

  setWorking(): void {}

  setDraft(text: string, { from }: Sender = {}): void {
    this.#tell({ type: "extension_draft", from, text: bounded(text) });
  }

  readonly show: UserInterface["show"] = async () => undefined;

  #tell(event: OutgoingEvent): void {
    if (this.#early) this.#early.push(event);
    else this.#options.emit(this.#options.hide(event));
  }
}

function bounded(text: string): string {
  return String(text).slice(0, MAX_CHARACTERS).toWellFormed();
}
