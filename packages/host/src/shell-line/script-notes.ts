// What the parser noticed about a script while reading it, for whoever takes lines out of it: where
// each statement begins and ends, and what may not be left empty. The tree itself says what a line
// would run and has no use for this.

/** A piece that can be taken out or replaced as a whole. */
export interface ScriptPiece {
  kind: "statement" | "case_item" | "elif_clause" | "else_clause" | "element";
  from: number;
  /** Exclusive; a here document that it asks for is not counted. */
  to: number;
  /** The same value for all pieces of one body. */
  body: object;
}

export interface NotedDocument {
  /** Where the redirection is that asks for it. */
  askedAt: number;
  /** Its text, then the line that ends it. */
  from: number;
  endLineFrom: number;
  to: number;
}

export class ScriptNotes {
  readonly pieces: ScriptPiece[] = [];
  readonly comments: number[] = [];
  readonly documents: NotedDocument[] = [];
  /** Redirections that ask for a here document; all are answered in a script that is whole. */
  readonly asked: number[] = [];
  /** Bodies in which the grammar wants at least one command. */
  readonly needed = new Set<object>();
  /** Why and where reading stopped; undefined for a script that was read to its end. */
  problem: { reason: string; at: number } | undefined;

  note(kind: ScriptPiece["kind"], from: number, to: number, body: object): void {
    this.pieces.push({ kind, from, to, body });
  }
}
