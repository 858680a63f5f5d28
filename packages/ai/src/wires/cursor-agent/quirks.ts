// How models behind Cursor differ, as data.

import type { Model } from "../../model.ts";

export interface CursorQuirks {
  /** The model is asked with its full context, which Cursor counts for more. */
  maxMode: boolean;
  /** What Cursor knows the calling program as; it turns away versions that it finds too old. */
  clientVersion: string;
}

const DEFAULTS: CursorQuirks = { maxMode: false, clientVersion: "cli-2026.08.11-e8db854" };

export function quirksOf(model: Pick<Model, "quirks">): CursorQuirks {
  return { ...DEFAULTS, ...model.quirks };
}
