// The languages whose syntax Tau knows, as data: how their files are recognised and where
// their grammar comes from. A new language is a row here and a dependency.

export interface LanguageRow {
  /** The one name used in results. */
  name: string;
  aliases: readonly string[];
  /** Lower case, without the dot. */
  extensions: readonly string[];
  /** Whole names of files without a telling extension. */
  fileNames?: readonly string[];
  /** Programs in a `#!` line, without version digits. */
  interpreters?: readonly string[];
  grammar: BuiltInGrammar | PackagedGrammar;
  /**
   * Places where a pattern is code, tried in this order; `PATTERN` marks the spot. The bare
   * pattern comes first unless the row says otherwise.
   */
  patternContexts?: readonly string[];
  /** Tried before them for what begins like a member; elsewhere it would read as a local one. */
  memberContext?: string;
  /** `$NAME` is code of the language too, so a template may write one that is no capture. */
  dollarIsCode?: true;
}

export interface BuiltInGrammar {
  builtIn: "Html" | "Css" | "JavaScript" | "TypeScript" | "Tsx";
}

export interface PackagedGrammar {
  package: string;
  /** The function of the shared library that hands out the grammar. */
  symbol: string;
  /** Stands in for `$` where the grammar would not take `$NAME` as a name. */
  expando: string;
}

export const PATTERN_SPOT = "PATTERN";

function packaged(name: string, expando: string, symbol = name): PackagedGrammar {
  return { package: `@ast-grep/lang-${name}`, symbol: `tree_sitter_${symbol}`, expando };
}

export const LANGUAGES: readonly LanguageRow[] = [
  {
    name: "bash",
    aliases: ["sh", "shell", "zsh", "ksh"],
    extensions: ["sh", "bash", "zsh", "ksh", "bats"],
    fileNames: [".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zprofile"],
    interpreters: ["sh", "bash", "zsh", "ksh", "dash"],
    grammar: packaged("bash", "$"),
    dollarIsCode: true,
  },
  {
    name: "c",
    aliases: [],
    extensions: ["c"],
    grammar: packaged("c", "_"),
    patternContexts: ["void f() { PATTERN }", "void f() { PATTERN; }", PATTERN_SPOT],
  },
  {
    name: "cpp",
    aliases: ["c++", "cc", "cxx"],
    // C++ takes nearly all of C, and a header does not say which of the two it is.
    extensions: ["cpp", "cc", "cxx", "c++", "h", "hpp", "hh", "hxx", "cu", "ino"],
    grammar: packaged("cpp", "_"),
    patternContexts: ["void f() { PATTERN }", "void f() { PATTERN; }", PATTERN_SPOT],
  },
  {
    name: "csharp",
    aliases: ["cs", "c#"],
    extensions: ["cs", "csx"],
    grammar: packaged("csharp", "µ", "c_sharp"),
    patternContexts: [PATTERN_SPOT, "class A { void F() { PATTERN; } }", "class A { PATTERN }"],
    memberContext: "class A { PATTERN }",
  },
  {
    name: "css",
    aliases: [],
    extensions: ["css"],
    grammar: { builtIn: "Css" },
    patternContexts: [PATTERN_SPOT, "a { PATTERN }"],
  },
  {
    name: "dart",
    aliases: [],
    extensions: ["dart"],
    interpreters: ["dart"],
    grammar: packaged("dart", "$"),
    dollarIsCode: true,
    // A call is no node of its own in this grammar; it is one as a statement.
    patternContexts: ["f() { PATTERN }", PATTERN_SPOT],
  },
  {
    name: "elixir",
    aliases: ["ex"],
    extensions: ["ex", "exs"],
    interpreters: ["elixir"],
    grammar: packaged("elixir", "µ"),
  },
  {
    name: "go",
    aliases: ["golang"],
    extensions: ["go"],
    grammar: packaged("go", "µ"),
    patternContexts: ["package p\nfunc f() { PATTERN }", PATTERN_SPOT, "package p\nPATTERN"],
  },
  {
    name: "haskell",
    aliases: ["hs"],
    extensions: ["hs"],
    interpreters: ["runhaskell", "runghc"],
    grammar: packaged("haskell", "µ"),
    patternContexts: ["f = PATTERN", PATTERN_SPOT],
  },
  {
    name: "html",
    aliases: ["htm"],
    extensions: ["html", "htm", "xhtml"],
    grammar: { builtIn: "Html" },
  },
  {
    name: "java",
    aliases: [],
    extensions: ["java"],
    grammar: packaged("java", "$"),
    patternContexts: [PATTERN_SPOT, "class A { void f() { PATTERN; } }", "class A { PATTERN }"],
  },
  {
    name: "javascript",
    aliases: ["js", "jsx", "node"],
    extensions: ["js", "jsx", "mjs", "cjs"],
    interpreters: ["node", "nodejs"],
    grammar: { builtIn: "JavaScript" },
    patternContexts: [PATTERN_SPOT, "class A { PATTERN }", "({ PATTERN })"],
  },
  {
    name: "json",
    aliases: ["jsonc"],
    extensions: ["json", "jsonc", "webmanifest"],
    fileNames: [".babelrc", ".eslintrc"],
    grammar: packaged("json", "$"),
    patternContexts: [PATTERN_SPOT, "{ PATTERN }"],
  },
  {
    name: "kotlin",
    aliases: ["kt"],
    extensions: ["kt", "kts", "ktm"],
    interpreters: ["kotlin"],
    grammar: packaged("kotlin", "µ"),
    dollarIsCode: true,
    patternContexts: [PATTERN_SPOT, "class A { PATTERN }"],
  },
  {
    name: "lua",
    aliases: [],
    extensions: ["lua"],
    interpreters: ["lua", "luajit"],
    grammar: packaged("lua", "$"),
    patternContexts: [PATTERN_SPOT, "x = PATTERN"],
  },
  {
    name: "markdown",
    aliases: ["md"],
    extensions: ["md", "markdown", "mdx"],
    grammar: packaged("markdown", "$"),
    dollarIsCode: true,
  },
  {
    name: "php",
    aliases: [],
    extensions: ["php", "phtml"],
    interpreters: ["php"],
    grammar: packaged("php", "µ"),
    dollarIsCode: true,
    patternContexts: ["<?php PATTERN", "<?php PATTERN;", "<?php class A { PATTERN }"],
  },
  {
    name: "python",
    aliases: ["py", "python3"],
    extensions: ["py", "pyi", "pyw", "bzl", "star"],
    fileNames: ["SConstruct", "SConscript", "BUILD.bazel", "WORKSPACE.bazel"],
    interpreters: ["python", "pypy", "uv"],
    grammar: packaged("python", "µ"),
  },
  {
    name: "ruby",
    aliases: ["rb"],
    extensions: ["rb", "rbw", "rake", "gemspec", "ru"],
    fileNames: ["Gemfile", "Rakefile", "Podfile", "Vagrantfile", "Brewfile"],
    interpreters: ["ruby", "jruby"],
    grammar: packaged("ruby", "µ"),
  },
  {
    name: "rust",
    aliases: ["rs"],
    extensions: ["rs"],
    grammar: packaged("rust", "µ"),
    patternContexts: [PATTERN_SPOT, "fn f() { PATTERN }", "impl A { PATTERN }"],
  },
  {
    name: "scala",
    aliases: [],
    extensions: ["scala", "sc", "sbt"],
    interpreters: ["scala"],
    grammar: packaged("scala", "$"),
    dollarIsCode: true,
    patternContexts: [PATTERN_SPOT, "object A { PATTERN }"],
  },
  { name: "sql", aliases: [], extensions: ["sql"], grammar: packaged("sql", "_") },
  {
    name: "swift",
    aliases: [],
    extensions: ["swift"],
    interpreters: ["swift"],
    grammar: packaged("swift", "µ"),
    patternContexts: [PATTERN_SPOT, "class A { PATTERN }"],
  },
  {
    name: "toml",
    aliases: [],
    extensions: ["toml"],
    fileNames: ["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"],
    grammar: packaged("toml", "_"),
  },
  {
    name: "tsx",
    aliases: [],
    extensions: ["tsx"],
    grammar: { builtIn: "Tsx" },
    patternContexts: [PATTERN_SPOT, "class A { PATTERN }", "({ PATTERN })"],
  },
  {
    name: "typescript",
    aliases: ["ts"],
    extensions: ["ts", "mts", "cts"],
    interpreters: ["bun", "deno", "tsx", "ts-node"],
    grammar: { builtIn: "TypeScript" },
    patternContexts: [
      PATTERN_SPOT,
      "class A { PATTERN }",
      "({ PATTERN })",
      "interface A { PATTERN }",
    ],
  },
  {
    name: "yaml",
    aliases: ["yml"],
    extensions: ["yaml", "yml"],
    fileNames: [".clang-format", ".clang-tidy"],
    grammar: packaged("yaml", "$"),
    dollarIsCode: true,
  },
];
