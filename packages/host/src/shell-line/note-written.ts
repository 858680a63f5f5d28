// Files that the line, or the session before it, has written and that are run now: nobody has read
// what is in them, so that is judged as if it stood in the line. What a project had before is its
// owner's, and is not looked into.

import { posix } from "node:path";
import { targetsOf, type CommandCall, type WrittenContent } from "./command-call.ts";
import { exactText, knownField, type Field } from "./field.ts";
import { judgeCommandsIn, takeOver } from "./judge-unknown.ts";
import { isOwnWriting, isReadBySyntax, noteCode } from "./note-code.ts";
import { noteScript } from "./note-script.ts";
import { isFromElsewhere, noteMoved } from "./note-moved.ts";
import { makefileCommands, packageCommands } from "./project-scripts.ts";

export interface OutputFile {
  path: string;
  /** What it held, if something is appended to it. */
  before: WrittenContent | undefined;
}

/** They change a file in place, in ways that are not followed. */
const EDITORS = /^(?:sed|perl|ruby|awk|gawk|ed|ex|vi|vim|patch|truncate|dd|sponge|split)$/;
const COPIERS = /^(?:cp|mv|install|ln)$/;
/** What they print is a file of the project, with what they are told to change in it. */
const FILTERS = /^(?:jq|yq|sed|awk|gawk|envsubst|cat|sort|grep|head|tail|tr|cut)$/;

/** After a command: what the files that it wrote hold now. */
export function noteWritten(
  call: CommandCall,
  outputs: readonly OutputFile[],
  printed: string | undefined,
): void {
  const { walk, effects, args, input } = call;
  const { written } = walk;
  const name = effects.program ?? "";
  const added: WrittenContent =
    printed === undefined ? filtered(call, name) : { text: printed, isPart: false };
  for (const { path, before } of outputs) {
    const isKnown = before !== "unknown" && added !== "unknown";
    const isPart = isKnown && ((before?.isPart ?? false) || added.isPart);
    written.set(path, isKnown ? { text: (before?.text ?? "") + added.text, isPart } : "unknown");
  }
  if (name === "tee") {
    const content: WrittenContent =
      input.text === undefined ? "unknown" : { text: input.text, isPart: false };
    for (const field of args.filter(({ text }) => text?.startsWith("-") !== true))
      for (const { path } of targetsOf(call, field))
        if (path !== undefined) written.set(path, content);
  }
  // `dd of=x`, `install /dev/stdin x`
  if (input.text !== undefined && /^(?:dd|install|cp|sponge)$/.test(name)) {
    const isInput =
      name === "dd" || name === "sponge" || args.some(({ text }) => text === "/dev/stdin");
    for (const { path } of isInput ? effects.overwrites : [])
      if (path !== undefined) written.set(path, { text: input.text, isPart: false });
    return;
  }
  noteMoved(call, outputs);
  const pathsOf = (field: Field): string[] =>
    targetsOf(call, field).flatMap(({ path }) => path ?? []);
  if (EDITORS.test(name)) {
    for (const { path } of effects.overwrites)
      if (
        path !== undefined &&
        written.has(path) &&
        !outputs.some((output) => output.path === path)
      )
        written.set(path, "unknown");
  }
  if (!COPIERS.test(name)) return;
  const target = args.at(-1);
  for (const source of args.slice(0, -1)) {
    for (const from of target === undefined ? [] : pathsMeant(call, source)) {
      const content = writtenAt(call, from);
      if (content === undefined || content === "binary") continue;
      for (const to of pathsOf(target!)) {
        written.set(to, content);
        written.set(posix.join(to, posix.basename(from)), content);
      }
    }
  }
}

function filtered(call: CommandCall, name: string): WrittenContent {
  const { args, input } = call;
  const isOpen = args.some(({ text }) => text === undefined) || input.isPresent;
  if (isOpen || !FILTERS.test(name) || isFromElsewhere(call)) return "unknown";
  return { text: args.map(({ text }) => text).join("\n"), isPart: true };
}

/** What the line itself has put into a file. */
export function writtenText(call: CommandCall, file: Field): string | undefined {
  for (const { path } of call.walk.written.size === 0 ? [] : targetsOf(call, file)) {
    const content = path === undefined ? undefined : call.walk.written.get(path);
    if (typeof content === "object" && !content.isPart) return content.text;
  }
  return undefined;
}

/** What a file holds: as the line has written it, or as it is now. */
export function fileText(call: CommandCall, file: Field | undefined): string | undefined {
  if (!file) return undefined;
  for (const { path } of targetsOf(call, file)) {
    if (path === undefined) continue;
    const written = call.walk.written.get(path);
    if (written !== undefined) return written === "unknown" ? undefined : written.text;
    const content = call.context.contentOf?.(path);
    if (content && "text" in content) return content.text;
  }
  return undefined;
}

/** A file that nobody has read yet; what the project has long had is its own affair. */
export function newText(call: CommandCall, file: Field | undefined): string | undefined {
  const isNew =
    file !== undefined &&
    targetsOf(call, file).some(
      ({ path }) =>
        path !== undefined &&
        (call.walk.written.has(path) || call.context.isWritten?.(path) === true),
    );
  return isNew ? fileText(call, file) : undefined;
}

type Written = WrittenContent | "binary" | undefined;

/** Nothing for files that neither this line nor this session has written, and for those not there yet. */
function writtenAt({ walk, context }: CommandCall, path: string): Written {
  const own = walk.written.get(path);
  if (own !== undefined) return own;
  if (context.isWritten?.(path) !== true) return undefined;
  const content = context.contentOf?.(path);
  if (!content) return undefined;
  if ("text" in content) return { text: content.text, isPart: false };
  return content.problem === "binary" ? "binary" : "unknown";
}

const OPEN = "runs a file that was just written, and what is in it cannot be told";

/** A script that a shell or another language is given. */
export function judgeWrittenScript(call: CommandCall, file: Field): void {
  for (const path of pathsMeant(call, file))
    judgeContent(call, path, { isShell: isShellName(call.name), file });
}

/** Of a pattern, and of a name that only the shell knows, all that the line or the session has written there. */
function pathsMeant(call: CommandCall, file: Field): string[] {
  return targetsOf(call, file).flatMap(({ path }) => {
    const fixed = path?.replace(/[*?[].*$/s, "") ?? "/";
    if (fixed === path) return [path];
    // Descriptors have names that nobody comes to by chance.
    // Of what only the shell knows, the session's are left out: that would be all of them.
    const earlier = fixed === "/" ? [] : (call.context.writtenBelow?.(fixed) ?? []);
    return [...call.walk.written.keys(), ...earlier].filter(
      (each) => each.startsWith(fixed) && !/^\/(?:dev|proc)\//.test(each),
    );
  });
}

/** `awk -f x`, `sed -f x`: the file is the program, which their own judges read. */
export function judgeProgramFile(call: CommandCall): void {
  const { name, args, input } = call;
  if (!/^(?:[gmn]?awk|sed|gsed)$/.test(name)) return;
  const at = args.findIndex(({ text }) => /^-[nErs]*f$|^--file$/.test(text ?? ""));
  const file = args[at + 1];
  if (at < 0 || !file) return;
  const isInput = /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(file.text ?? "");
  const contents = isInput
    ? [input.text]
    : pathsMeant(call, file).map((path) => {
        const found = writtenAt(call, path);
        return typeof found === "object" ? found.text : undefined;
      });
  for (const text of contents) {
    if (text === undefined) continue;
    const rest = [...args.slice(0, at), knownField(text), ...args.slice(at + 2)];
    takeOver(call.effects, call.walk.probeArguments(call, [knownField(name), ...rest]), true);
  }
}

/** A file that is itself the program: `./x.sh`. */
export function judgeWrittenProgram(call: CommandCall, file: Field): void {
  for (const path of pathsMeant(call, file)) {
    const found = writtenAt(call, path);
    if (found === undefined || found === "binary") continue;
    const interpreter =
      found === "unknown"
        ? ""
        : (/^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(found.text)?.slice(1) ?? []).join(" ");
    const isShell = interpreter === "" || /(?:^|[/ ])(?:ba|da|z|k|a|fi)?sh\b/.test(interpreter);
    judgeContent(call, path, { isShell, file });
  }
}

function isShellName(name: string): boolean {
  return /^(?:(?:ba|da|z|k|a|fi)?sh|source|\.)$/.test(name);
}

function judgeContent(
  call: CommandCall,
  path: string,
  { isShell, file }: { isShell: boolean; file: Field },
): void {
  const found = writtenAt(call, path);
  if (found === undefined || found === "binary") return;
  if (found === "unknown") call.effects.unknown.push(OPEN);
  else if (found.isPart) judgeCommandsIn(call, found.text);
  else if (isShell) judgeAsShell(call, found.text, file);
  else if (isReadBySyntax(call.name)) noteCode(call, found.text, file);
  else noteScript(call, found.text);
}

/** In a shell of its own, unless it is sourced. */
function judgeAsShell(call: CommandCall, text: string, file: Field): void {
  const { state, args, name } = call;
  const isSourced = name === "source" || name === ".";
  const own = new Map(
    [...state.variables].filter(([variable]) => /^(?:HOME|TMPDIR)$/.test(variable)),
  );
  const at = args.indexOf(file);
  const script = exactText(file);
  if (script !== undefined) own.set("0", knownField(script));
  const inside = isSourced ? state : { ...state, variables: own, positional: args.slice(at + 1) };
  const found = call.walk.probeText({ ...call, state: inside }, text);
  for (const each of found) {
    call.effects.reaches ||= each.reaches;
    call.effects.network ||= each.network;
  }
  takeOver(call.effects, found, true);
}

/** What they run of a project without being told its name. */
const RUNS: readonly (readonly [program: RegExp, files: string, kind: Kind])[] = [
  [/^g?make$/, "GNUmakefile makefile Makefile", "makefile"],
  [/^just$/, "justfile Justfile .justfile", "makefile"],
  [/^(?:npm|pnpm|yarn|bun|npx|bunx|node|deno)$/, "package.json", "package"],
  [/^composer$/, "composer.json", "package"],
  [
    /^(?:pytest|py\.test|tox|nox|python|uv|poetry|hatch|pdm|coverage)/,
    "conftest.py noxfile.py",
    "code",
  ],
  [/^(?:pip|uv|python)/, "setup.py", "code"],
  [/^(?:rake|rails|rspec|bundle)$/, "Rakefile Gemfile", "code"],
  [/^cargo$/, "build.rs", "code"],
  [/^(?:gradle|gradlew)$/, "build.gradle build.gradle.kts settings.gradle", "code"],
  [/^(?:gulp|grunt)$/, "gulpfile.js Gruntfile.js", "code"],
];
/** With these they run nothing of it. */
const LOOKING =
  /^(?:ls|list|view|info|show|why|explain|config|get|search|outdated|root|bin|prefix|version|--version|-v|--help|-h)$/;
const CODE_FILE =
  /\.(?:py|m?[jt]sx?|c[jt]s|rb|pl|php|lua|go|rs|sh|bash|sql|c|cc|cpp|h|java|kt|scala|swift|cs|exs?|zig|nim|hs|clj)$/;
/** They run the files of their own language that they are given, and those beside them. */
const RUNNERS: readonly (readonly [program: RegExp, files: RegExp])[] = [
  [/^(?:pytest|py\.test|uv|poetry|tox|nox|coverage|hatch|pdm|python|pypy)/, /\.py$/],
  [
    /^(?:npm|pnpm|yarn|bun|npx|bunx|node|deno|tsx|ts-node|jest|vitest|mocha|vite|webpack|esbuild|playwright)$/,
    /\.(?:m?[jt]sx?|c[jt]s)$/,
  ],
  [/^go$/, /\.go$/],
  [/^cargo$/, /\.rs$/],
  [/^(?:ruby|rake|rspec|bundle|rails)$/, /\.rb$/],
  [/^(?:php|composer|phpunit|artisan)$/, /\.php$/],
];

type Kind = "makefile" | "package" | "code";

/** Build tools and test runners: what they find in the directory that they run in. */
export function judgeProjectFiles(call: CommandCall): void {
  const { name, args, effects } = call;
  if (!effects.executes || LOOKING.test(args[0]?.text ?? "")) return;
  const given = (option: RegExp): Field[] =>
    args.flatMap(({ text }, index) => (option.test(text ?? "") ? (args[index + 1] ?? []) : []));
  const places = given(/^(?:-C|--directory|--prefix|--cwd|--dir)$/);
  for (const [program, files, kind] of RUNS) {
    if (!program.test(name)) continue;
    const told = kind === "makefile" ? given(/^(?:-f|--file|--makefile|--justfile)$/) : [];
    const own = files
      .split(" ")
      .flatMap((file) =>
        places.length === 0
          ? [knownField(file)]
          : places.map(({ text }) => knownField(`${text ?? "."}/${file}`)),
      );
    for (const file of told.length > 0 ? told : own) judgeProjectFile(call, file, kind);
  }
  judgeWrittenBeside(call);
  if (RUNNERS.some(([program]) => program.test(name)))
    for (const field of args)
      if (CODE_FILE.test(field.text ?? "") && !field.isPattern)
        judgeProjectFile(call, field, "code");
}

/** They run nothing of what was written, or what they run is no matter of this machine's. */
const BYSTANDERS =
  /^(?:git|gh|chmod|chown|mkdir|touch|cp|mv|ln|rm|ls|cat|code|open|docker|podman|ssh|scp|rsync|curl|wget|kubectl|helm|terraform|(?:ba|da|z|k|a)?sh|source|\.|prettier|eslint|shellcheck|hadolint|actionlint)$/;
/** Others write them for machines elsewhere. */
const ELSEWHERE =
  /(?:^|\/)(?:Dockerfile[^/]*|Containerfile|Vagrantfile)$|\.dockerfile$|\/\.github\/|\.gitlab-ci|\.circleci/i;
const SETTINGS =
  /(?:^|\/)(?:CMakeLists\.txt|Procfile[^/]*|meson\.build|SConstruct|wscript|Snakefile|Tiltfile|Earthfile|Brewfile|deno\.jsonc?|noxfile\.py|tasks\.py|fabfile\.py|dodo\.py|BUILD(?:\.bazel)?|WORKSPACE)$|\.ninja$|\.(?:ya?ml|toml|gradle|kts|mk|cmake|cfg|ini|xml)$/;

/** What this line has written may be what a tool runs, even if nobody names it. */
function judgeWrittenBeside(call: CommandCall): void {
  const { name, args, walk } = call;
  const isComposed =
    /^(?:docker|podman)$/.test(name) && args.some(({ text }) => text === "compose");
  if (BYSTANDERS.test(name) && !isComposed) return;
  const own = RUNNERS.filter(([program]) => program.test(name)).map(([, files]) => files);
  for (const [path, content] of walk.written) {
    if (content === "unknown" || ELSEWHERE.test(path) || isOwnWriting(call, path)) continue;
    const isCode = CODE_FILE.test(path) && !path.endsWith("sh");
    const isOwn = own.length === 0 ? isCode : own.some((files) => files.test(path));
    if (isOwn && !isComposed) noteScript(call, content.text);
    const generated = [...content.text.matchAll(/^\/\/go:generate (.+)$/gm)];
    for (const [, command] of name === "go" ? generated : [])
      takeOver(call.effects, walk.probeText(call, command!), false);
    if (SETTINGS.test(path)) judgeCommandsIn(call, content.text);
  }
}

function judgeProjectFile(call: CommandCall, file: Field, kind: Kind): void {
  for (const { path } of targetsOf(call, file)) {
    const isOwn = path === undefined || isOwnWriting(call, path);
    const found = isOwn ? undefined : writtenAt(call, path);
    if (found === undefined || found === "binary") continue;
    if (found === "unknown") call.effects.unknown.push(OPEN);
    else if (found.isPart) judgeCommandsIn(call, found.text);
    else if (kind === "code") noteScript(call, found.text);
    else {
      // `npm run build` may run `npm run clean`: the same file, and once is enough.
      const key = `${path}\0${found.text}`;
      if (call.walk.bounds.judgedFiles.has(key)) continue;
      call.walk.bounds.judgedFiles.add(key);
      const commands =
        kind === "makefile" ? makefileCommands(found.text) : packageCommands(found.text);
      for (const command of commands)
        takeOver(call.effects, call.walk.probeText(call, command), false);
    }
  }
}
