// What code of one kernel has defined so far, for the code that comes after it. Code is judged before
// anybody knows whether it will run: what it would define is kept aside until then.

import { CodeScope, joinNames } from "./code-scope.ts";
import type { Value } from "./code-value.ts";

/** What a judgement would leave behind. */
export interface CodeOutcome {
  names: ReadonlyMap<string, Value>;
}

export class CodeMemory {
  readonly top = new CodeScope();
  /** Where the code has gone; undefined if it is where it was, null if nobody knows. */
  directory: string | null | undefined;

  /** Judges something, and leaves everything as it was. */
  aside<T>(judge: () => T): { result: T; outcome: CodeOutcome } {
    const { names } = this.top;
    const { directory } = this;
    this.top.names = new Map(names);
    this.directory = undefined;
    try {
      const result = judge();
      return { result, outcome: { names: this.top.names } };
    } finally {
      this.top.names = names;
      this.directory = directory;
    }
  }

  /** The code has run; `isWhole` if to its end. */
  keep({ names }: CodeOutcome, { isWhole }: { isWhole: boolean }): void {
    this.top.names = isWhole ? new Map(names) : joinNames(this.top.names, names);
  }

  /** The kernel starts anew. */
  forget(): void {
    this.top.names = new Map();
    this.directory = undefined;
  }
}
