// What the demo knows about file types: their names, and for those it can outline, how a
// line looks that imports or defines something. Each pattern names what it found `name`.
// They are meant for lines of bounded length (see outline.ts), not for whole files.

export interface Language {
  name: string;
  /** Begins a line comment, where the language has one. */
  comment?: string;
  imports?: readonly RegExp[];
  definitions?: readonly RegExp[];
  /** Tried only where `definitions` found nothing. */
  otherwise?: readonly RegExp[];
  /** Nesting is only visible in the indentation: keep what is indented least. */
  leastIndent?: boolean;
}

const SCRIPT: Omit<Language, "name"> = {
  comment: "//",
  imports: [
    /^(?:import|export)\b.*?\bfrom\s*["'](?<name>[^"']+)["']/,
    /^\}\s*from\s*["'](?<name>[^"']+)["']/,
    /^import\s*["'](?<name>[^"']+)["']/,
    /^(?:const|let|var)\b.*?\brequire\(\s*["'](?<name>[^"']+)["']/,
  ],
  definitions: [
    /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|interface|type|enum|namespace)\s+(?<name>[\w$]+)/,
    /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+(?<name>[\w$]+)(?!.*\brequire\()/,
    /^(?<name>export\s+default)\b/,
    /^(?:module\.)?exports\.(?<name>\w+)\s*=/,
  ],
};

const C_FAMILY: Omit<Language, "name"> = {
  comment: "//",
  imports: [/^#\s*include\s*[<"](?<name>[^>"]+)[>"]/],
  definitions: [
    /^#\s*define\s+(?<name>\w+)/,
    /^(?:typedef\s+)?(?:struct|enum(?:\s+class)?|union|class|namespace)\s+(?<name>\w+)/,
    /^(?!return\b|else\b|typedef\b|using\b)(?:[\w:<>,*&]+\s+)+[*&]*(?<name>[\w:~]+)\s*\([^;]*$/,
  ],
};

const JVM_FAMILY: Omit<Language, "name"> = {
  comment: "//",
  imports: [/^(?:import|using)\s+(?:static\s+)?(?<name>[\w.*]+)\s*;?$/],
  definitions: [
    /^\s{0,4}(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open)\s+)*(?:class|interface|enum|record|object|fun)\s+(?<name>\w+)/,
    /^\s{2,4}(?:(?:public|private|protected|internal|static|final|abstract|override|async)\s+)+(?:[\w<>[\].?]+\s+)*(?<name>\w+)\s*\(/,
  ],
};

const OUTLINED: Readonly<Record<string, Language>> = {
  "ts tsx mts cts": { name: "TypeScript", ...SCRIPT },
  "js jsx mjs cjs": { name: "JavaScript", ...SCRIPT },
  "py pyi": {
    name: "Python",
    comment: "#",
    imports: [/^import\s+(?<name>[\w.]+)/, /^from\s+(?<name>[\w.]+)\s+import\b/],
    definitions: [
      /^(?:async\s+)?(?:def|class)\s+(?<name>\w+)/,
      /^(?<name>[A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=/,
    ],
  },
  rs: {
    name: "Rust",
    comment: "//",
    imports: [/^(?:pub\s+)?use\s+(?<name>[\w:]+)/],
    definitions: [
      /^(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern\s+"[^"]*")\s+)*(?:fn|struct|enum|trait|type|mod|union|static|const|macro_rules!)\s+(?:mut\s+)?(?<name>\w+)/,
      /^(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s*(?<name>\w+)/,
    ],
  },
  go: {
    name: "Go",
    comment: "//",
    imports: [/^import\s+(?:\w+\s+)?"(?<name>[^"]+)"/, /^\t(?:[\w.]+\s+)?"(?<name>[\w./-]+)"$/],
    definitions: [/^func\s+(?:\([^)]*\)\s*)?(?<name>\w+)/, /^(?:type|var|const)\s+(?<name>\w+)/],
  },
  "c h": { name: "C", ...C_FAMILY },
  "cc cpp cxx hh hpp hxx": { name: "C++", ...C_FAMILY },
  java: { name: "Java", ...JVM_FAMILY },
  cs: { name: "C#", ...JVM_FAMILY },
  "kt kts": { name: "Kotlin", ...JVM_FAMILY },
  "sh bash zsh": {
    name: "Shell",
    comment: "#",
    imports: [/^(?:source|\.)\s+(?<name>\S+)/],
    definitions: [
      /^(?:function\s+)?(?<name>[\w-]+)\s*\(\)/,
      /^function\s+(?<name>[\w-]+)/,
      /^(?:export\s+|readonly\s+)?(?<name>[A-Z_][A-Z0-9_]*)=/,
    ],
  },
  "md markdown": { name: "Markdown", definitions: [/^#{1,6}\s+(?<name>.*\S)/] },
  "json jsonc": { name: "JSON", definitions: [/^\s*"(?<name>[^"]+)"\s*:/], leastIndent: true },
  "yml yaml": { name: "YAML", comment: "#", definitions: [/^(?<name>[\w."'/-]+)\s*:(?:\s|$)/] },
  toml: {
    name: "TOML",
    comment: "#",
    definitions: [/^\[+(?<name>[^\]]+)\]+/],
    otherwise: [/^(?<name>[\w."-]+)\s*=/],
  },
};

/** Counted and named, but not outlined. */
const NAMED: Readonly<Record<string, string>> = {
  css: "CSS",
  scss: "SCSS",
  html: "HTML",
  htm: "HTML",
  vue: "Vue",
  svelte: "Svelte",
  rb: "Ruby",
  php: "PHP",
  swift: "Swift",
  m: "Objective-C",
  scala: "Scala",
  clj: "Clojure",
  ex: "Elixir",
  exs: "Elixir",
  erl: "Erlang",
  hs: "Haskell",
  ml: "OCaml",
  lua: "Lua",
  pl: "Perl",
  r: "R",
  jl: "Julia",
  dart: "Dart",
  zig: "Zig",
  nim: "Nim",
  sql: "SQL",
  xml: "XML",
  svg: "SVG",
  txt: "text",
  rst: "reStructuredText",
  ps1: "PowerShell",
  tf: "Terraform",
  proto: "Protobuf",
  ipynb: "Jupyter",
  csv: "CSV",
};

const BY_EXTENSION = new Map<string, Language>();
for (const [extensions, language] of Object.entries(OUTLINED)) {
  for (const extension of extensions.split(" ")) BY_EXTENSION.set(extension, language);
}
for (const [extension, name] of Object.entries(NAMED)) BY_EXTENSION.set(extension, { name });

export function languageOfExtension(extension: string): Language | undefined {
  return BY_EXTENSION.get(extension.toLowerCase());
}

/** By the program that a script names in its first line. */
export function languageOfScript(firstLine: string): Language | undefined {
  const program = /^#!.*?\b(sh|bash|zsh|python|node|bun)[\d.]*(?:\s|$)/.exec(firstLine)?.[1];
  if (program === undefined) return undefined;
  const extension = program === "python" ? "py" : /^(?:node|bun)$/.test(program) ? "js" : "sh";
  return BY_EXTENSION.get(extension);
}

export function languageOf(path: string): Language | undefined {
  return languageOfExtension(/\.([^./\\]+)$/.exec(path)?.[1] ?? "");
}
