// Consoles: programs that take code of a language on their input or behind an option, among them those of
// web frameworks (`python manage.py shell`, `php artisan tinker`, `rails console`). What flows in is judged
// as if the language itself were given it.

import { noteClosedCode } from "../closed-code/judge-closed.ts";
import type { CommandCall } from "../command-call.ts";
import { knownField } from "../field.ts";
import { noteCode, noteWords } from "../note-code.ts";
import { newText } from "../note-written.ts";
import { LOSING } from "./console-languages.ts";
import { valuesAfter } from "./editor-languages.ts";
import { judgeForeignCode } from "./inline-code.ts";

/** `models`: the project's own classes, in a framework's console. */
type ConsoleLanguage = "python" | "javascript" | "ruby" | "php" | "models" | "other";

interface Console {
  names: RegExp;
  /** Against the words after the name; whatever they are if it is missing. */
  words?: RegExp;
  language: ConsoleLanguage;
  /** Options whose value is code. */
  code?: RegExp;
}

const CONSOLES: readonly Console[] = [
  {
    names: /^(?:ipython3?|bpython3?|ptpython3?|ptipython|sage|xonsh)$/,
    language: "python",
    code: /^(?:-c|--c|--cmd|--command|--InteractiveShellApp\.(?:code_to_run|exec_lines))$/,
  },
  {
    names: /^(?:python[\d.]*|pypy[\d.]*|manage\.py|django-admin|uv|poetry|pipenv|pdm|hatch|rye)$/,
    words: /(?:^| )(?:\S*manage\.py |django-admin |)shell(?:_plus)?(?: |$)/,
    language: "python",
    code: /^(?:-c|--command)$/,
  },
  { names: /^(?:flask|scrapy)$/, words: /(?:^| )shell(?: |$)/, language: "python", code: /^-c$/ },
  { names: /^jupyter(?:-console)?$/, words: /^(?:console)?/, language: "python" },
  {
    names: /^(?:rails|bin\/rails|bundle|hanami|spring)$/,
    words: /(?:^| )(?:console|c|runner -)(?: |$)/,
    language: "models",
  },
  { names: /^rake$/, language: "ruby", code: /^(?:-e|-E|-p|--execute|--execute-\w+)$/ },
  { names: /^php[\d.]*$/, words: /^(?:-a|--interactive)\b/, language: "php" },
  { names: /^(?:php|artisan|sail)$/, words: /(?:^| )tinker(?: |$)/, language: "models" },
  { names: /^(?:sbtx?|sbtn|mill|bloop)$/, words: /\bconsole\w*\b/, language: "other" },
  {
    names:
      /^(?:scala|scala-cli|amm|gap|gforth|gsi|gosh|chez|scheme|gprolog|erl|iex|apl|dyalog|sml|poly|coqtop|idris2?|agda|lfe|rebar3)$/,
    language: "other",
    code: /^(?:-e|-c|-eval|--eval|--code)$/,
  },
  { names: /^lein$/, words: /\brepl\b/, language: "other" },
];

export function judgeConsoleCode(call: CommandCall, language: ConsoleLanguage, code: string): void {
  switch (language) {
    case "python":
      return noteCode({ ...call, name: "python3" }, code.replace(/^\s*%(?!%)/gm, ""));
    case "javascript":
      return noteCode({ ...call, name: "node" }, code);
    case "models":
      noteWords(call, code);
      if (LOSING.test(code))
        call.effects.unknown.push("its script may delete, write or run something");
      return;
    case "other":
      return judgeForeignCode(call, knownField(code));
    case "php":
      return void noteClosedCode(call, language, /<\?php/.test(code) ? code : `<?php ${code}`);
    default:
      return void noteClosedCode(call, language, code);
  }
}

const FILE = /\.(?:py|rb|php|scala|sc|erl|exs?|g|fs|scm|ss|pl|sml|v|lhs|clj)$/;

export function judgeConsoleInput(call: CommandCall): void {
  const { name, args, input, effects } = call;
  const words = args.map(({ text, prefix }) => text ?? prefix);
  for (const { names, words: wanted, language, code } of CONSOLES) {
    if (!names.test(name) || (wanted && !wanted.test(words.join(" ")))) continue;
    const codes = code ? valuesAfter(args, code) : [];
    for (const { text, isDownload } of codes) {
      if (isDownload) effects.downloadsAndExecutes = true;
      else if (text === undefined) effects.unknown.push("its script is only known when it runs");
      else judgeConsoleCode(call, language, text);
    }
    const hasFile = !wanted && words.some((word) => FILE.test(word));
    const isOnlyOption = !wanted && codes.length > 0;
    if (hasFile || isOnlyOption || (code && !wanted && name === "rake")) continue;
    const text = input.text ?? newText(call, input.file);
    if (input.isDownload) effects.downloadsAndExecutes = true;
    else if (text !== undefined && input.isPresent) judgeConsoleCode(call, language, text);
    else if (input.isPresent && !input.file)
      effects.unknown.push("its script comes from elsewhere");
  }
}
