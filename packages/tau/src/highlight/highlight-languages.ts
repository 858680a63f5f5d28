// The languages that are coloured: what they are called in fences and which files are theirs.
// A row more is a language more; its parser is loaded when the first code of it comes.

import type { StreamParser } from "@codemirror/streamparser";

type WordLanguageName = Exclude<keyof typeof import("./word-parsers.ts"), "wordParser">;

/** Each parser keeps a state of its own kind; nobody else looks into it. */
export type LanguageParser = StreamParser<unknown>;

export interface HighlightRow {
  /** The one name used here. */
  name: string;
  /** Other names in fences, and the endings of files. Lower case. */
  aliases: readonly string[];
  /** Whole names of files, in lower case. */
  fileNames?: readonly string[];
  load(): Promise<LanguageParser>;
}

const row = (
  name: string,
  aliases: string,
  load: () => Promise<LanguageParser>,
  fileNames = "",
): HighlightRow => ({
  name,
  aliases: aliases === "" ? [] : aliases.split(" "),
  fileNames: fileNames === "" ? undefined : fileNames.split(" "),
  load,
});

const clike = () => import("@codemirror/legacy-modes/mode/clike");
const script = () => import("@codemirror/legacy-modes/mode/javascript");
const styles = () => import("@codemirror/legacy-modes/mode/css");
const markup = () => import("@codemirror/legacy-modes/mode/xml");
const byWords = async (name: WordLanguageName): Promise<LanguageParser> => {
  const parsers = await import("./word-parsers.ts");
  return parsers.wordParser(parsers[name]);
};
const ml = () => import("@codemirror/legacy-modes/mode/mllike");

export const HIGHLIGHT_ROWS: readonly HighlightRow[] = [
  row("typescript", "ts tsx mts cts", async () => (await script()).typescript),
  row("javascript", "js jsx mjs cjs node", async () => (await script()).javascript),
  row("json", "jsonc json5 jsonl webmanifest", async () => (await script()).json, ".prettierrc"),
  row(
    "python",
    "py python3 pyi pyw bzl star",
    async () => (await import("@codemirror/legacy-modes/mode/python")).python,
  ),
  row(
    "shell",
    "sh bash zsh ksh bats console shellsession",
    async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
    ".bashrc .zshrc .profile .envrc",
  ),
  row(
    "rust",
    "rs",
    async () => (await import("@codemirror/legacy-modes/mode/rust")).rust as LanguageParser,
  ),
  row("go", "golang", async () => (await import("@codemirror/legacy-modes/mode/go")).go),
  row("c", "h", async () => (await clike()).c),
  row("cpp", "c++ cc cxx hpp hh hxx cu ino", async () => (await clike()).cpp),
  row("csharp", "cs c# csx", async () => (await clike()).csharp),
  row("java", "", async () => (await clike()).java),
  row("kotlin", "kt kts", async () => (await clike()).kotlin),
  row("scala", "sc sbt", async () => (await clike()).scala),
  row("dart", "", async () => (await clike()).dart),
  row("objective-c", "objc objectivec m mm", async () => (await clike()).objectiveC),
  row("glsl", "hlsl frag vert shader", async () => (await clike()).shader),
  row("php", "phtml", async () => (await import("./php-parser.ts")).loadPhp()),
  row("css", "", async () => (await styles()).css),
  row("scss", "sass", async () => (await styles()).sCSS),
  row("less", "", async () => (await styles()).less),
  row("html", "htm xhtml vue svelte", async () => (await markup()).html),
  row("xml", "svg xsl xsd plist csproj", async () => (await markup()).xml),
  row(
    "yaml",
    "yml",
    async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml,
    ".clang-format",
  ),
  row(
    "toml",
    "",
    async () => (await import("@codemirror/legacy-modes/mode/toml")).toml,
    "cargo.lock poetry.lock",
  ),
  row(
    "ini",
    "properties cfg conf env editorconfig",
    async () => (await import("@codemirror/legacy-modes/mode/properties")).properties,
    ".gitconfig .npmrc .editorconfig .env",
  ),
  row(
    "sql",
    "mysql postgres postgresql sqlite psql",
    async () => (await import("@codemirror/legacy-modes/mode/sql")).pgSQL,
  ),
  row(
    "ruby",
    "rb rake gemspec ru",
    async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby,
    "gemfile rakefile",
  ),
  row("swift", "", async () => (await import("@codemirror/legacy-modes/mode/swift")).swift),
  row("lua", "", async () => (await import("@codemirror/legacy-modes/mode/lua")).lua),
  row("perl", "pl pm", async () => (await import("@codemirror/legacy-modes/mode/perl")).perl),
  row("r", "", async () => (await import("@codemirror/legacy-modes/mode/r")).r),
  row("julia", "jl", async () => (await import("@codemirror/legacy-modes/mode/julia")).julia),
  row("haskell", "hs", async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell),
  row(
    "clojure",
    "clj cljs cljc edn",
    async () => (await import("@codemirror/legacy-modes/mode/clojure")).clojure,
  ),
  row(
    "scheme",
    "scm racket rkt",
    async () => (await import("@codemirror/legacy-modes/mode/scheme")).scheme,
  ),
  row(
    "lisp",
    "commonlisp common-lisp el elisp cl",
    async () => (await import("@codemirror/legacy-modes/mode/commonlisp")).commonLisp,
  ),
  row(
    "erlang",
    "erl hrl",
    async () => (await import("@codemirror/legacy-modes/mode/erlang")).erlang,
  ),
  row("ocaml", "ml mli", async () => (await ml()).oCaml),
  row("fsharp", "fs f# fsx", async () => (await ml()).fSharp),
  row("elm", "", async () => (await import("@codemirror/legacy-modes/mode/elm")).elm),
  row(
    "groovy",
    "gradle",
    async () => (await import("@codemirror/legacy-modes/mode/groovy")).groovy,
    "jenkinsfile",
  ),
  row(
    "powershell",
    "ps1 psm1 pwsh",
    async () => (await import("@codemirror/legacy-modes/mode/powershell")).powerShell,
  ),
  row(
    "dockerfile",
    "docker containerfile",
    async () =>
      (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile as LanguageParser,
    "dockerfile containerfile",
  ),
  row("diff", "patch", async () => (await import("@codemirror/legacy-modes/mode/diff")).diff),
  row(
    "cmake",
    "",
    async () => (await import("@codemirror/legacy-modes/mode/cmake")).cmake,
    "cmakelists.txt",
  ),
  row(
    "nginx",
    "",
    async () => (await import("@codemirror/legacy-modes/mode/nginx")).nginx,
    "nginx.conf",
  ),
  row(
    "protobuf",
    "proto",
    async () => (await import("@codemirror/legacy-modes/mode/protobuf")).protobuf,
  ),
  row(
    "latex",
    "tex sty bib",
    async () => (await import("@codemirror/legacy-modes/mode/stex")).stex,
  ),
  row(
    "pascal",
    "pas delphi",
    async () => (await import("@codemirror/legacy-modes/mode/pascal")).pascal,
  ),
  row(
    "fortran",
    "f90 f95 f03",
    async () => (await import("@codemirror/legacy-modes/mode/fortran")).fortran,
  ),
  row(
    "verilog",
    "sv systemverilog svh",
    async () => (await import("@codemirror/legacy-modes/mode/verilog")).verilog,
  ),
  row("vhdl", "vhd", async () => (await import("@codemirror/legacy-modes/mode/vhdl")).vhdl),
  row(
    "wat",
    "wast",
    async () => (await import("@codemirror/legacy-modes/mode/wast")).wast as LanguageParser,
  ),
  row("elixir", "ex exs", () => byWords("ELIXIR")),
  row("makefile", "make mk", () => byWords("MAKEFILE"), "makefile gnumakefile justfile"),
  row("zig", "zon", () => byWords("ZIG")),
  row("nix", "", () => byWords("NIX")),
  row("hcl", "tf tfvars terraform", () => byWords("HCL")),
  row("graphql", "gql", () => byWords("GRAPHQL")),
  row("markdown", "md mdx", () => byWords("MARKDOWN")),
  row("asm", "s gas nasm", async () => (await import("@codemirror/legacy-modes/mode/gas")).gas),
];

const byName = new Map<string, HighlightRow>();
const byFileName = new Map<string, HighlightRow>();
for (const one of HIGHLIGHT_ROWS) {
  for (const name of [one.name, ...one.aliases]) byName.set(name, one);
  for (const name of one.fileNames ?? []) byFileName.set(name, one);
}

/** What stands behind a fence may be anything; names are short. In UTF-16 units. */
const MAX_NAME_UNITS = 100;

/** By what people write behind a fence: a name, an alias or an ending, in any case. */
export function findHighlightRow(language: string): HighlightRow | undefined {
  // `ts title="a.ts"` and `{.python}` are written, too.
  const word = /[^\s,{}]+/.exec(language.slice(0, MAX_NAME_UNITS))?.[0] ?? "";
  return byName.get(word.toLowerCase().replace(/^\./, ""));
}

/** The name under which a file's language is coloured; undefined where it is not known. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const known = byFileName.get(name.toLowerCase());
  if (known) return known.name;
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : byName.get(name.slice(dot + 1).toLowerCase())?.name;
}
