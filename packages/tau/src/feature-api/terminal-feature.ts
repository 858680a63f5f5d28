// What a feature may bring to the terminal: how its tools' calls look, with samples for the gallery,
// and what it keeps in sight above the prompt.

import type { Component } from "@tau/tui/component";
import type { Theme } from "@tau/tui/theme/theme";
import type { Session } from "../session/session.ts";
import type { SessionEvent } from "../session/session-event.ts";
import type { SampleCall } from "./sample-call.ts";
import type { ToolView } from "./tool-view.ts";

export interface TerminalFeature {
  /** How calls look, by the tool's name. */
  readonly views?: Readonly<Record<string, ToolView>>;
  /** Calls for the gallery, at least one for each view. */
  readonly samples?: readonly SampleCall[];
  /** Stands above the prompt, for as long as the terminal is open. */
  panel?(place: PanelPlace): Panel | undefined;
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
