// What came from the network: every form in which a line fetches files, what it makes of them, and
// the tools that run what is in such a directory.

import { posix } from "node:path";
import { isDownloaded, targetsOf, type CommandCall } from "./command-call.ts";
import { exactText, knownField, type Field } from "./field.ts";
import { hostOf } from "./own-machine.ts";

const REMOTE = /^[\w.@-]+:(?!\/\/)|^(?:rsync|sftp|s3|gs|az|https?):\/\//;
const UNPACKERS = /^(?:patch|git|tar|bsdtar|unzip|7z|7za|7zr|unrar|cpio|pax|ar|bsdcpio)$/;
const ARCHIVE = /\.(?:tar(?:\.\w+)?|t[gbx]z2?|zip|7z|gz|xz|bz2|zst)$/i;

/** After a command: what it has fetched, and what it has made of something fetched. */
export function noteFetched(call: CommandCall): void {
  const { effects, args, input, walk } = call;
  for (const place of fetchedPlaces(call)) add(call, place);
  const isDerived = args.some((field) => isDownloaded(walk, call, field));
  const isFlowing = effects.downloads || input.isDownload;
  if (!isDerived && !isFlowing) return;
  const { overwrites, deletes, writes } = effects;
  const isUnpacking = UNPACKERS.test(effects.program ?? "");
  for (const { path, isRoot } of [...overwrites, ...deletes, ...writes]) {
    // `git apply` and `patch` change whatever is there.
    if (isUnpacking && path?.endsWith("/?*")) walk.unpacked.add(path.slice(0, -3));
    if (path === undefined || /[*?[]/.test(path)) continue;
    if (isUnpacking) walk.unpacked.add(path);
    if (isRoot) {
      for (const name of isUnpacking ? stems(args) : [])
        walk.downloaded.add(posix.join(path, name));
      continue;
    }
    walk.downloaded.add(path);
    // `gunzip x.sh.gz` leaves `x.sh`, `cp x.sh bin` leaves `bin/x.sh`.
    walk.downloaded.add(path.replace(/\.(?:gz|bz2|xz|zst|lzma|Z)$/, ""));
    for (const { text } of isDerived ? args : [])
      if (text !== undefined) walk.downloaded.add(posix.join(path, posix.basename(text)));
  }
}

/** A project is mostly packed in a directory of its own name. */
function stems(args: readonly Field[]): string[] {
  return args.flatMap(({ text }) => {
    const name = posix.basename(text ?? "");
    if (!ARCHIVE.test(name)) return [];
    const stem = name.replace(ARCHIVE, "");
    return [stem, stem.replace(/[-_]v?\d.*$/, "")].filter((each) => each !== "");
  });
}

function add(call: CommandCall, place: Field): void {
  for (const { path, isRoot } of targetsOf(call, place)) {
    if (path === undefined) continue;
    if (isRoot) call.walk.unpacked.add(path);
    else call.walk.downloaded.add(path);
  }
}

/** They run the program of a package, with the rest of their arguments. */
const RUNNER = /^(?:npx|bunx|pnpx|pnpm|yarn|npm|bun)$/;

/** Where programs put what they fetch if their own judges do not say that they fetch. */
function fetchedPlaces(call: CommandCall): Field[] {
  const { effects } = call;
  const program = effects.program ?? "";
  const isRunner = RUNNER.test(program);
  const words = call.args.filter(({ text }) => text?.startsWith("-") !== true);
  const own = isRunner ? words.filter(({ text }) => !/^(?:dlx|exec|x)$/.test(text ?? "")) : words;
  // `npx degit …`: by now it is the program of the package that counts.
  const isNamed = isRunner || own[0]?.text?.replace(/@[\w.-]+$/, "") === program;
  const runner = isNamed ? own : [knownField(program), ...own];
  const [first, ...rest] = runner;
  const name = (exactText(first) ?? "").replace(/@[\w.-]+$/, "");
  const verb = exactText(rest[0]);
  switch (name) {
    case "degit":
    case "tiged":
    case "giget":
      return [rest[1] ?? nameOf(rest[0])];
    case "git":
    case "hg":
    case "gh":
    case "glab":
    case "svn":
    case "jj":
      return clonedPlaces(rest, verb);
    // Their archives are named after what they are and its version.
    case "npm":
    case "pip":
    case "pip3":
      return verb === "download" ? [knownField(".")] : [];
    case "pack":
      return rest.length > 0 ? [knownField(".")] : [];
    case "wget":
    case "wget2":
      return call.args.some(({ text }) =>
        /^-[a-zA-Z]*[rm]|^--(?:recursive|mirror)/.test(text ?? ""),
      )
        ? rest.flatMap((field) => hostOf(field) ?? []).map((host) => knownField(host))
        : [];
    case "kubectl":
      return verb === "cp" ? copiedPlaces(rest.slice(1)) : [];
    case "scp":
    case "rsync":
    case "sftp":
    case "rclone":
      return copiedPlaces(rest);
    case "aws":
    case "gsutil":
    case "gcloud":
    case "mc":
    case "s3cmd":
      return rest.some(({ text }) => /^(?:cp|sync|mv|get|copy|mirror)$/.test(text ?? ""))
        ? copiedPlaces(rest.slice(1))
        : [];
    default:
      return [];
  }
}

function clonedPlaces(words: readonly Field[], verb: string | undefined): Field[] {
  const at = words.findIndex(({ text }) => /^(?:clone|checkout|co|export)$/.test(text ?? ""));
  if (verb === "release" && words.some(({ text }) => text === "download")) return [knownField(".")];
  const address = words.slice(at + 1).find((field) => isRemoteAddress(field));
  // `git pull https://…`, `git submodule add https://…`
  if (at < 0) {
    const isMerging = /^(?:pull|fetch|subtree|submodule)$/.test(verb ?? "");
    if (!isMerging || !address) return [];
    return verb === "pull" || verb === "fetch"
      ? [knownField(".")]
      : [words[words.indexOf(address) + 1] ?? nameOf(address)];
  }
  const isShort = verb === "repo" || address !== undefined;
  if (!isShort) return [];
  const source = address ?? words[at + 1];
  const place = source && words[words.indexOf(source) + 1];
  return [place ?? nameOf(source)];
}

function isRemoteAddress({ text, prefix }: Field): boolean {
  return /^[a-z+]+:\/\/(?!\/)|^[\w.-]+@[\w.-]+:/i.test(text ?? prefix) && !/^file:/i.test(prefix);
}

function copiedPlaces(words: readonly Field[]): Field[] {
  const target = words.at(-1);
  const sources = words.slice(0, -1).filter(({ text, prefix }) => REMOTE.test(text ?? prefix));
  if (!target || REMOTE.test(target.text ?? target.prefix) || sources.length === 0) return [];
  const { text } = target;
  const inside = sources.map((source) => nameOf(source));
  if (text === undefined) return [];
  return [target, ...inside.map((each) => knownField(`${text}/${each.text}`))];
}

function nameOf(field: Field | undefined): Field {
  const text = (field?.text ?? field?.prefix ?? "").replace(/[?#].*$/, "").replace(/\/+$/, "");
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf(":")) + 1);
  return knownField(name.replace(/\.git$/, "") || ".");
}

/** They run what they find where they are. */
const PROJECT_RUNNERS =
  /^(?:g?make|ninja|cmake|meson|just|task|npm|pnpm|yarn|bun|npx|bunx|node|deno|pip\d*|uv|poetry|pdm|hatch|tox|nox|pytest|python[\d.]*|cargo|go|mvn|gradle|gradlew|sbt|ant|bazel|buck2?|bundle|rake|rails|composer|dotnet|mix|stack|cabal|zig|swift|docker|podman|terraform|vagrant|ansible-playbook|direnv|mise|pre-commit|lerna|nx|turbo|jest|vitest|mocha|configure|autoreconf|scons|waf|perl|ruby)$/;
const SQL_CLIENTS = /^(?:psql|mysql|mariadb|sqlite3|duckdb|mongosh|redis-cli|kubectl|oc|helm)$/;
/** What flows into them are orders or code, whatever it looks like. */
const OBEYING_INPUT =
  /^(?:parallel|rush|m4|gpp|filepp|dc|ed|red|ex|vi|vim|nvim|emacs|gdb|cgdb|lldb|rr|R|Rscript|littler|octave\S*|maxima|gnuplot|tcc|tclsh|wish|expect|sftp|lftp|ftp|tftp|at|batch|crontab|ansible\S*|terraform|nix\S*|helm|argocd|flux|vault|consul|etcdctl|nft|iptables-restore|ip6tables-restore|ipset|nsupdate|tc|ip|bridge|wpa_cli|mongo|mongosh|redis-cli|valkey-cli|cqlsh|influx|beeline|hive|impala-shell|presto|trino|snowsql|spark-shell|spark-sql|pyspark|jshell|groovysh|kotlinc|scala\S*|amm|swipl|gprolog|sbcl|clisp|ecl|guile|racket|csi|gsi|chez|gforth|gap|sage|magma|ghci|ocaml|utop|iex|erl|elixir|irb|pry|psysh|ipython\d?|bpython|ptpython|xonsh|nu|elvish|fish|pwsh|powershell|osascript|gst|awk|ld|as|gcc|cc|clang|g\+\+|clang\+\+|go|rustc|rust-script|cargo|ssh|mosh|tmux|screen|fabric|fab|make|gmake|bmake|ninja|just|task|bats|yash|ksh|mksh|tcsh|csh|babel-node|esno|jiti|vite-node|swc-node|bb|crystal|lualatex|luatex|troff|groff|docker|podman|nerdctl|pip\d*|uv|prisma|nim|v|zig|dotnet|groovy|wasmtime|wasmer|wasm3|kotlin\S*|jbang|swift)$/;
/** Of these, what flows in is obeyed only with a file that stands for it. */
const GIVEN_INPUT =
  /^(?:awk|ld|as|gcc|cc|clang|g\+\+|clang\+\+|go|rustc|cargo|terraform|nix\S*|helm|vault|consul|make|gmake|bmake|ninja|just|task|Rscript|tcc|emacs|ansible\S*|fab|fabric|vi|vim|nvim|mosh|tmux|screen|docker|podman|nerdctl|pip\d*|uv|prisma|nim|v|zig|dotnet|groovy|wasmtime|wasmer|wasm3|jbang|swift)$/;
const STANDS_FOR_INPUT =
  /^(?:-|[\w-]*=-|-f-|\/dev\/(?:stdin|fd\/0)|-[a-zA-Z]*es?|--stdin|fsi|script)$/;
/** Of containers, images are data; what builds or starts them is not. */
const CONTAINERS = /^(?:docker|podman|nerdctl)$/;

/** `curl … | m4`, `curl … | gcc -xc -` */
function isObeyingInput({ name, args, input }: CommandCall): boolean {
  if (!input.isDownload || !OBEYING_INPUT.test(name)) return false;
  if (
    CONTAINERS.test(name) &&
    !args.some(({ text }) => /^(?:build|compose|stack|buildx|kube)$/.test(text ?? ""))
  )
    return false;
  // With code of its own it reads data.
  const hasCode = args.some(({ text }) => /^(?:-e|-c|--eval|--expression|-E)$/.test(text ?? ""));
  if (hasCode && !/^(?:gdb|lldb|ed)$/.test(name)) return false;
  return !GIVEN_INPUT.test(name) || args.some(({ text }) => STANDS_FOR_INPUT.test(text ?? ""));
}

/** Reading what they are about runs nothing. */
const LOOKING =
  /^(?:ls|list|view|info|show|why|explain|config|get|search|outdated|root|bin|prefix|version|tree|fmt|--version|-v|-V|--help|-h)$/;

const PROGRAM_FILE =
  /\.(?:jar|war|vsix|whl|deb|rpm|pkg|msi|gem|crate|AppImage|apk|exe|m?js|cjs|tsx?|py|rb|pl|php|lua|sh|bash|ps1|so|dylib|node|wasm|xpi|phar)$/i;
/** They look at programs, or keep them. */
const KEEPERS =
  /^(?:git|chmod|vim?|nano|emacs|eslint|prettier|ruff|black|shellcheck|tsc|mypy|gpg|minisign|cosign|gh)$/;

/** A tool that works on a directory, or with a file, that came from the network. */
export function judgeFetchedProject(call: CommandCall): void {
  const { name, args, effects, walk, context } = call;
  noteAddressRun(call);
  if (isObeyingInput(call)) effects.downloadsAndExecutes = true;
  // A program in a file, whoever is told to run or to install it.
  const isGiven = args.some(
    (field) => PROGRAM_FILE.test(field.text ?? "") && isDownloaded(walk, call, field),
  );
  if (isGiven && effects.executes && !KEEPERS.test(name)) effects.downloadsAndExecutes = true;
  const isRunner = PROJECT_RUNNERS.test(name) && (effects.executes || effects.network);
  if (!isRunner && !SQL_CLIENTS.test(name)) return;
  const isFed = SQL_CLIENTS.test(name) && call.input.isDownload;
  if (isFed || args.some(({ isPipe, isDownload }) => isPipe && isDownload))
    effects.downloadsAndExecutes = true;
  const isFresh =
    walk.downloaded.size > 0 || walk.unpacked.size > 0 || (context.downloaded?.size ?? 0) > 0;
  if (!isRunner || !isFresh || LOOKING.test(args[0]?.text ?? "")) return;
  const named = args.flatMap(({ text }, index) =>
    /^(?:-C|--directory|--prefix|--cwd|--dir|--manifest-path|--path|-f|--file|--project|-p|-r|-S|-e|install|build)$/.test(
      text ?? "",
    ) && args[index + 1]
      ? [args[index + 1]!]
      : [],
  );
  if (hasFetchedCode(call)) effects.downloadsAndExecutes = true;
  const here = OWN_FILES.map((file) => knownField(file));
  if ([knownField("."), ...here, ...named].some((field) => isFetched(call, field)))
    effects.downloadsAndExecutes = true;
}

/** Nothing in them runs, whoever reads them. */
const DATA_FILE =
  /\.(?:json[5l]?|csv|tsv|txt|md|rst|pdf|docx?|xlsx?|png|jpe?g|gif|svg|webp|ico|avif|bmp|tiff?|mp[34]|wav|ogg|flac|webm|mov|html?|css|s[ac]ss|less|xml|xsd|proto|tar|t?[gx]z|zip|7z|bz2|zst|parquet|arrow|npy|npz|h5|onnx|gguf|safetensors|bin|dat|db|sqlite3?|sql|log|lock|sum|sha\d+|asc|sig|pem|crt|woff2?|ttf|otf|eot|map|patch|diff|geojson|graphql|ya?ml|toml|env|ini|bib|tex|ipynb|pt|pth|ckpt|wasm|iso|img|deb|rpm|apk|j2|snap|gitignore|editorconfig)$|(?:^|\/)(?:LICENSE|README|CHANGELOG|NOTICE|[^/.]*)$/i;

/** Code that came into the project with this line: whatever runs the project may run it. */
function hasFetchedCode({ walk, context }: CommandCall): boolean {
  const root = `${context.workspace}/`;
  return [...walk.downloaded].some((path) => path.startsWith(root) && !DATA_FILE.test(path));
}

/** What they obey in the directory that they are in. */
const OWN_FILES =
  "Makefile makefile GNUmakefile package.json setup.py pyproject.toml Cargo.toml build.rs go.mod justfile Rakefile Gemfile CMakeLists.txt build.gradle pom.xml conftest.py Dockerfile docker-compose.yml compose.yaml".split(
    " ",
  );

/** Also what lies where this line has unpacked something: nobody can say what came with it. */
export function isFetched(call: CommandCall, field: Field): boolean {
  if (isDownloaded(call.walk, call, field)) return true;
  return targetsOf(call, field).some(({ path }) =>
    [...call.walk.unpacked].some((root) => path === root || path?.startsWith(`${root}/`)),
  );
}

const ADDRESS = /^(?:https?|git|ssh):\/\/|^git@/;
/** An address instead of a file: what is there is built, applied or run. */
const ADDRESS_RUNS: readonly (readonly [program: RegExp, verb: RegExp, address: RegExp])[] = [
  [/^(?:kubectl|oc)$/, /^(?:apply|create|replace)$/, ADDRESS],
  [/^(?:docker|podman|nerdctl|buildah)$/, /^(?:build|compose)$/, ADDRESS],
  [/^cargo$/, /^install$/, /^--git\b/],
  // Its own tools aside, what is named with a version is fetched.
  [/^go$/, /^run$/, /^(?!golang\.org\/)[\w.-]+\.[\w-]+\/\S+@/],
  [/^nix$/, /^(?:run|shell|develop)$/, /^(?:github|gitlab|git\+\w+|https?):/],
  [/^helm$/, /^(?:install|upgrade)$/, ADDRESS],
  [/^ansible-pull$/, /^/, ADDRESS],
];

function noteAddressRun({ name, args, effects }: CommandCall): void {
  const words = args.map(({ text, prefix }) => text ?? prefix);
  const isRun = ADDRESS_RUNS.some(
    ([program, verb, address]) =>
      program.test(name) &&
      words.some((word) => verb.test(word)) &&
      words.some((word) => address.test(word)),
  );
  if (isRun) effects.downloadsAndExecutes = true;
}
