// Options of runtimes, build tools and project templates by which they run a text, fetch code, or delete and
// write outside.

import { addTargets, readArguments, targetsOf, type CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { isSecretVariable } from "../secret-variable.ts";
import { valuesAfter } from "./editor-languages.ts";
import { judgeRunner, judgeStarter } from "./run-inner.ts";

/** Its own shell. */
export function judgeBun(call: CommandCall): void {
  const words = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (/^(?:create|c)$/.test(words[0]?.text ?? "")) judgeStarter(call, words[1]);
  if (call.args[0]?.text !== "exec") return;
  const rest = call.args.slice(1);
  if (rest.some(({ text }) => text === undefined))
    call.effects.unknown.push("its command is only known when it runs");
  else call.walk.runText(call, rest.map(({ text }) => text).join(" "));
}

/** Packages as programs, and commands that rewrite what they are given. */
export function judgeDeno(call: CommandCall): void {
  const { args, effects } = call;
  const operands = args.filter(({ text }) => !text?.startsWith("-"));
  const at = args.findIndex(({ text }) => /^(?:npm|jsr):/.test(text ?? ""));
  const verb = operands[0]?.text ?? "";
  // Its own libraries.
  const isOwn = /^jsr:\/?@(?:std|deno|fresh)\//.test(args[at]?.text ?? "");
  if (at >= 0 && !isOwn && !/^(?:add|install|i|remove|cache|info|doc|check)$/.test(verb)) {
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
export function judgeTsc(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  if (!texts.some((text) => /^(?:--build|-b)$/.test(text))) return;
  const isCleaning = texts.includes("--clean");
  const operands = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  addTargets(call, isCleaning ? "deletes" : "overwrites", known(operands));
}

/** `sass src:out` */
export function judgePairs(call: CommandCall): void {
  const targets = call.args.flatMap(
    ({ text = "" }) => /^[^-:][^:]*:(?!\/\/)(.+)$/s.exec(text)?.[1] ?? [],
  );
  addTargets(
    call,
    "overwrites",
    targets.map((path) => knownField(path)),
  );
}

/** Its own commands, those of add-ons that everybody has, and the usual names of a project's own. */
const CARGO =
  /^(?:build|b|check|c|clean|doc|d|new|init|add|remove|rm|run|r|test|t|bench|update|up|search|publish|install|uninstall|fetch|fix|fmt|clippy|generate-lockfile|locate-project|login|logout|metadata|miri|owner|package|pkgid|read-manifest|report|rustc|rustdoc|tree|vendor|verify-project|version|yank|help|config|info|xtask|x|task|dev|ci|lint|build-\w+|test-\w+|run-\w+|nextest|watch|make|expand|edit|audit|deny|outdated|udeps|machete|hack|fuzz|criterion|bloat|llvm-cov|llvm-lines|insta|generate|leptos|tauri|ndk|zigbuild|about|cyclonedx|sort|modules|asm|show-asm|flamegraph|tarpaulin|binutils|size|objdump|objcopy|nm|readobj|strip|profdata|cov|geiger|vet|crev|semver-checks|public-api|readme|rdme|deb|rpm|wix|bundle|dist|chef|lambda|contract|near|pgrx|sqlx|diesel|shuttle|loco|dioxus|dx|component|wasi|wasix|web|bootimage|xbuild|xwin|cross|embed|flash|espflash|espmonitor|call-stack|careful|mutants|show|spellcheck|toml|upgrade|set-version|msrv|minimal-versions|limit|cache|sweep|release|smart-release|workspaces|quickinstall|binstall|install-update|all-features|rail|hakari|guppy|docs-rs|rustdoc-json|deps|depgraph|license|bitbake|ebuild|culture|play|script|eval|\+\S+|\w*\?\w*)$/;

export function judgeCargo(call: CommandCall): void {
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

/** `make SHELL=x`: what runs every line of every recipe. */
export function judgeMakeShell(call: CommandCall): void {
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

/** Builds on machines that the line names, with variables that it names. */
export function judgeRemoteBuild(call: CommandCall): void {
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

export function judgeManage(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  const isManage =
    /manage\.py$|^django-admin$/.test(call.name) ||
    texts.some((text) => text.endsWith("manage.py"));
  if (isManage) addTargets(call, "overwrites", valuesAfter(call.args, /^(?:-o|--output)$/));
  const module = texts[texts.indexOf("-m") + 1];
  if (texts.includes("-m") && /^(?:lib2to3|fissix|pyupgrade|autopep8|2to3)$/.test(module ?? "")) {
    const rest = call.args.slice(texts.indexOf("-m") + 2);
    if (rest.some(({ text }) => /^(?:-w|--write|-i|--in-place)$/.test(text ?? "")))
      addTargets(call, "overwrites", known(rest.filter(({ text }) => !text?.startsWith("-"))));
  }
}

export function judgeRailsTemplate({ args, effects }: CommandCall): void {
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const isTemplate = texts.some((text) => /^(?:new|app:template|plugin)$/.test(text));
  if (isTemplate && texts.some((text) => /^(?:LOCATION=|--template=|-m)?https?:\/\//.test(text)))
    effects.downloadsAndExecutes = true;
}

/** Templates that everybody begins with. */
const USUAL_TEMPLATE =
  /^(?:gh:|https:\/\/github\.com\/)(?:audrey\w*|cookiecutter|cookiecutter-\w+|drivendata|cjolowicz|pydanny|scverse|copier-org|pawamoy|serious-scaffold|lincc-frameworks|nsls-ii|scientific-python|ionelmc|tiangolo|fastapi|mlflow)\//i;

/** `cookiecutter gh:x/y`, `mlflow run https://…`: what is there runs. */
export function judgeTemplates({ name, args, effects }: CommandCall): void {
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

export function judgeDependencies({ args, effects }: CommandCall): void {
  const isFetching = args.some(({ text, prefix }) =>
    /:git\/url|:mvn\/repos|:local\/root\s+"(?:\/|~|\.\.)/.test(text ?? prefix),
  );
  if (isFetching) effects.downloadsAndExecutes = true;
}

/** `gem exec x`, `pixi exec x`: a package that nobody knows is fetched and run. */
export function judgeExec(call: CommandCall): void {
  const verb = call.args.find(({ prefix }) => !prefix.startsWith("-"));
  if (verb?.text !== "exec") return;
  const rest = call.args.slice(call.args.indexOf(verb) + 1);
  judgeRunner(
    { ...call, args: rest },
    rest.filter(({ prefix }) => !prefix.startsWith("-")).slice(0, 1),
  );
}

/** `-Xlog:gc:FILE` */
export function judgeJavaLog(call: CommandCall): void {
  for (const { text = "" } of call.args) {
    const file = /^-Xlog:[^:]*:(?:file=)?((?:\/|~|\.)[^:]*)/.exec(text)?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
  }
}

function known(fields: readonly Field[]): Field[] {
  return fields.filter(({ text }) => text !== undefined);
}
