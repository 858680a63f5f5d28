// Programs that are harmless but for the files that they are told to write. One row a program:
// which of its options take a value, and which of these values, or which operands, are written.

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { judgeSqlFiles } from "./database-programs.ts";
import { knownField, type Field } from "../field.ts";
import {
  judgeCommandsIn,
  judgeGuardedOperands,
  judgeOutputs,
  judgePrintedFiles,
  judgeProgramOptions,
  judgeTails,
} from "../judge-unknown.ts";
import { isOwnMachine } from "../own-machine.ts";

interface OutputRow {
  /** Options that take a value, without dashes; those of `writes`, `deletes` and `runs` are added. */
  valued?: string;
  writes?: string;
  /** Values that are command lines. */
  runs?: string;
  /** Operands that are written: the last, the first, the second, or all of them. */
  operands?: "last" | "first" | "second" | "all";
  /** Only with one of these options. */
  onlyWith?: string;
  /** The same by its words. */
  actsOn?: RegExp;
  /** With one of these it deletes what it reads. */
  deletesWith?: string;
  /** With such an argument what it packs is gone. */
  deletesOperandsWith?: RegExp;
  network?: boolean;
  /** Options of one dash with a name of several letters, as `openssl -out`. */
  isLongWithOneDash?: boolean;
}

const COMPILER: OutputRow = {
  valued: "I L l D U include x std W f m MF MT MQ isystem B",
  writes: "o MF",
};
const FORMATTER: OutputRow = { operands: "all", valued: "c config stdin-filename" };
const EDITOR: OutputRow = { operands: "all", valued: "c cmd u U S", runs: "c cmd" };
const IMAGE: OutputRow = { operands: "last", isLongWithOneDash: true };

const ROWS: Readonly<Record<string, OutputRow>> = {
  gcc: COMPILER,
  "g++": COMPILER,
  cc: COMPILER,
  "c++": COMPILER,
  clang: COMPILER,
  "clang++": COMPILER,
  ld: { writes: "o Map" },
  as: { writes: "o" },
  ar: { operands: "second" },
  strip: { operands: "all", writes: "o" },
  objcopy: { operands: "last" },
  rustc: { writes: "o out-dir", valued: "C L l emit crate-type edition" },
  tsc: {
    writes: "outDir outFile declarationDir tsBuildInfoFile generateTrace generateCpuProfile",
    valued: "p project target module lib",
    isLongWithOneDash: true,
  },
  esbuild: { writes: "outfile outdir", valued: "format target platform" },
  protoc: { writes: "o cpp_out python_out java_out go_out js_out ts_out descriptor_set_out" },
  cmake: { writes: "B prefix build install", valued: "S G D target P j" },
  ffmpeg: {
    operands: "last",
    isLongWithOneDash: true,
    valued: "i f t ss to vf af c b r s map codec filter_complex preset crf vcodec acodec",
  },
  convert: IMAGE,
  magick: IMAGE,
  mogrify: { operands: "all", valued: "path", writes: "path", isLongWithOneDash: true },
  "rsvg-convert": { writes: "o output" },
  inkscape: { writes: "o export-filename" },
  sox: { operands: "last" },
  lame: { operands: "last" },
  cwebp: { writes: "o" },
  gs: { writes: "sOutputFile", isLongWithOneDash: true },
  pdftotext: { operands: "last" },
  pdftk: { operands: "last" },
  qpdf: { operands: "last" },
  wkhtmltopdf: { operands: "last", network: true },
  pandoc: { writes: "o output extract-media log", runs: "F filter L lua-filter pdf-engine" },
  dot: { writes: "o" },
  mmdc: { writes: "o output" },
  xmllint: { writes: "o output" },
  xsltproc: { writes: "o output" },
  tidy: { writes: "o output f", operands: "all", onlyWith: "m modify" },
  mlr: {
    valued: "from ifs ofs fs irs ors icsv-ofs nr-progress-mod",
    writes: "tee split-prefix",
    operands: "all",
    onlyWith: "I",
  },
  openssl: {
    writes: "out keyout CAkeyout writerand outform_file sigopt_out",
    valued: "in key CAfile days subj newkey config passin passout connect",
    isLongWithOneDash: true,
  },
  gpg: {
    writes: "o output",
    valued: "u r recipient local-user",
    deletesWith:
      "delete-keys delete-secret-keys delete-key delete-secret-key import fast-import receive-keys recv-keys edit-key gen-key generate-key full-generate-key quick-generate-key gen-revoke import-ownertrust sign-key lsign-key",
  },
  age: { writes: "o output", valued: "r i R" },
  "age-keygen": { writes: "o output" },
  certbot: { network: true },
  mkcert: { writes: "cert-file key-file p12-file", isLongWithOneDash: true },
  sqlite3: {
    operands: "first",
    isLongWithOneDash: true,
    valued: "cmd init separator",
    runs: "cmd",
  },
  pg_dump: { writes: "f file", valued: "h host p port U username d dbname n t F j", network: true },
  pg_dumpall: { writes: "f file", network: true },
  mysqldump: { writes: "r result-file T tab", valued: "h host P port u user p", network: true },
  mongodump: { writes: "o out archive", network: true },
  tcpdump: { writes: "w", valued: "i c s C G r", runs: "z" },
  tshark: { writes: "w", valued: "i c r Y T e" },
  perf: { writes: "o output", valued: "e event F p g" },
  logger: { valued: "t p n f", network: true },
  csplit: { writes: "f prefix", valued: "n b" },
  "7z": { writes: "o", operands: "second", deletesOperandsWith: /^-sdel$/ },
  "7za": { writes: "o", operands: "second", deletesOperandsWith: /^-sdel$/ },
  unrar: { operands: "last" },
  cpio: {
    operands: "last",
    writes: "D directory F O",
    valued: "H",
    onlyWith: "i o p extract create",
  },
  prettier: { ...FORMATTER, onlyWith: "w write" },
  eslint: {
    operands: "all",
    onlyWith: "fix",
    valued: "c config ext rule o output-file f format",
    writes: "o output-file cache-location",
  },
  black: FORMATTER,
  isort: FORMATTER,
  autopep8: { ...FORMATTER, onlyWith: "i in-place" },
  ruff: {
    operands: "all",
    onlyWith: "fix add-noqa unsafe-fixes",
    actsOn: /^format(?!.* --(?:check|diff))/,
    writes: "o output-file",
    valued: "config select ignore",
  },
  rustfmt: FORMATTER,
  gofmt: { operands: "all", onlyWith: "w" },
  goimports: { operands: "all", onlyWith: "w" },
  "clang-format": { operands: "all", onlyWith: "i" },
  shfmt: { operands: "all", onlyWith: "w" },
  dos2unix: FORMATTER,
  unix2dos: FORMATTER,
  rename: FORMATTER,
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  ex: EDITOR,
  ed: { operands: "all", valued: "p" },
  nano: { operands: "all" },
  emacs: { operands: "all", valued: "eval l load f funcall", runs: "eval" },
  screen: { valued: "S c h t T r X" },
  javac: { writes: "d h s", isLongWithOneDash: true },
  kotlinc: { writes: "d", isLongWithOneDash: true },
  scalac: { writes: "d", isLongWithOneDash: true },
  ranlib: { operands: "all" },
  exch: { operands: "all" },
  sass: { operands: "second" },
  lessc: { operands: "second" },
  stow: { writes: "t target", valued: "d dir", operands: undefined },
  patchelf: { operands: "all", valued: "set-rpath set-interpreter" },
  install_name_tool: { operands: "last" },
  setfacl: { operands: "all", valued: "m x modify remove" },
  setfattr: { operands: "all", valued: "n v" },
  chflags: { operands: "all" },
  fallocate: { operands: "all", valued: "l o length offset" },
  mkfile: { operands: "all" },
  mknod: { operands: "first" },
  ctags: { writes: "f o", valued: "R L" },
  gzexe: { operands: "all" },
  exiftool: { operands: "last", writes: "o", isLongWithOneDash: true },
  "yt-dlp": { writes: "o output P paths", network: true },
  "youtube-dl": { writes: "o output", network: true },
  aria2c: { writes: "o out d dir", network: true },
};

function judgeOutput(row: OutputRow): ProgramJudge {
  const { writes = "-", runs = "-", valued = "" } = row;
  return (call) => {
    const { effects, input } = call;
    effects.executes = true;
    if (row.network) effects.network = true;
    const args = row.isLongWithOneDash ? call.args.map(withTwoDashes) : call.args;
    const read = readArguments(args, `${valued} ${writes} ${runs}`);
    const isActing =
      row.onlyWith === undefined ||
      hasAny(read, row.onlyWith) ||
      row.actsOn?.test(args.map(({ text }) => text ?? "?").join(" ")) === true;
    addTargets(call, "overwrites", valuesOf(read, writes).filter(isFile));
    const operands = isActing ? written(read.operands, row.operands) : [];
    addTargets(call, "overwrites", operands.filter(isFile).filter(isKnownHere));
    if (row.deletesWith !== undefined && hasAny(read, row.deletesWith))
      effects.critical.push("changes a keyring");
    for (const { text } of valuesOf(read, runs)) {
      if (text !== undefined) judgeCommandsIn(call, text);
      if (
        /\b(?:delete|writefile|system|systemlist|rename|mkdir|term_start|job_start|libcall)\(/.test(
          text ?? "",
        )
      )
        effects.unknown.push("its script may delete, write or run something");
      // `vim -c 'w! file'`
      const saved = /\b(?:w|write|sav|saveas|up|update|wq)!?\s+(?:>>\s*)?([^\s!|]+)/.exec(
        text ?? "",
      )?.[1];
      if (saved !== undefined)
        addTargets(call, "overwrites", [knownField(saved.replace(/^~(?=\/)/, call.context.home))]);
    }
    for (const { text } of call.args)
      if (text !== undefined && /\s/.test(text)) judgeCommandsIn(call, text);
    if (input.text !== undefined) judgeCommandsIn(call, input.text);
    if (call.args.some(({ text }) => row.deletesOperandsWith?.test(text ?? "")))
      addTargets(call, "deletes", read.operands.slice(2));
    judgeTails(call, call.args);
    judgeOutputs(call);
    judgeProgramOptions(call);
    judgePrintedFiles(call);
    judgeGuardedOperands(call);
    if (call.name === "sqlite3") judgeSqlFiles(call);
    noteStream(call);
    if (call.name === "openssl" && /^s_(?:client|server|time)$/.test(call.args[0]?.text ?? "")) {
      effects.network = true;
      effects.sends = true;
    }
  };
}

const STREAM = /^(?:tcp|udp|rtmps?|rtsps?|srt|https?|s?ftp|tls|icecast|rtp|gopher):\/\//i;

/** A film that goes to somebody, or the logins of a browser. */
function noteStream({ name, args, effects }: CommandCall): void {
  const last = args.at(-1)?.prefix ?? "";
  const isInput = args.at(-2)?.text === "-i";
  if (name === "ffmpeg" && STREAM.test(last) && !isOwnMachine(last) && !isInput) {
    effects.sends = true;
    effects.critical.push("sends a file to another machine");
  }
  const isCookies = args.some(({ text }) => text?.startsWith("--cookies-from-b"));
  if (/^(?:yt-dlp|youtube-dl)$/.test(name) && isCookies) {
    effects.sends = true;
    effects.critical.push("uses the logins of a browser");
  }
}

/** What only the shell knows is a file of the work in all likelihood. */
function isKnownHere({ text }: Field): boolean {
  return text !== undefined;
}

function isFile({ text }: Field): boolean {
  return text !== "-" && !/^[a-z][\w+.-]*:\/\/(?!\/)/i.test(text ?? "");
}

function written(operands: readonly Field[], which: OutputRow["operands"]): readonly Field[] {
  switch (which) {
    case "all":
      return operands;
    case "first":
      return operands.slice(0, 1);
    case "second":
      return operands.slice(1, 2);
    case "last":
      return operands.slice(-1);
    case undefined:
      return [];
  }
}

function withTwoDashes(field: Field): Field {
  return /^-[a-zA-Z]\w/.test(field.text ?? "") ? knownField(`-${field.text}`) : field;
}

export const OUTPUT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.entries(ROWS).map(([name, row]) => [name, judgeOutput(row)] as const),
);
