// The extensions of a session that is being put together: whoever has none loads nothing for them.

import { EXTENSIONS, type ExtensionBook } from "../extend/extension-book.ts";
import type { Session } from "../session/session.ts";
import type { PlacedOptions } from "./assemble-session.ts";
import type { BringingPlace, BroughtExtensions } from "./bring-extensions.ts";

/** Of the user, the project and the command line. */
export async function bring(
  { extensions, cwd, env }: PlacedOptions,
  place: BringingPlace,
): Promise<Partial<BroughtExtensions>> {
  if (!extensions) return {};
  const { bringExtensions } = await import("./bring-extensions.ts");
  return bringExtensions(extensions, { ...place, cwd, env });
}

/** Others find them by their key, and what they leave uncaught is told in the session. */
export async function enterExtensions(session: Session, book: ExtensionBook): Promise<void> {
  session.parts.provide(EXTENSIONS, book);
  const { watchStrays } = await import("../extend/stray-errors.ts");
  const { emit } = session;
  const dispose = watchStrays(
    book.loaded.map(({ source }) => source),
    (behaviour, error) => emit({ type: "hook_error", behaviour, hook: "uncaught", error }),
  );
  session.join({ owner: { kind: "behaviour", name: "stray errors", order: 0 }, dispose });
}
