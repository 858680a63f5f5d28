// Puts what was seen of a project into words: what it calls itself, how it is laid out,
// what it is written in and what to try next.

import { languageOfExtension } from "../languages.ts";
import {
  bullets,
  clip,
  count,
  inlineCode,
  pad,
  paragraphs,
  plainText,
  prose,
  table,
} from "../markdown.ts";
import type { ListedEntry } from "../tool-text.ts";
import type { ProjectFacts } from "./project-facts.ts";
import { testCommandOf, type Manifest } from "./project-files.ts";

const SHOWN_ENTRIES = 14;
const SHOWN_LANGUAGES = 4;
const PARAGRAPH_COLUMNS = 300;
const ENTRY_COLUMNS = 34;
const SUBJECT_COLUMNS = 54;

export interface SeenProject {
  listed: readonly ListedEntry[];
  facts: ProjectFacts;
  readmeName: string | undefined;
  heading: string | undefined;
  paragraph: string;
  manifestName: string | undefined;
  manifest: Manifest;
}

/** What a name at the top level usually means. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:src|lib|source|app)$/i, "source code"],
  [/^(?:tests?|spec|__tests__|e2e)$/i, "tests"],
  [/^(?:docs?|documentation)$/i, "documentation"],
  [/^(?:packages|crates|modules|apps)$/i, "parts of a workspace"],
  [/^(?:scripts?|bin|tools?)$/i, "scripts and tools"],
  [/^bench(?:marks?)?$/i, "benchmarks"],
  [/^examples?$/i, "examples"],
  [/^(?:node_modules|vendor|\.?venv)$/i, "installed dependencies"],
  [/^(?:dist|build|out|target)$/i, "build output"],
  [/^\.(?:github|gitlab|ci|circleci)/i, "continuous integration"],
  [/^readme/i, "introduction"],
  [/^licen[cs]e|^copying/i, "licence"],
  [/^changelog|^history/i, "changes by version"],
  [/^agents\.md$|^claude\.md$/i, "notes for agents"],
  [/^(?:package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml|build\.gradle)/i, "manifest"],
  [/(?:-lock\.(?:json|yaml)|\.lockb?|go\.sum)$/i, "locked dependencies"],
  [/^(?:makefile|dockerfile|justfile|cmakelists\.txt)/i, "build instructions"],
  [/^\.git(?:ignore|attributes|modules)$/i, "settings for git"],
  [/config\.\w+$|^tsconfig|^\..*rc(?:\.\w+)?$|^\.editorconfig$/i, "settings"],
];

export function describeProject(seen: SeenProject): string {
  const { facts, manifest } = seen;
  const name = manifest.name ?? seen.heading ?? (facts.folder || "This directory");
  const about = seen.paragraph || manifest.description || "";
  const source = seen.paragraph ? seen.readmeName : seen.manifestName;
  return paragraphs(
    `**${plainText(name)}**${gitSummary(facts)}`,
    about === ""
      ? "Nothing here says what it is: I found no introduction that my rules can read."
      : prose(`${clip(plainText(about), PARAGRAPH_COLUMNS)} (from ${inlineCode(source ?? "")})`),
    layout(seen),
    languages(facts),
    commits(facts),
    "Next, try:",
    bullets(suggestions(seen).map((each) => inlineCode(each))),
  );
}

function gitSummary({ folder, branch, trackedFiles }: ProjectFacts): string {
  if (branch === undefined) return folder === "" ? "" : " · not a git repository";
  return ` · git branch ${inlineCode(branch)} · ${count(trackedFiles ?? 0, "tracked file")}`;
}

/** The listing may be cut per folder, so what the file count saw at the top is added. */
function layout({ listed, facts }: SeenProject): string {
  const files = new Map(facts.top.map((each) => [each.name, each.files]));
  const names = new Set([
    ...listed.map((entry) => (entry.isDirectory ? `${entry.name}/` : entry.name)),
    ...facts.top.map((each) => each.name),
  ]);
  names.delete(".git/");
  if (names.size === 0) return "The directory is empty.";
  const sorted = [...names].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const rows = sorted.slice(0, SHOWN_ENTRIES).map((name) => {
    const bare = name.replace(/\/$/, "");
    const meaning = MEANINGS.find(([pattern]) => pattern.test(bare))?.[1];
    const inside = name.endsWith("/") ? String(files.get(name) ?? "") : "";
    return [inlineCode(clip(name, ENTRY_COLUMNS)), inside, meaning ?? languageName(bare)];
  });
  const more = sorted.length - rows.length;
  return paragraphs(
    table([{ title: "Entry" }, { title: "Files", align: "right" }, { title: "Likely" }], rows),
    more > 0 ? `… and ${more} more.` : "",
  );
}

/** Folders, then files, then what is hidden. */
function rank(name: string): string {
  const group = name.startsWith(".") ? 2 : name.endsWith("/") ? 0 : 1;
  return `${group}${name.toLowerCase()}`;
}

function languageName(fileName: string): string {
  return languageOfExtension(/.\.([^.]+)$/.exec(fileName)?.[1] ?? "")?.name ?? "";
}

function languages({ extensions }: ProjectFacts): string {
  const byLanguage = new Map<string, number>();
  for (const { name, files } of extensions) {
    const language = languageOfExtension(name)?.name;
    if (language !== undefined) byLanguage.set(language, (byLanguage.get(language) ?? 0) + files);
  }
  const most = [...byLanguage].sort((a, b) => b[1] - a[1]).slice(0, SHOWN_LANGUAGES);
  if (most.length === 0) return "";
  const [first, ...others] = most.map(([name, files]) => `${name} (${count(files, "file")})`);
  return prose(`Mostly ${first}${others.length === 0 ? "" : `, then ${others.join(", ")}`}.`);
}

function commits({ commits: latest }: ProjectFacts): string {
  if (latest.length === 0) return "";
  const column = Math.max(...latest.map((commit) => commit.hash.length)) + 2;
  const lines = latest.map(
    ({ hash, date, subject }) =>
      `- ${pad(inlineCode(hash), column)} ${date} ${clip(subject, SUBJECT_COLUMNS)}`,
  );
  return paragraphs("Last commits:", lines.join("\n"));
}

function suggestions({ listed, readmeName, manifestName, manifest }: SeenProject): string[] {
  const file = readmeName ?? manifestName ?? listed.find((entry) => !entry.isDirectory)?.name;
  const tests =
    manifestName && manifest.hasTests !== false ? testCommandOf(manifestName) : undefined;
  return [
    file === undefined ? "help" : `explain ${file}`,
    tests === undefined ? "find main" : `run ${tests}`,
  ];
}
