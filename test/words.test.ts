// The words that users read are plain English with the term of art first. A style cannot be tested, but the
// turns of phrase that it slips into can. Rows are taken from their tables and pages from `docs/`, so that
// neither can be added past this.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { keyOf } from "../packages/tau/src/config/setting-group.ts";
import { allCommands } from "../packages/tau/src/cli/all-commands.ts";
import { GLOBAL_FLAGS, RUN_COMMAND } from "../packages/tau/src/cli/command-table.ts";
import { BUILT_IN } from "../packages/tau/src/features/built-in.ts";
import { SETTING_GROUPS } from "../packages/tau/src/features/settings-table.ts";
import { VARIABLES } from "../packages/tau/src/features/variables-table.ts";
import { ALL_ACTIONS } from "../packages/tau/src/modes/interactive/app-actions.ts";
import { ALL_COMMANDS } from "../packages/tau/src/modes/commands/all-commands.ts";
import {
  allRpcCommands,
  loadProtocols,
  UNSUPPORTED,
} from "../packages/tau/src/modes/rpc/command-table.ts";
import { ERROR_CODES } from "../packages/tau/src/modes/rpc/protocol.ts";
import { root } from "./support/run-tau.ts";

/** What to write instead, by what it is found with. */
const TURNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // "there is no such command" and "it is no longer used" are English.
  [/(?<!\bthere) is no (?!longer\b|such\b|more\b)/i, "is not a …"],
  [/\bare no (?!longer\b|such\b|more\b)\w+ (?:at all|of)\b/i, "are not …"],
  [/\bnames? of before\b/i, "deprecated, old"],
  [/\bgo(?:es|ing)? on (?:with|in|from|behind|as|until|without)\b/i, "continue, resume, persist"],
  [/\bthat goes on\b/i, "persistent, continues"],
  [/\bto be had\b/i, "available"],
  [/\bhave no say\b|\bhas no say\b/i, "cannot change"],
  [/\ba word (?:on|of yours|to)\b/i, "name it, say it"],
  [/(?<!\binstead )\bof yours\b/i, "your own"],
  [/\botherwise than\b/i, "different from"],
  [
    /\b(?:begins?|starts?|ends?|renewed|runs?|opens?|happens?|sessions?|jobs?|shorter) by (?:itself|themselves)\b/i,
    "automatically",
  ],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\boutweigh(?:s|ed)?\b/i, "override"],
  [
    /\bwhere (?:none|nobody|nothing|several|it (?:is|was) (?:absent|empty|unset|left)|that is (?:unset|left)|you trust)\b/i,
    "if …",
  ],
  [/\bfrom which on\b|\bfrom which size on\b/i, "threshold, minimum"],
  [/\b(?:shown|stands?|comes?|written|put) behind (?:it|the|a|them)\b/i, "after"],
  [/\bpassed over\b/i, "skipped, ignored"],
  [/\b(?:is|are) there already\b/i, "already exists"],
  [/\b(?:being |was |is )made shorter\b/i, "compacted"],
  [/\bis told of\b|\bare told of\b/i, "is told about"],
];

interface Row {
  where: string;
  text: string;
}

async function rows(): Promise<Row[]> {
  const settings = SETTING_GROUPS.flatMap((group) => [
    { where: `settings: ${group.title}`, text: group.title },
    ...Object.entries(group.rows).map(([name, { help }]) => ({
      where: `setting ${keyOf(group, name)}`,
      text: help,
    })),
  ]);
  const variables = VARIABLES.names.map((name) => ({
    where: name,
    text: VARIABLES.row(name)!.help,
  }));
  const commands = [RUN_COMMAND, ...(await allCommands())].flatMap(
    ({ name, summary, flags, examples = [] }) => [
      { where: `tau ${name}`, text: summary },
      ...flags.map((flag) => ({ where: `tau ${name} --${flag.name}`, text: flag.summary })),
      ...examples.map(({ line, what }) => ({ where: line, text: what })),
    ],
  );
  const flags = GLOBAL_FLAGS.map(({ name, summary }) => ({ where: `--${name}`, text: summary }));
  const slashes = ALL_COMMANDS.map(({ name, help }) => ({
    where: `/${name}`,
    text: help,
  }));
  const keys = ALL_ACTIONS.map(({ id, description }) => ({ where: id, text: description }));
  const rpc = allRpcCommands(await loadProtocols(BUILT_IN)).flatMap(
    ({ name, summary, answers }) => [
      { where: `rpc ${name}`, text: summary },
      { where: `rpc ${name}, data`, text: answers ?? "" },
    ],
  );
  const codes = Object.entries({ ...ERROR_CODES, ...UNSUPPORTED }).map(([name, text]) => ({
    where: `rpc ${name}`,
    text,
  }));
  return [settings, variables, commands, flags, slashes, keys, rpc, codes].flat();
}

/** The prose of a page by paragraph; examples are what programs print. */
function paragraphs(page: string, text: string): Row[] {
  const prose = text
    .replace(/^```[^]*?^```$/gm, "")
    .replace(/<!--[^]*?-->/g, "")
    .replace(/`[^`\n]*`/g, "CODE");
  return prose
    .split(/\n\s*\n|\n(?=[-|#*] )/)
    .map((part) => ({ where: page, text: part.replace(/\s+/g, " ").trim() }));
}

const found = (all: readonly Row[]): string[] =>
  all.flatMap(({ where, text }) =>
    TURNS.flatMap(([pattern, instead]) => {
      const match = pattern.exec(text);
      if (!match) return [];
      const around = text.slice(Math.max(match.index - 30, 0), match.index + 60);
      return [`${where}: "${around}" (write: ${instead})`];
    }),
  );

test("rows name things as people do", async () => {
  const all = await rows();
  expect(all.length).toBeGreaterThan(300);
  expect(found(all)).toEqual([]);
});

test("a row says something, in one sentence without a full stop", async () => {
  const all = (await rows()).filter(({ where }) => !where.endsWith(", data"));
  expect(all.filter(({ text }) => text.trim().length < 3 || /[.]$/.test(text))).toEqual([]);
});

test("pages are written in the same English", async () => {
  const pages = (
    await Promise.all(
      ["README.md", "CHANGELOG.md", "docs/**/*.md"].map((glob) =>
        Array.fromAsync(new Glob(glob).scan({ cwd: root })),
      ),
    )
  ).flat();
  expect(pages.length).toBeGreaterThan(30);
  const all = await Promise.all(
    pages.map(async (page) => paragraphs(page, await Bun.file(join(root, page)).text())),
  );
  expect(found(all.flat())).toEqual([]);
});

test("the patterns find what they are for, and let English through", () => {
  const bad = [
    "the line is no JSON object",
    "A file with names of before",
    "the shell that goes on",
    "namespaces are not to be had here",
    "Turned away with a word on which tool",
    "The model, where none is named",
    "renewed by itself",
    "Lines shown behind it",
  ];
  expect(bad.filter((text) => found([{ where: "", text }]).length === 0)).toEqual([]);
  const good = [
    "there is no such command",
    "It is no longer used",
    "There is no login for it",
    "the directory where files are kept",
    "each line is complete by itself",
    "The company behind the provider",
  ];
  expect(found(good.map((text) => ({ where: "", text })))).toEqual([]);
});
