// What features from outside draw in the terminal, made harmless: a view that throws or gives nonsense is
// replaced by the look that everything has without one, and its feature is named, once.

import type { Component, Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import type { Span } from "@tau/tui/components/spans";
import { GuardedDrawing, soundRows } from "../../extend/guarded-drawing.ts";
import type { Feature } from "../../feature-api/feature.ts";
import type {
  EntryView,
  Panel,
  PanelPlace,
  StatusPart,
  TerminalFeature,
} from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";
import { underTitle } from "./sender-title.ts";
import { unknownToolView } from "../../tools/render/unknown-tool-view.ts";

/** How a feature of another's making is told of. */
export type Tell = (notice: string) => void;

/** `views`: those that it may bring. */
export function guardedHalf(
  { name }: Feature,
  half: TerminalFeature,
  views: Readonly<Record<string, ToolView>>,
  tell: Tell,
): TerminalFeature {
  const attempt = attempting(name, tell);
  const { entries = {}, status = [], panel } = half;
  return {
    samples: half.samples,
    views: mapped(views, (view, tool) => guardedView(view, `the view of ${tool}`, attempt)),
    entries: mapped(entries, (view, type) => guardedEntry(view, `the look of ${type}`, attempt)),
    status: status.map((part) => guardedStatus(part, name, attempt)),
    panel:
      panel &&
      ((place) => guardedPanel(() => half.panel?.(place), { ...place, from: name }, attempt)),
  };
}

type Attempt = <T>(what: string, work: () => T) => T | undefined;

/** Undefined if it fails; who and what is said the first time. */
function attempting(name: string, tell: Tell): Attempt {
  const told = new Set<string>();
  return (what, work) => {
    try {
      return work();
    } catch (error) {
      // Never in the middle of a frame: it is a new row of the transcript.
      if (!told.has(what))
        queueMicrotask(() => tell(`${what} of ${name} failed: ${String(error)}`));
      told.add(what);
      return undefined;
    }
  };
}

function guardedView(view: ToolView, what: string, attempt: Attempt): ToolView {
  const { remark } = view;
  return {
    title: (state, look) =>
      attempt(what, () => view.title(state, look).map(soundSpan)) ??
      unknownToolView.title(state, look),
    remark:
      remark &&
      ((state, look) => {
        const words = attempt(what, () => view.remark?.(state, look));
        return words === undefined ? undefined : cleanLine(String(words));
      }),
    body: (state, look) =>
      attempt(what, () => soundRows(view.body(state, look), look.columns)) ??
      unknownToolView.body(state, look),
  };
}

function soundSpan({ text, paint }: Span): Span {
  return { text: cleanLine(String(text)), paint };
}

function guardedEntry(view: EntryView, what: string, attempt: Attempt): EntryView {
  return (entry, look) =>
    attempt(what, () => {
      const rows = view(entry, look);
      return rows === undefined ? undefined : soundRows(rows, look.columns);
    });
}

function guardedStatus(part: StatusPart, from: string, attempt: Attempt): StatusPart {
  const { name } = part;
  return { name, from, render: (place) => attempt(`the status ${name}`, () => part.render(place)) };
}

function guardedPanel(
  make: () => Panel | undefined,
  place: PanelPlace & { from: string },
  attempt: Attempt,
): Panel | undefined {
  const what = "the panel";
  const panel = attempt(what, make);
  if (!panel) return undefined;
  const lost = (error: unknown): void => {
    attempt(what, () => {
      throw error;
    });
    place.requestRender();
  };
  const drawing: Component | undefined = attempt(what, () => new GuardedDrawing(panel, lost));
  if (!drawing) return undefined;
  return {
    state: "live",
    render: (columns): Rendered => underTitle(drawing, { ...place, columns }),
    enter: (session) => void attempt(what, () => panel.enter?.(session)),
    follow: (event, session) => void attempt(what, () => panel.follow?.(event, session)),
  };
}

function mapped<T>(
  given: Readonly<Record<string, T>>,
  guard: (one: T, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, guard(one, name)]));
}
