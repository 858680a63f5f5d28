// What a feature may bring to the terminal: how its tools' calls and its own entries look, with samples
// for the gallery, and what it keeps in sight above the prompt and in the status line.

import type { Component } from "@tau/tui/component";
import type { Theme } from "@tau/tui/theme/theme";
import type { Session } from "../session/session.ts";
import type { SessionEvent } from "../session/session-event.ts";
import type { AnyCustomEntry } from "../session/kinds/custom-kinds.ts";
import type { SampleCall } from "./sample-call.ts";
import type { CallLook, ToolView } from "./tool-view.ts";

export interface TerminalFeature {
  /** How calls look, by the tool's name. */
  readonly views?: Readonly<Record<string, ToolView>>;
  /** Calls for the gallery, at least one for each view. */
  readonly samples?: readonly SampleCall[];
  /** How its own entries look, by their `customType`, if rows say more than words. */
  readonly entries?: Readonly<Record<string, EntryView>>;
  /** A few words each for the status line. */
  readonly status?: readonly StatusPart[];
  /** Stands above the prompt, for as long as the terminal is open. */
  panel?(place: PanelPlace): Panel | undefined;
}

/**
 * Rows in the place of the first note that the kind's `show` gives, no wider than `columns`, with escapes for
 * colours only; undefined for that note itself. Other front-ends show the note.
 */
export type EntryView = (entry: AnyCustomEntry, look: EntryLook) => readonly string[] | undefined;

export type EntryLook = Pick<CallLook, "theme" | "columns" | "detail">;

export interface StatusPart {
  readonly name: string;
  /** The extension's name: Tau says it of those from outside, whatever they say. */
  readonly from?: string;
  /** Asked at every frame: it says what it knows. Undefined or empty if it has nothing to say. */
  render(place: { readonly session: Session; readonly theme: Theme }): string | undefined;
}

export interface PanelPlace {
  readonly theme: Theme;
  requestRender(): void;
  /** Rows of the screen. */
  screenRows(): number;
}

export interface Panel extends Component {
  /** Another session is the current one, or the same at another place of its tree. */
  enter(session: Session): void;
  /** Something has happened in it. */
  follow(event: SessionEvent, session: Session): void;
}
