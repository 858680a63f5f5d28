// Chooses a session to go on with. The list is read after the screen is open; what is typed
// narrows it by title and first prompt at once, and a moment later by what was said in it.

import { cleanLine } from "@tau/tui/components/clean-text";
import { wrapSpans } from "@tau/tui/components/spans";
import { fitLine } from "@tau/tui/width";
import type { LastExchange } from "../../../session/listing/last-exchange.ts";
import type { SessionHit } from "../../../session/listing/search-sessions.ts";
import type { SessionInfo } from "../../../session/listing/session-info.ts";
import { MAX_TITLE_CHARACTERS } from "../../../session/operations/name-session.ts";
import type { Close, Stage } from "../stage.ts";
import { askText, askYesNo } from "./ask-over.ts";
import { ageInWords } from "./in-words.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import type { PickRow } from "./pick-list.ts";

export type SessionScope = "here" | "everywhere";

export interface ContentSearch {
  signal: AbortSignal;
  onHit(hit: SessionHit): void;
}

export interface SessionPickerDeps {
  /** Newest first. */
  list(scope: SessionScope): Promise<readonly SessionInfo[]>;
  /** In what was said; hits come as they are found. */
  search(query: string, sessions: readonly SessionInfo[], search: ContentSearch): Promise<void>;
  lastExchange(session: SessionInfo): Promise<LastExchange>;
  /** Throws a sentence for the user. */
  rename(session: SessionInfo, title: string): Promise<void>;
  /** Throws a sentence for the user. */
  remove(session: SessionInfo): Promise<void>;
  /** The session that is open now: marked, and not to be deleted. */
  currentPath?: string;
  now?(): number;
  signal?: AbortSignal;
}

export function openSessionPicker(
  stage: Stage,
  deps: SessionPickerDeps,
): Promise<SessionInfo | undefined> {
  const { signal } = deps;
  const closed = new AbortController();
  const open = (close: Close<SessionInfo>) => new SessionPicker(stage, deps, close, closed.signal);
  return stage.show<SessionInfo>(open, signal ? { signal } : {}).finally(() => closed.abort());
}

const COLUMNS = [
  { title: "session", least: 16 },
  { title: "first prompt", least: 12, yields: 3 },
  { title: "directory", least: 10, yields: 2 },
  { title: "entries", align: "right", yields: 1 },
  { title: "age", align: "right" },
] as const;

/** Nobody wants each letter searched for; a pause means that the word is there. */
const SEARCH_DELAY_MS = 150;
/** One letter is everywhere. */
const LEAST_SEARCHED_CHARACTERS = 2;
/** Hits come in swarms; the list is arranged once for each. */
const HITS_DELAY_MS = 30;
/** Moving through a list reads nothing; resting on a row does. */
const PREVIEW_DELAY_MS = 60;
const PREVIEW_ROWS = 6;
/** With fewer rows than this, the list needs them all. */
const LEAST_ROWS_FOR_PREVIEW = 20;
/** Previews are read again when they are wanted again. */
const MAX_PREVIEWS = 50;

const IN_CONVERSATION = "In the conversation";

class SessionPicker extends ListScreen<SessionInfo> {
  readonly #deps: SessionPickerDeps;
  readonly #close: Close<SessionInfo>;
  readonly #closed: AbortSignal;
  readonly #previews = new Map<string, LastExchange>();
  #scope: SessionScope = "here";
  #sessions: readonly SessionInfo[] = [];
  #work: "reading" | "searching" | undefined;
  #search: AbortController | undefined;
  #hits: SessionHit[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hitTimer: ReturnType<typeof setTimeout> | undefined;
  #previewTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    stage: Stage,
    deps: SessionPickerDeps,
    close: Close<SessionInfo>,
    closed: AbortSignal,
  ) {
    super({
      stage,
      context: "screen.sessions",
      columns: COLUMNS,
      placeholder: "type to filter; conversations are searched, too",
      empty: "Reading the sessions…",
      onCancel: () => close(),
    });
    this.#deps = deps;
    this.#close = close;
    this.#closed = closed;
    closed.addEventListener("abort", () => this.#stop(), { once: true });
    void this.#read("orEverywhere");
  }

  protected override view(columns: number): ListScreenView {
    const where =
      this.#scope === "here" ? "Sessions of this directory" : "Sessions of all directories";
    const work = { reading: "reading…", searching: "searching…" };
    const other = this.#scope === "here" ? "all directories" : "this directory";
    return {
      title: where,
      aside: [this.#work && work[this.#work], this.list.position].filter(Boolean).join(" "),
      foot: this.#preview(columns),
      hints: [
        { action: "selection.accept", label: "go on" },
        { action: "screen.sessions.scope", label: other },
        { action: "screen.sessions.rename", label: "rename" },
        { action: "screen.sessions.delete", label: "delete" },
        { action: "selection.cancel", label: "close" },
      ],
    };
  }

  protected override choose({ value }: PickRow<SessionInfo>): void {
    this.#close(value);
  }

  protected override act(action: string): boolean {
    const session = this.list.selected?.value;
    switch (action) {
      case "screen.sessions.scope":
        this.#scope = this.#scope === "here" ? "everywhere" : "here";
        void this.#read("asAsked");
        return true;
      case "screen.sessions.rename":
        if (session) void this.#rename(session);
        return true;
      case "screen.sessions.delete":
        if (session) void this.#delete(session);
        return true;
      default:
        return false;
    }
  }

  protected override changed(what: "selection" | "query"): void {
    if (what === "query") this.#searchLater();
    else this.#previewLater();
  }

  async #read(how: "asAsked" | "orEverywhere"): Promise<void> {
    const scope = this.#scope;
    this.#work = "reading";
    try {
      const sessions = await this.#deps.list(scope);
      // Whoever switched meanwhile waits for the other list.
      if (this.#closed.aborted || scope !== this.#scope) return;
      if (sessions.length === 0 && scope === "here" && how === "orEverywhere") {
        this.#scope = "everywhere";
        return await this.#read("asAsked");
      }
      this.#work = undefined;
      this.#sessions = sessions;
      this.#show();
    } catch (error) {
      if (this.#closed.aborted) return;
      this.#work = undefined;
      this.#fail("The sessions cannot be read", error);
    }
  }

  #show(): void {
    const next = this.stage.bindings.hint("screen.sessions.scope");
    const more = next === undefined ? "" : ` ${next} shows those of all directories.`;
    this.list.setEmpty(
      this.#scope === "here" ? `No session was started here.${more}` : "There are no sessions yet.",
    );
    this.list.setRows(this.#sessions.map((session) => this.#row(session)));
    this.#searchLater();
    this.#previewLater();
    this.stage.requestRender();
  }

  #row(session: SessionInfo, excerpt?: string): PickRow<SessionInfo> {
    const { path, id, name, isNamed, firstPrompt = "", cwd, entries, modifiedAt, status } = session;
    const { marked } = this.stage.theme.symbols;
    const now = (this.#deps.now ?? Date.now)();
    const words = excerpt ?? (isNamed ? firstPrompt : "");
    return {
      id: path,
      value: session,
      cells: [
        name,
        words,
        this.#scope === "everywhere" ? cwd : "",
        status === "empty" ? "empty" : entries === undefined ? "" : `${entries}`,
        ageInWords(modifiedAt, now),
      ],
      texts: [name, firstPrompt, cwd, id],
      mark: path === this.#deps.currentPath ? marked : undefined,
    };
  }

  #searchLater(): void {
    this.#search?.abort();
    this.#search = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#hitTimer);
    this.#hitTimer = undefined;
    this.#hits = [];
    if (this.#work === "searching") this.#work = undefined;
    if (this.query.trim().length < LEAST_SEARCHED_CHARACTERS) return;
    this.#timer = setTimeout(() => void this.#searchNow(), SEARCH_DELAY_MS);
  }

  async #searchNow(): Promise<void> {
    const search = new AbortController();
    this.#search = search;
    this.#work = "searching";
    this.stage.requestRender();
    const onHit = (hit: SessionHit): void => {
      if (search.signal.aborted) return;
      this.#hits.push(hit);
      this.#hitTimer ??= setTimeout(() => this.#showHits(), HITS_DELAY_MS);
    };
    try {
      await this.#deps.search(this.query, this.#sessions, { signal: search.signal, onHit });
    } catch (error) {
      if (!search.signal.aborted) this.#fail("The search failed", error);
    }
    if (this.#search !== search) return;
    this.#search = undefined;
    this.#work = undefined;
    this.#showHits();
  }

  #showHits(): void {
    clearTimeout(this.#hitTimer);
    this.#hitTimer = undefined;
    const rows = this.#hits.map(({ session, excerpt }) => this.#row(session, excerpt));
    this.list.setExtra(IN_CONVERSATION, rows);
    this.#previewLater();
    this.stage.requestRender();
  }

  #previewLater(): void {
    clearTimeout(this.#previewTimer);
    const session = this.list.selected?.value;
    if (!session || this.#previews.has(session.path)) return;
    this.#previewTimer = setTimeout(() => void this.#readPreview(session), PREVIEW_DELAY_MS);
  }

  async #readPreview(session: SessionInfo): Promise<void> {
    let preview: LastExchange = {};
    try {
      preview = await this.#deps.lastExchange(session);
    } catch (error) {
      if (!this.#closed.aborted) this.#fail("It cannot be read", error);
    }
    if (this.#closed.aborted) return;
    const [oldest] = this.#previews.keys();
    if (this.#previews.size >= MAX_PREVIEWS && oldest !== undefined) this.#previews.delete(oldest);
    this.#previews.set(session.path, preview);
    this.stage.requestRender();
  }

  /** Always as tall as it ever is: the list above must not move with the selection. */
  #preview(columns: number): string[] {
    if (this.stage.size.rows < LEAST_ROWS_FOR_PREVIEW) return [];
    const { theme } = this.stage;
    const session = this.list.selected?.value;
    const preview = session && this.#previews.get(session.path);
    const rows = session
      ? [
          ...said("you", preview?.prompt, columns, { rows: 2 }),
          ...said("tau", preview?.answer, columns, { rows: PREVIEW_ROWS - 2 }),
        ]
      : [];
    const shown = rows.slice(0, PREVIEW_ROWS).map((row) => theme.style("muted")(row));
    return [...shown, ...Array.from({ length: PREVIEW_ROWS - shown.length }, () => "")];
  }

  async #rename(session: SessionInfo): Promise<void> {
    const title = await askText(this.stage, {
      title: "Another title",
      signal: this.#closed,
      initial: session.isNamed ? session.name : "",
      placeholder: session.name,
      check: (text) => {
        if (text.trim() === "") return "Give it a title, or press Esc.";
        return [...text].length > MAX_TITLE_CHARACTERS
          ? "That is too long for a title."
          : undefined;
      },
    });
    if (title === undefined || this.#closed.aborted) return;
    try {
      await this.#deps.rename(session, title.trim());
      await this.#read("asAsked");
    } catch (error) {
      this.#fail("It keeps its title", error);
    }
  }

  async #delete(session: SessionInfo): Promise<void> {
    if (session.path === this.#deps.currentPath) {
      return this.say("This session is open; go to another one before you delete it.");
    }
    const isSure = await askYesNo(this.stage, {
      title: "Delete the session?",
      question: `"${cleanLine(session.name)}" and its files will be deleted permanently.`,
      yes: "Delete",
      no: "Keep",
      signal: this.#closed,
    });
    if (!isSure || this.#closed.aborted) return;
    try {
      await this.#deps.remove(session);
      this.#previews.delete(session.path);
      await this.#read("asAsked");
    } catch (error) {
      this.#fail("It was not deleted", error);
    }
  }

  #fail(what: string, error: unknown): void {
    if (!(error instanceof Error)) throw error;
    this.say(`${what}: ${error.message}`, "error");
  }

  #stop(): void {
    this.#search?.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#hitTimer);
    clearTimeout(this.#previewTimer);
  }
}

function said(
  who: string,
  text: string | undefined,
  columns: number,
  { rows }: { rows: number },
): string[] {
  if (text === undefined) return [];
  const flat = cleanLine(text.replace(/\s+/g, " ").trim());
  const wrapped = wrapSpans([{ text: `${who}: ${flat}` }], columns);
  if (wrapped.length <= rows) return wrapped;
  return [...wrapped.slice(0, rows - 1), fitLine(`${wrapped[rows - 1]!}…`, columns)];
}
