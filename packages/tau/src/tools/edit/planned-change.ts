// What an edit would do to one file, whatever language it was written in.

import type { ResolvedBlock } from "@tau/hashline/line-change";
import type { PatchError } from "@tau/hashline/patch-error";

export type EditOp = "create" | "update" | "delete";

export interface PlannedChange {
  op: EditOp;
  /** Absolute. */
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Absolute. */
  moveTo?: string;
  /** In the new text; undefined where there is none. */
  firstChangedLine: number | undefined;
  blocks: readonly ResolvedBlock[];
  warnings: readonly string[];
  /** As `FileChange` has them. */
  isExecutable?: boolean;
  isBytes?: boolean;
}

export type EditOutcome =
  | { kind: "planned"; changes: PlannedChange[]; warnings: readonly string[] }
  /** The model took its patch back. */
  | { kind: "aborted" }
  /** Nothing may be written. */
  | { kind: "refused"; failures: readonly PatchError[] };
