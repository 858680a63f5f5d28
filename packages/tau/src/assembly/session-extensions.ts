// The extensions of a session that is being put together: whoever has none loads nothing for them.

import { EXTENSIONS, type ExtensionBook } from "../extend/extension-book.ts";
import { UserError } from "../user-error.ts";
import type { Session } from "../session/session.ts";
import type { PlacedOptions } from "./assemble-session.ts";
import type { BringingPlace, BroughtExtensions } from "./bring-extensions.ts";

/** Of the user, the project and the command line. */
export async function bring(
  { extensions, cwd, env, ui }: PlacedOptions,
  place: BringingPlace,
): Promise<Partial<BroughtExtensions>> {
  if (!extensions) return {};
  const { bringExtensions } = await import("./bring-extensions.ts");
  return bringExtensions(extensions, { ...place, cwd, env, front: ui?.front });
}

/** Others find them by their key, and what they leave uncaught is told in the session. */
export function enterExtensions(session: Session, book: ExtensionBook): void {
  session.parts.provide(EXTENSIONS, book);
  const { emit } = session;
  const { strays, watchdog } = book;
  strays.tellTo((behaviour, error) =>
    emit({ type: "hook_error", behaviour, hook: "uncaught", error }),
  );
  if (watchdog) {
    watchdog.tell = (seconds, who) => {
      const error = new UserError(`Tau was blocked for ${seconds} seconds by ${who}.`);
      emit({ type: "hook_error", behaviour: "extensions", hook: "blocked", error });
    };
  }
  const dispose = (): void => strays[Symbol.dispose]();
  session.join({ owner: { kind: "behaviour", name: "stray errors", order: 0 }, dispose });
}
