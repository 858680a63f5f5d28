// The first lines: what this is, with which model, and the one thing to try.

import { homedir } from "node:os";
import { TextBlock } from "@tau/tui/components/text-block";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import { COMMAND, PRODUCT, VERSION } from "../../brand.ts";
import type { Session } from "../../session/session.ts";
import type { Surface } from "./surface.ts";

export function shownDirectory(cwd: string): string {
  const home = homedir();
  return cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
}

export function greet(session: Session, cwd: string, surface: Surface): void {
  const { theme, bindings } = surface;
  const { provider, id } = session.model;
  const text = `${PRODUCT} ${VERSION} · ${provider}/${id} · ${shownDirectory(cwd)}`;
  surface.append(new TextBlock({ text, paint: theme.attribute("bold") }), "note");
  surface.note(hints(provider === COMMAND, bindings));
}

function hints(isDemo: boolean, bindings: KeyBindings): string {
  const stop = bindings.hint("app.interrupt") ?? "/exit";
  const leave = bindings.hint("app.exit") ?? "/exit";
  if (!isDemo) return `/help shows more, ${stop} interrupts an answer, ${leave} quits.`;
  return (
    "No model is connected, so a small built-in program answers; it works offline.\n" +
    `Try "look around", or /tour. /login connects a model, ${leave} quits.`
  );
}
