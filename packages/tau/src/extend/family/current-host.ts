// The session in which the family's code is running just now. Its functions for models are imported, not
// handed over, so that there is nobody else who could say.

import { AsyncLocalStorage } from "node:async_hooks";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { familyTheme } from "./family-theme.ts";

interface Running {
  readonly host: FeatureHost;
  readonly extension: string;
  /** Of the run that it was called in; none if nothing runs. */
  readonly signal?: AbortSignal;
}

const running = new AsyncLocalStorage<Running>();

export function runIn<T>(place: Running, work: () => T): T {
  const now = running.getStore();
  // A handler is called within the hook that it stands at: nothing changes on the way there.
  const isHere = now?.host === place.host && now.extension === place.extension;
  if (isHere && (place.signal ?? now.signal) === now.signal) return work();
  return running.run(place, work);
}

/** Runs something later as if it were now: what is drawn is drawn outside of any call. */
export function resumeHere(): <T>(work: () => T) => T {
  const place = running.getStore();
  return (work) => (place ? running.run(place, work) : work());
}

interface FamilyTheme {
  fg(token: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  strikethrough(text: string): string;
}

/** The one in use, or none if nothing is drawn. */
export function currentTheme(): FamilyTheme {
  return familyTheme(running.getStore()?.host.ui.theme) as FamilyTheme;
}

export function currentSignal(): AbortSignal | undefined {
  return running.getStore()?.signal;
}

export function currentFamilyHost(): Running {
  const place = running.getStore();
  if (!place) throw new Error("a model can be asked only from a handler, a tool or a command");
  return place;
}
