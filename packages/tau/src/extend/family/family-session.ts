// The session manager that the family's code looks at: reading only, and at once, though the log itself is
// read from disk. What is on the way to the leaf is read when the session is set up, and kept up to date.

import type { SessionEntry } from "../../session/entry.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { Session } from "../../session/session.ts";
import { dirname } from "node:path";
import { toFamilyEntry } from "./family-messages.ts";

type FamilyEntry = Record<string, unknown>;

const opened = new WeakMap<Session, Promise<FamilySession>>();

export class FamilySession {
  readonly #session: Session;
  readonly #forms = new WeakMap<SessionEntry, FamilyEntry>();
  #branch: SessionEntry[] = [];
  #labels: ReadonlyMap<string, string> = new Map();
  /** Where the log stood when it was last read. */
  #leafId: string | null;
  readonly #stops: (() => void)[];
  #users = 0;

  private constructor(
    session: Session,
    branch: SessionEntry[],
    labels: ReadonlyMap<string, string>,
  ) {
    this.#session = session;
    this.#branch = branch;
    this.#labels = labels;
    this.#leafId = session.log.leafId;
    this.#stops = [
      session.onAppended((entries) => {
        this.#branch.push(...entries);
        this.#leafId = session.log.leafId;
      }),
      session.subscribe((event) => {
        if (event.type === "position_changed") void this.follow();
      }, "part"),
    ];
  }

  /** One for all extensions of a session: its log is read and followed once. */
  static async of(session: Session): Promise<FamilySession> {
    const known = opened.get(session) ?? FamilySession.#open(session);
    opened.set(session, known);
    const one = await known;
    one.#users++;
    return one;
  }

  static async #open(session: Session): Promise<FamilySession> {
    const { log } = session;
    // A session that has only just begun has nothing to read.
    const isNew = log.leafId === null;
    const [branch, labels] = isNew
      ? [[], new Map<string, string>()]
      : await Promise.all([log.branch(), log.labels()]);
    return new FamilySession(session, branch, labels);
  }

  leave(): void {
    if (--this.#users > 0) return;
    opened.delete(this.#session);
    for (const stop of this.#stops) stop();
  }

  /** Where the session stands now, if it has moved to another branch: before whoever asks is told of it. */
  async follow(): Promise<void> {
    const { log } = this.#session;
    if (log.leafId === this.#leafId) return;
    this.#leafId = log.leafId;
    this.#branch = await log.branch();
    this.#labels = await log.labels();
  }

  /** What is called `ctx.sessionManager`. */
  get view(): object {
    const log: SessionLog = this.#session.log;
    return {
      getCwd: () => log.header.cwd,
      getSessionDir: () => (log.path === undefined ? "" : dirname(log.path)),
      getSessionId: () => log.header.id,
      getSessionFile: () => log.path,
      getSessionName: () => log.title,
      getHeader: () => ({ ...log.header }),
      getLeafId: () => log.leafId,
      getLeafEntry: () => this.#entries().at(-1),
      getBranch: (fromId?: string) => this.#upTo(fromId),
      getEntries: () => this.#entries(),
      getEntry: (id: string) => this.#entries().find((entry) => entry.id === id),
      getChildren: (id: string) => this.#entries().filter(({ parentId }) => parentId === id),
      getLabel: (id: string) => this.#labels.get(id),
      getTree: () => this.#tree(),
      isPersisted: () => log.path !== undefined,
      buildSessionContext: () => ({
        messages: this.#entries().flatMap(({ message }) =>
          message === undefined ? [] : [message],
        ),
        thinkingLevel: this.#session.thinking ?? "off",
        model: { provider: this.#session.model.provider, modelId: this.#session.model.id },
      }),
    };
  }

  #entries(): FamilyEntry[] {
    return this.#branch.map((entry) => {
      let form = this.#forms.get(entry);
      if (!form) {
        form = toFamilyEntry(entry);
        this.#forms.set(entry, form);
      }
      return form;
    });
  }

  #upTo(id: string | undefined): FamilyEntry[] {
    const entries = this.#entries();
    if (id === undefined) return entries;
    const at = entries.findIndex((entry) => entry.id === id);
    return at < 0 ? [] : entries.slice(0, at + 1);
  }

  /** Of the branch: what lies beside it is not at hand. */
  #tree(): object[] {
    return this.#entries()
      .toReversed()
      .reduce<object[]>(
        (children, entry) => [{ entry, children, label: this.#labels.get(entry.id as string) }],
        [],
      );
  }
}
