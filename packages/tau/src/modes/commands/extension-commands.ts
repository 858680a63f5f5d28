// Commands about extensions: what is there and what it costs, and loading it anew.

import { EXTENSIONS, type ExtensionBook } from "../../extend/extension-book.ts";
import type { HookTime } from "../../extend/hook-clock.ts";
import type { Inspection } from "../../extend/inspection.ts";
import type { LoadedExtension } from "../../extend/loaded-extension.ts";
import { shownPath } from "../../resources/local-path.ts";
import type { Command } from "./command.ts";

export const EXTENSION_COMMANDS: readonly Command[] = [
  {
    name: "extensions",
    help: "show extensions and the time they take",
    when: "any",
    run: async ({ active }) => {
      const book = active.part(EXTENSIONS);
      return book
        ? describeBook(book, active.session.log.header.cwd)
        : "No extensions are loaded; put one into ~/.tau/agent/extensions, or name it with --extension.";
    },
  },
  {
    name: "plugins",
    help: "browse, install, enable and remove plugins",
    when: "any",
    run: async ({ active }) => {
      const { pluginStores } = await import("../../extend/plugins/plugin-store.ts");
      const { listInWords, PLAIN_LOOKS } = await import("../../extend/plugins/plugin-views.ts");
      const stores = await pluginStores({ cwd: active.session.log.header.cwd, env: active.env });
      const found = await Promise.all(
        stores.map(async (store) =>
          (await store.look()).plugins.map((one) => ({ ...one, scope: store.place.level })),
        ),
      );
      return listInWords(found.flat(), PLAIN_LOOKS).trimEnd();
    },
    screen: async (app) => {
      const [{ pluginBook }, { openPluginBrowser }] = await Promise.all([
        import("../interactive/plugin-book.ts"),
        import("../interactive/screens/plugin-browser.ts"),
      ]);
      const closed = new AbortController();
      const place = { cwd: app.active.session.log.header.cwd, env: app.env, signal: closed.signal };
      try {
        const changed = await openPluginBrowser(app.surface, await pluginBook(place));
        if (changed.length === 0) return undefined;
        return `Changed: ${changed.join(", ")}. /reload loads extensions anew.`;
      } finally {
        closed.abort();
      }
    },
  },
  {
    name: "reload",
    help: "load settings and extensions anew",
    // What is loaded runs inside Tau: a prompt that comes from elsewhere must not bring it there.
    from: "person",
    run: async ({ active }) => {
      const before = active.part(EXTENSIONS);
      await active.reload();
      const after = active.part(EXTENSIONS);
      const place = { cwd: active.session.log.header.cwd, env: active.env };
      const { absenceWords, reloadOutcome } = await import("../reload-outcome.ts");
      const outcome = await reloadOutcome({ before, after }, place);
      const count = after?.loaded.length ?? 0;
      const words = count === 1 ? "Loaded 1 extension." : `Loaded ${count} extensions.`;
      return [words, ...absenceWords(outcome)].join(" ");
    },
  },
];

const MEGABYTE = 1024 * 1024;
/** Less is what any piece of code takes for a moment. */
const WORTH_SAYING_BYTES = 2 * MEGABYTE;

const BROUGHT: readonly (readonly [keyof Inspection, string])[] = [
  ["tools", "tools"],
  ["commands", "commands"],
  ["flags", "flags"],
  ["settings", "settings"],
  ["shortcuts", "keys"],
  ["providers", "providers"],
];

function describeBook(book: ExtensionBook, cwd: string): string {
  const { loaded, failures, clock } = book;
  const lines: string[] = [];
  for (const extension of loaded) {
    const { source, feature } = extension;
    lines.push(`${feature.name}  (${source.origin}, ${shownPath(source.path, cwd)})`);
    const brought = broughtBy(extension, book);
    for (const [key, title] of BROUGHT) {
      if (brought[key].length > 0) lines.push(`  ${title}: ${brought[key].join(", ")}`);
    }
    lines.push(...clock.of(feature.name).map(describeTime));
  }
  for (const { source, message } of failures) {
    lines.push(`${source.name}  not loaded: ${message}`);
  }
  return lines.join("\n");
}

/** With the commands that the `setup` of one of Tau's own kind gave. */
function broughtBy(
  { feature, inspection, isOwnKind }: LoadedExtension,
  book: ExtensionBook,
): Inspection {
  if (!isOwnKind) return inspection;
  const made = book.commands.get(feature.name) ?? [];
  return { ...inspection, commands: [...new Set([...inspection.commands, ...made])] };
}

function describeTime(time: HookTime): string {
  const { hook, calls, totalMs, longestMs, failures, running, grownBytes } = time;
  const mean = calls > 0 ? totalMs / calls : 0;
  const grown = Math.round(grownBytes / MEGABYTE);
  return [
    `  ${hook}: ${calls} ×, ${mean.toFixed(1)} ms each, longest ${longestMs.toFixed(1)} ms`,
    failures > 0 && `${failures} failed`,
    running > 0 && `${running} not done`,
    grownBytes >= WORTH_SAYING_BYTES && `memory grew by ${grown} MB`,
  ]
    .filter(Boolean)
    .join(", ");
}
