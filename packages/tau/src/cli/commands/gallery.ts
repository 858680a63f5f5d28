// tau gallery: everything that Tau can draw, from samples, in the colours and at the width of this
// terminal: for whoever writes a theme, and for whoever changes how something looks.

import { currentDirectory } from "../../base/working-directory.ts";
import { COMMAND } from "../../brand.ts";
import { findCommand } from "../command-table.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { openUserSettings } from "../../features/open-user-settings.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { SyntaxHighlighter } from "../../highlight/syntax-highlighter.ts";
import { displaySettings } from "../../looks/display-settings.ts";
import { CODE_SAMPLE_LANGUAGES } from "../../modes/interactive/gallery/code-section.ts";
import { loadGallery } from "../../modes/interactive/gallery/gallery.ts";
import {
  chosenItems,
  namedItems,
  renderItem,
  type NamedItem,
} from "../../modes/interactive/gallery/render-gallery.ts";
import { installedThemes } from "../../modes/interactive/themes/installed-themes.ts";
import { themesDirectory } from "../../modes/interactive/themes/theme-files.ts";
import { ThemeSource } from "../../modes/interactive/themes/theme-source.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";

/** Where nobody says how wide it is. */
const DEFAULT_COLUMNS = 80;
/** Narrower nothing can be shown, wider nothing changes any more. */
const MIN_COLUMNS = 10;
const MAX_COLUMNS = 1000;

export async function run({ flags }: ParsedArgs): Promise<ExitCode> {
  const items = await itemsFor(flags.only);
  if (flags.list) {
    await writeOutput(`${items.map(({ name }) => name).join("\n")}\n`);
    return EXIT.done;
  }
  const columns = columnsFor(flags.width);
  using source = await openTheme({
    wanted: typeof flags.theme === "string" ? flags.theme : undefined,
    colours: flags.plain === true || !isTerminal(1) ? "none" : "all",
  });
  const { theme } = source;
  const highlighter = new SyntaxHighlighter({ theme });
  await highlighter.preload(CODE_SAMPLE_LANGUAGES);
  for (const item of items) {
    const rows = await renderItem(item, { theme, columns, highlighter });
    if (!(await writeOutput(`${rows.join("\n")}\n`))) break;
  }
  return EXIT.done;
}

async function itemsFor(wanted: string | true | undefined): Promise<NamedItem[]> {
  const gallery = await loadGallery();
  if (typeof wanted !== "string") return namedItems(gallery);
  const chosen = chosenItems(gallery, wanted);
  if (chosen.length > 0) return chosen;
  const names = [
    ...gallery.map(({ name }) => name),
    ...namedItems(gallery).map(({ name }) => name),
  ];
  const near = suggest(wanted, names);
  const hint =
    near === undefined ? `${COMMAND} gallery --list names all` : `did you mean "${near}"?`;
  throw wrong(`there is no "${wanted}" in the gallery; ${hint}`);
}

function columnsFor(width: string | true | undefined): number {
  if (width === undefined)
    return isTerminal(1) ? process.stdout.columns || DEFAULT_COLUMNS : DEFAULT_COLUMNS;
  const columns = Number(width);
  const isWhole = typeof width === "string" && /^\d+$/.test(width);
  if (isWhole && columns >= MIN_COLUMNS && columns <= MAX_COLUMNS) return columns;
  throw wrong(`--width takes a whole number from ${MIN_COLUMNS} to ${MAX_COLUMNS}, not "${width}"`);
}

async function openTheme({
  wanted,
  colours,
}: {
  wanted: string | undefined;
  colours: "all" | "none";
}): Promise<ThemeSource> {
  const { env } = process;
  const settings = await openUserSettings({ env, cwd: currentDirectory() });
  const source = new ThemeSource({
    // What is not a terminal is told as one that can do nothing.
    env: colours === "all" ? env : { ...env, NO_COLOR: "1", TERM: "dumb" },
    settings: displaySettings(settings),
    directory: themesDirectory(env),
    installed: () => installedThemes({ cwd: currentDirectory(), env }),
    onChange: () => undefined,
    onProblem: (message) => writeError(`${COMMAND}: ${message}\n`),
  });
  if (wanted === undefined) await source.load();
  else {
    const problem = await source.preview(wanted);
    if (problem !== undefined) {
      source[Symbol.dispose]();
      throw new UserError(problem, EXIT.usage);
    }
  }
  return source;
}

function wrong(message: string): UsageError {
  return new UsageError(message, usageLine(findCommand("gallery")!));
}
