// What the parts of a session, or of a project, offer one another, by key: `session.part(TODO)` is the
// todo list, if the session has one. The key is all that whoever asks has to know; it carries the type.

export interface PartKey<T> {
  readonly name: string;
  /** Only for the compiler: what the key stands for. */
  readonly of?: (part: T) => void;
  /** What a feature from outside gets instead: the part without what only Tau and its user may do. */
  readonly viewOf?: (part: T) => Partial<T>;
}

export function partKey<T>(name: string, traits: Pick<PartKey<T>, "viewOf"> = {}): PartKey<T> {
  return { name, ...traits };
}

export class Parts {
  readonly #parts = new Map<unknown, unknown>();

  provide<T>(key: PartKey<T>, part: T): void {
    if (this.#parts.has(key)) throw new Error(`There are two parts called ${key.name}.`);
    this.#parts.set(key, part);
  }

  get<T>(key: PartKey<T>): T | undefined {
    return this.#parts.get(key) as T | undefined;
  }

  /** For what a session cannot be without. */
  need<T>(key: PartKey<T>): T {
    const part = this.get(key);
    if (part === undefined) throw new Error(`There is no part called ${key.name}.`);
    return part;
  }
}
