// Options of familiar programs that write a file, run a text or load something, where the program's own
// row says nothing of them; and paths outside that a formatter would change.

import { addTargets, readArguments, targetsOf, type CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { noteWholeProject } from "../note-whole-project.ts";
import { fileText } from "../note-written.ts";
import { isSecretVariable } from "../secret-variable.ts";
import { judgeConsoleCode, judgeConsoleInput } from "./console-input.ts";
import { valuesAfter } from "./editor-languages.ts";
import type { LanguageRow } from "./language-row.ts";
import { judgeRunner, judgeStarter } from "./run-inner.ts";

const OPEN = "its script may run, load or write something";

const GO_FILES =
  /^-{1,2}(?:test\.)?(?:trace|cpuprofile|memprofile|blockprofile|mutexprofile|coverprofile|outputdir|fuzzcachedir|testlogfile|pkgdir)$/;

export const OPTION_RULES: readonly LanguageRow[] = [
  { names: "bun", extra: judgeBun },
  { names: "deno", lines: /^--eval$/, changes: /^fmt$/, extra: judgeDeno },
  {
    names: "babel-node esno esmo jiti vite-node swc-node ts-node-esm ts-node-dev sucrase-node",
    javascript: /^(?:-e|--eval|-p|--print)$/,
  },
  { names: "jscodeshift putout", asks: /^(?:--?[\w-]+=)?https?:\/\// },
  {
    names: "codemod",
    critical: [[/^(?!login|logout|list|search|help|init|build|learn)\S/, "runs what it downloads"]],
  },
  { names: "tsc vue-tsc", extra: judgeTsc },
  { names: "sass sass-embedded node-sass", extra: judgePairs },
  { names: "terraform tofu terragrunt", changes: /^fmt$/ },
  { names: "go", changes: /^(?:fmt|fix|generate)$/, writes: GO_FILES },
  { names: "gofmt goimports gofumpt", changes: /^-(?:w|l)$/ },
  { names: "pulumi", writes: /^(?:--file|--out|--output-file|--plaintext-file)$/ },
  { names: "ansible-vault", changes: /^(?:decrypt|encrypt|rekey|create|edit)$/ },
  {
    names: "gradle gradlew",
    asks: /^--gradle-distribution-url(?:=(?!https:\/\/services\.gradle\.org\/)|$)/,
  },
  { names: "mvn mvnw mvnd", writes: /^(?:-l|--log-file)$/ },
  { names: "cargo", extra: judgeCargo },
  { names: "rust-script", asks: /^(?:-e|--expr|-l|--loop|-d|--dep)$/ },
  { names: "vim vi nvim ex view gvim", extra: judgeVerbose },
  { names: "xmllint", extra: judgeXmlShell },
  { names: "yq", extra: judgeSplitExpression },
  { names: "mlr", extra: judgeMiller },
  { names: "magick convert mogrify", writes: /^-path$/ },
  { names: "xsv qsv xan", changes: /^(?:split|partition)$/, extra: judgeLuau },
  { names: "xmake", extra: judgeXmake },
  { names: "aria2c", writes: /^(?:-l|--log)$/ },
  { names: "rclone", extra: judgeCopyUrl },
  { names: "aws", extra: judgeOutfile },
  { names: "sqlite3", extra: judgeSqlar },
  { names: "mysqlsh", extra: judgeMysqlShell },
  { names: "mosh autossh", runs: /^--ssh$/ },
  { names: "ssh scp sftp autossh mosh", loads: /^-I$/, extra: judgeSshSettings },
  { names: "make gmake bmake", extra: judgeMakeShell },
  { names: "curl", extra: judgeCurlOrders },
  { names: "duckdb", extra: judgeDuckEnvironment },
  { names: "bazel bazelisk buck2", extra: judgeRemoteBuild },
  { names: "python python3 manage.py django-admin", extra: judgeManage },
  { names: "rails bin/rails", extra: judgeRailsTemplate },
  {
    names: "cookiecutter cruft copier mlflow raco",
    extra: judgeTemplates,
  },
  { names: "clojure clj", extra: judgeDependencies },
  { names: "gem pixi", extra: judgeExec },
  { names: "java javaw", extra: judgeJavaLog },
  {
    names: "hf huggingface-cli",
    extra: (call) => {
      if (/^upload/.test(call.args[0]?.text ?? "")) noteWholeProject(call, call.args.slice(2));
    },
  },
  {
    names: `ipython ipython3 bpython ptpython sage xonsh python python3 pypy pypy3 manage.py django-admin uv poetry pipenv pdm hatch
      rye flask scrapy jupyter rails bin/rails bundle hanami spring rake php artisan sail sbt sbtx mill bloop scala scala-cli amm gap
      gforth gsi gauche chez gprolog erl iex apl dyalog sml coqtop idris idris2 agda lfe rebar3 lein`,
    extra: judgeConsoleInput,
  },
];

/** Its own shell. */
function judgeBun(call: CommandCall): void {
  const words = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (/^(?:create|c)$/.test(words[0]?.text ?? "")) judgeStarter(call, words[1]);
  if (call.args[0]?.text !== "exec") return;
  const rest = call.args.slice(1);
  if (rest.some(({ text }) => text === undefined))
    call.effects.unknown.push("its command is only known when it runs");
  else call.walk.runText(call, rest.map(({ text }) => text).join(" "));
}

/** Packages as programs, and commands that rewrite what they are given. */
function judgeDeno(call: CommandCall): void {
  const { args, effects } = call;
  const operands = args.filter(({ text }) => !text?.startsWith("-"));
  const at = args.findIndex(({ text }) => /^(?:npm|jsr):/.test(text ?? ""));
  const verb = operands[0]?.text ?? "";
  if (at >= 0 && !/^(?:add|install|i|remove|cache|info|doc|check)$/.test(verb)) {
    const name = args[at]!.text!.replace(/^(?:npm|jsr):\/?/, "");
    const rest = [knownField(name), ...args.slice(at + 1)];
    judgeRunner({ ...call, args: rest }, rest.slice(0, 1));
  }
  if (verb === "lint" && args.some(({ text }) => text === "--fix"))
    addTargets(call, "overwrites", operands.slice(1));
  if (verb === "bundle" || verb === "compile") addTargets(call, "overwrites", operands.slice(2));
  if (verb === "task" && operands.some(({ text }) => text === undefined)) effects.executes = true;
}

/** `tsc --build --clean ~/other` deletes what that project has built. */
function judgeTsc(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  if (!texts.some((text) => /^(?:--build|-b)$/.test(text))) return;
  const isCleaning = texts.includes("--clean");
  const operands = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  addTargets(call, isCleaning ? "deletes" : "overwrites", known(operands));
}

/** `sass src:out` */
function judgePairs(call: CommandCall): void {
  const targets = call.args.flatMap(
    ({ text = "" }) => /^[^-:][^:]*:(?!\/\/)(.+)$/s.exec(text)?.[1] ?? [],
  );
  addTargets(
    call,
    "overwrites",
    targets.map((path) => knownField(path)),
  );
}

function known(fields: readonly Field[]): Field[] {
  return fields.filter(({ text }) => text !== undefined);
}

/** Its own commands, those of add-ons that everybody has, and the usual names of a project's own. */
const CARGO =
  /^(?:build|b|check|c|clean|doc|d|new|init|add|remove|rm|run|r|test|t|bench|update|up|search|publish|install|uninstall|fetch|fix|fmt|clippy|generate-lockfile|locate-project|login|logout|metadata|miri|owner|package|pkgid|read-manifest|report|rustc|rustdoc|tree|vendor|verify-project|version|yank|help|config|info|xtask|x|task|dev|ci|lint|build-\w+|test-\w+|run-\w+|nextest|watch|make|expand|edit|audit|deny|outdated|udeps|machete|hack|fuzz|criterion|bloat|llvm-cov|llvm-lines|insta|generate|leptos|tauri|ndk|zigbuild|about|cyclonedx|sort|modules|asm|show-asm|flamegraph|tarpaulin|binutils|size|objdump|objcopy|nm|readobj|strip|profdata|cov|geiger|vet|crev|semver-checks|public-api|readme|rdme|deb|rpm|wix|bundle|dist|chef|lambda|contract|near|pgrx|sqlx|diesel|shuttle|loco|dioxus|dx|component|wasi|wasix|web|bootimage|xbuild|xwin|cross|embed|flash|espflash|espmonitor|call-stack|careful|mutants|show|spellcheck|toml|upgrade|set-version|msrv|minimal-versions|limit|cache|sweep|release|smart-release|workspaces|quickinstall|binstall|install-update|all-features|rail|hakari|guppy|docs-rs|rustdoc-json|deps|depgraph|license|bitbake|ebuild|culture|play|script|eval|\+\S+|\w*\?\w*)$/;

function judgeCargo(call: CommandCall): void {
  const { args, walk } = call;
  const { operands } = readArguments(args, "C config Z color manifest-path target-dir");
  const words = operands.filter(({ prefix }) => !/^[-+]/.test(prefix));
  const verb = words[0]?.text;
  const isKnown = verb === undefined || CARGO.test(verb) || walk.isProgram(`cargo-${verb}`);
  if (!isKnown) call.effects.unknown.push(`it is not known what cargo ${verb} does`);
  // It deletes whatever else is there.
  if (verb === "vendor" && !args.some(({ text }) => text === "--no-delete"))
    for (const place of known(words.slice(1)))
      if (targetsOf(call, place).some(({ place: where }) => where !== "inside"))
        addTargets(call, "deletes", [place]);
  if (verb === "sweep" || verb === "clean-all") addTargets(call, "deletes", known(words.slice(1)));
  for (const { text = "" } of args) {
    const file =
      /^--emit=(?:[\w,-]+=)(.+)$/s.exec(text)?.[1] ??
      /^--(?:out-dir|artifact-dir)=(.+)$/s.exec(text)?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
  }
  for (const { text = "" } of valuesAfter(args, /^--config$/)) {
    const list = /(?:runner|linker|wrapper)\s*=\s*\[(.*)\]/s.exec(text)?.[1];
    if (list === undefined) continue;
    const command = [...list.matchAll(/["']([^"']*)["']/g)].map((match) => knownField(match[1]!));
    walk.runArguments(call, command);
    call.effects.unknown.push("it runs its programs with a command of the line");
  }
}

/** `-V9file` writes a log. */
function judgeVerbose(call: CommandCall): void {
  for (const { text = "" } of call.args) {
    const file = /^-V\d*(\D.*)$/s.exec(text)?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
  }
}

/** Orders on its input: `save FILE`, `write FILE`. */
function judgeXmlShell(call: CommandCall): void {
  const { args, input, effects } = call;
  if (!args.some(({ text }) => text === "--shell")) return;
  const orders = input.text ?? fileText(call, input.file);
  if (orders === undefined && input.isPresent) effects.unknown.push(OPEN);
  for (const [, file] of (orders ?? "").matchAll(/^\s*(?:save|write|cd)\s+(\S+)/gm))
    addTargets(call, "overwrites", [knownField(file!)]);
}

/** `yq -s EXPRESSION` writes a file of the name that the expression gives. */
function judgeSplitExpression(call: CommandCall): void {
  for (const { text, prefix } of valuesAfter(call.args, /^(?:-s|--split-exp)$/)) {
    const path = /["']((?:\/|~|\.\.)[^"']*)/.exec(text ?? prefix)?.[1];
    if (path !== undefined) addTargets(call, "overwrites", [knownField(`${path}x`)]);
    else if (text === undefined) call.effects.unknown.push(OPEN);
  }
}

function judgeMiller(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  if (!texts.includes("-I")) return;
  addTargets(call, "overwrites", known(valuesAfter(call.args, /^--from$/)));
  const paths = call.args.filter(({ text }) => /^(?:\/|~|\.\.)/.test(text ?? ""));
  addTargets(call, "overwrites", paths);
}

/** Lua in the middle of a table. */
function judgeLuau(call: CommandCall): void {
  if (!call.args.some(({ text }) => /^(?:luau|py|foreach)$/.test(text ?? ""))) return;
  const isDoing = call.args.some(({ text, prefix }) =>
    /\b(?:os|io|require|load\w*|dofile|debug|subprocess|open|import)\b/.test(text ?? prefix),
  );
  if (isDoing || call.args.some(({ text }) => /^foreach$/.test(text ?? "")))
    call.effects.unknown.push(OPEN);
}

function judgeXmake(call: CommandCall): void {
  if (!/^(?:lua|l)$/.test(call.args[0]?.text ?? "")) return;
  const code = valuesAfter(call.args, /^(?:-c|--command)$/);
  if (code.length > 0) call.effects.unknown.push(OPEN);
}

function judgeCopyUrl(call: CommandCall): void {
  const words = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (words[0]?.text !== "copyurl") return;
  const target = words.at(-1);
  call.effects.downloads = true;
  if (target && words.length > 2 && !/^[\w-]+:/.test(target.prefix))
    addTargets(call, "overwrites", [target]);
}

/** `aws s3api get-object … FILE`: what is neither a word of it nor the value of an option. */
function judgeOutfile(call: CommandCall): void {
  const { args } = call;
  const verbs = args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (/^(?:s3|configure)$/.test(verbs[0]?.text ?? "")) return;
  if (!/^(?:get-|invoke|download-|export-|synthesize-)/.test(verbs[1]?.text ?? "")) return;
  const last = args.at(-1);
  const before = args.at(-2)?.text ?? "";
  const isValue = /^--(?!no-|debug$)/.test(before) && !before.includes("=");
  if (last && !isValue && !last.prefix.startsWith("-") && last !== verbs[1])
    addTargets(call, "overwrites", [last]);
}

/** Its archives: `-A -x`, `-Ax`, with `-C DIRECTORY`. */
function judgeSqlar(call: CommandCall): void {
  const isArchive = call.args.some(({ text }) => /^-A/.test(text ?? ""));
  if (isArchive) addTargets(call, "overwrites", valuesAfter(call.args, /^(?:-C|--directory)$/));
}

function judgeMysqlShell(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  const codes = [
    ...valuesAfter(call.args, /^(?:-e|--execute|-c|--pyc)$/).map(({ text }) => text),
    call.input.text,
  ];
  const isSql = texts.includes("--sql") || texts.includes("--sqlc");
  const language = texts.some((text) => /^--py/.test(text)) ? "python" : "javascript";
  for (const code of isSql ? [] : codes)
    if (code !== undefined) judgeConsoleCode(call, language, code);
  for (const file of valuesAfter(call.args, /^(?:-f|--file)$/))
    if (!/\.(?:py|js|sql)$/.test(file.text ?? "")) call.effects.unknown.push(OPEN);
}

/** What a connection takes along, loads and writes here. */
function judgeSshSettings(call: CommandCall): void {
  const { args, effects } = call;
  const settings = [
    ...valuesAfter(args, /^-o$/).map(({ text, prefix }) => text ?? prefix),
    ...args.flatMap(({ text }) => /^-o(.+)$/s.exec(text ?? "")?.[1] ?? []),
  ];
  for (const setting of settings) {
    const [, key = "", value = ""] = /^(\w+)\s*[=\s]\s*(.*)$/s.exec(setting) ?? [];
    if (/^(?:SendEnv|SetEnv)$/i.test(key)) judgeSent(call, value);
    if (
      /^(?:PKCS11Provider|SecurityKeyProvider|Include)$/i.test(key) &&
      !/^(?:none|internal)$/.test(value)
    )
      effects.unknown.push(`it loads ${value}`);
    if (/^(?:UserKnownHostsFile|ControlPath|LogFile)$/i.test(key))
      addTargets(
        call,
        "overwrites",
        value.split(/\s+/).map((path) => knownField(path.replace(/^~(?=\/)/, call.context.home))),
      );
  }
  if (call.name === "autossh" && args.some(({ text }) => /^-[a-zA-Z]*R/.test(text ?? "")))
    effects.critical.push("lets another machine connect to this one");
}

/** `SendEnv NAME*`: the values of these variables go there. */
function judgeSent({ effects }: CommandCall, value: string): void {
  for (const name of value.split(/[\s,]+/)) {
    const isAny = /[*?]/.test(name) && !/^LC_|^LANG/.test(name);
    if (!isAny && !isSecretVariable(name.split("=")[0]!)) continue;
    effects.sends = true;
    effects.network = true;
    effects.readsSecrets.push(isAny ? "the environment" : `$${name}`);
  }
}

/** `make SHELL=x`: what runs every line of every recipe. */
function judgeMakeShell(call: CommandCall): void {
  const { args, effects } = call;
  for (const { text, prefix } of args) {
    const [, name, value] =
      /^(SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE|MAKEFILES)[:?+]*=(.*)$/s.exec(text ?? prefix) ?? [];
    if (name === undefined) continue;
    const isShell = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:(?:ba|z|da|k)?sh|pwsh)$/.test(
      value!.trim(),
    );
    const isFlags = name === ".SHELLFLAGS" && /^(?:-[a-z]+\s*|-o pipefail\s*)*$/.test(value!);
    const isUsual =
      (name === "SHELL" && isShell) || isFlags || (name === "MAKE" && /^g?make$/.test(value!));
    const isOptions =
      name === "MAKEFLAGS" &&
      /^(?:-?[jksBnrR]\d*\s*|--(?:silent|no-print-directory|jobs)\S*\s*)*$/.test(value!);
    if (!isUsual && !isOptions)
      effects.unknown.push(`it runs its recipes with ${value === "" ? "nothing" : value}`);
  }
}

const LOSING_ORDER = /^[-+*]?\s*(?:dele|rmd|rm|rmdir|rnfr|rename|chmod|chown|ln|symlink|site)\b/i;

/** Orders for a server before or after a file is fetched, and the socket that commands containers. */
function judgeCurlOrders(call: CommandCall): void {
  const { args, effects } = call;
  for (const { text, prefix } of valuesAfter(args, /^(?:-Q|--quote|--prequote|--postquote)$/))
    if (LOSING_ORDER.test(text ?? prefix)) effects.critical.push("deletes on another machine");
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const isSocket = texts.some((text) =>
    /(?:docker|podman|containerd|crio|lxd?|incus|libvirt\S*)(?:\.sock|\/unix\.socket)/.test(text),
  );
  const isChanging = texts.some((text) =>
    /^(?:-X|--request=?)?(?:POST|PUT|DELETE|PATCH)$|^(?:-d|--data\S*|--json|-T|--upload-file|-F)/.test(
      text,
    ),
  );
  if (isSocket && isChanging) effects.critical.push("commands the machine's containers directly");
}

function judgeDuckEnvironment(call: CommandCall): void {
  const texts = [...call.args.map(({ text, prefix }) => text ?? prefix), call.input.text ?? ""];
  for (const text of texts)
    for (const [, name] of text.matchAll(/\bgetenv\s*\(\s*'(\w+)'/gi)) {
      if (!isSecretVariable(name!)) continue;
      call.effects.readsSecrets.push(`$${name}`);
      if (/:\/\//.test(text)) call.effects.sends = true;
    }
}

/** Builds on machines that the line names, with variables that it names. */
function judgeRemoteBuild(call: CommandCall): void {
  const { args, effects } = call;
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const isRemote = texts.some((text) =>
    /^--(?:remote_executor|remote_cache|bes_backend)=/.test(text),
  );
  if (!isRemote) return;
  for (const text of texts) {
    const name =
      /^--(?:action_env|host_action_env|repo_env|test_env|remote_header|bes_header)=(\w+)/.exec(
        text,
      )?.[1];
    if (name === undefined || !isSecretVariable(name)) continue;
    effects.sends = true;
    effects.readsSecrets.push(`$${name}`);
  }
}

function judgeManage(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  const isManage =
    /manage\.py$|^django-admin$/.test(call.name) || texts.some((text) => /manage\.py$/.test(text));
  if (isManage) addTargets(call, "overwrites", valuesAfter(call.args, /^(?:-o|--output)$/));
  const module = texts[texts.indexOf("-m") + 1];
  if (texts.includes("-m") && /^(?:lib2to3|fissix|pyupgrade|autopep8|2to3)$/.test(module ?? "")) {
    const rest = call.args.slice(texts.indexOf("-m") + 2);
    if (rest.some(({ text }) => /^(?:-w|--write|-i|--in-place)$/.test(text ?? "")))
      addTargets(call, "overwrites", known(rest.filter(({ text }) => !text?.startsWith("-"))));
  }
}

function judgeRailsTemplate({ args, effects }: CommandCall): void {
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const isTemplate = texts.some((text) => /^(?:new|app:template|plugin)$/.test(text));
  if (isTemplate && texts.some((text) => /^(?:LOCATION=|--template=|-m)?https?:\/\//.test(text)))
    effects.downloadsAndExecutes = true;
}

/** Templates that everybody begins with. */
const USUAL_TEMPLATE =
  /^(?:gh:|https:\/\/github\.com\/)(?:audrey\w*|cookiecutter|cookiecutter-\w+|drivendata|cjolowicz|pydanny|scverse|copier-org|pawamoy|serious-scaffold|lincc-frameworks|nsls-ii|scientific-python|ionelmc|tiangolo|fastapi|mlflow)\//i;

/** `cookiecutter gh:x/y`, `mlflow run https://…`: what is there runs. */
function judgeTemplates({ name, args, effects }: CommandCall): void {
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const verb = texts.find((text) => !text.startsWith("-")) ?? "";
  if (name === "mlflow" && verb !== "run") return;
  if (name === "raco" && !texts.includes("install")) return;
  // Without it copier refuses templates with code.
  if (name === "copier" && !texts.some((text) => /^(?:--trust|--UNSAFE|--unsafe)$/.test(text)))
    return;
  const address = texts.find((text) =>
    /^(?:gh|gl|bb|git\+\w+|https?|git|ssh|github|hg\+\w+):|^git@/.test(text),
  );
  if (address !== undefined && !USUAL_TEMPLATE.test(address)) effects.downloadsAndExecutes = true;
}

function judgeDependencies({ args, effects }: CommandCall): void {
  const isFetching = args.some(({ text, prefix }) =>
    /:git\/url|:mvn\/repos|:local\/root\s+"(?:\/|~|\.\.)/.test(text ?? prefix),
  );
  if (isFetching) effects.downloadsAndExecutes = true;
}

/** `gem exec x`, `pixi exec x`: a package that nobody knows is fetched and run. */
function judgeExec(call: CommandCall): void {
  const words = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (words[0]?.text !== "exec") return;
  const rest = call.args.slice(call.args.indexOf(words[0]) + 1);
  judgeRunner(
    { ...call, args: rest },
    rest.filter(({ prefix }) => !prefix.startsWith("-")).slice(0, 1),
  );
}

/** `-Xlog:gc:FILE` */
function judgeJavaLog(call: CommandCall): void {
  for (const { text = "" } of call.args) {
    const file = /^-Xlog:[^:]*:(?:file=)?((?:\/|~|\.)[^:]*)/.exec(text)?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
  }
}
