// Package managers that are given an address, a file from elsewhere, or another store: what they install
// is code that somebody has downloaded, and much of it runs while it is installed.

import { targetsOf, type CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";
import { isUsualStore } from "./judge-store.ts";

const MANAGERS =
  /^(?:pip[\d.]*|pipx|uv|uvx|poetry|pdm|hatch|rye|pixi|pipenv|conda|mamba|micromamba|npm|pnpm|yarn|bun|corepack|mvn|mvnw|gradle|gradlew|cargo|gem|bundle|composer|pre-commit|nix|nix-env|nix-shell|nix-build|guix|go|luarocks|cpanm|opam|mix|dotnet|nuget|jbang|scala-cli|scala|groovy|java|easy_install|rebar3|stack|cabal|dart|flutter|swift|pod|vcpkg|conan|helm|krew|asdf|mise|sdk|brew)$/;
/** With these words they fetch something. */
const FETCHING =
  /^(?:install|i|in|add|ci|sync|download|wheel|get|require|update|up|upgrade|import|prepare|use|try-repo|autoupdate|source|sources|lock|inject|dependency:\S+|restore|fetch|build|shell|develop|profile|-p|-i|-iA|-f|set|config|repo|registry|from)$/;
/** They take the address itself as the program. */
const RUNNING = /^(?:jbang|scala-cli|groovy|java|nix-shell|nix-build|nix-env|guix|nix)$/;
const STORE_OPTION =
  /^(?:-i|--index(?:-url)?|--default-index|--extra-index-url|--find-links|--registry|--channel|--repository|--repository-url|--source|--sources|--override-channels|--proxy|--mirror|--substituters|--clear-sources|-DremoteRepositories|-Drepo\w*)$/;
/** A program or its settings, rather than a package. */
const SETTING_OPTION =
  /^(?:--userconfig|--globalconfig|--config-file|--script-shell|--config\.script-shell|--python|--init-script|-I|-s|-gs|--settings|--global-settings|--config|-g|--gradle-user-home|--node-options|--shell)$/;
const PACKAGE_ADDRESS =
  /^(?:git\+\w+|git|ssh|https?|ftp|hg\+\w+|svn\+\w+|bzr\+\w+|github|gitlab|bitbucket|gist):|^git@|(?:^|[\w\]]\s*)@\s*(?:git\+|https?:|ssh:|file:)|\{[^}]*(?:git\/url|url\s*[=:]|git\s*[=:])/;
/** `owner/name` is a repository to them. */
const SHORTHAND = /^[\w-][\w.-]*\/[\w.-]+(?:#\S+)?$/;

export function judgePackages(call: CommandCall): void {
  const { name, args, effects } = call;
  if (!MANAGERS.test(name)) return;
  const words = args.map(({ text, prefix }) => text ?? prefix);
  judgeSettings(call, words);
  const at = words.findIndex((word) => FETCHING.test(word));
  const isRunning = RUNNING.test(name);
  if (at < 0 && !isRunning && !isRunOfAddress(name, words)) return;
  words.forEach((word, index) => {
    const [option, value] = optionOf(words, index);
    if (
      STORE_OPTION.test(option) ||
      (option === "-c" && /^(?:conda|mamba|micromamba)$/.test(name))
    ) {
      if (value.includes("://") && !isUsualStore(value)) effects.downloadsAndExecutes = true;
      return;
    }
    if (isTrusting(option) && !isUsualStore(`https://${value}`))
      effects.downloadsAndExecutes = true;
    if (isCarried(name, words, index)) return;
    if (PACKAGE_ADDRESS.test(value) && !isPublicPackage(value)) effects.downloadsAndExecutes = true;
    if (
      /^(?:npm|pnpm|yarn|bun)$/.test(name) &&
      option === "" &&
      index > at &&
      /^(?:i|in|install|add)$/.test(words[at]!) &&
      SHORTHAND.test(word)
    )
      effects.downloadsAndExecutes = true;
    if (
      option === "" ||
      /^(?:-r|-c|-e|--requirement|--constraint|--editable|--path|--find-links|-f)$/.test(option)
    )
      judgeFar(call, args[index]!, value);
  });
}

/** `uv run https://…` */
function isRunOfAddress(name: string, words: readonly string[]): boolean {
  const first = words.slice(words.indexOf("run") + 1).find((word) => !word.startsWith("-"));
  return /^(?:uv|bun)$/.test(name) && words[0] === "run" && /^https?:/.test(first ?? "");
}

/** Its value, if it is an option with one. */
function optionOf(words: readonly string[], index: number): [option: string, value: string] {
  const word = words[index]!;
  const equals = /^(-{1,2}[\w.-]+)=(.*)$/s.exec(word);
  if (equals) return [equals[1]!, equals[2]!];
  const before = words[index - 1] ?? "";
  const isValue = /^-{1,2}[A-Za-z]/.test(before) && !before.includes("=") && !word.startsWith("-");
  return [isValue ? before : "", word];
}

function isTrusting(option: string): boolean {
  return option === "--trusted-host" || option === "--allow-insecure-host";
}

/** What stands behind `--` or `run` is for somebody else; `-D` of a build are values of its own. */
function isCarried(name: string, words: readonly string[], index: number): boolean {
  const end = words.findIndex((word) => word === "--" || word === "run" || word === "exec");
  if (end >= 0 && index > end && !isRunOfAddress(name, words)) return true;
  if (/^(?:mvn|mvnw|gradle|gradlew|go|dotnet|helm)$/.test(name)) return true;
  return name === "java" && !/^-(?:cp|classpath)$/.test(words[index - 1] ?? "");
}

/** A file of the public stores. */
function isPublicPackage(value: string): boolean {
  return /:\/\/(?:files\.pythonhosted\.org|download\.pytorch\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org|static\.crates\.io|index\.crates\.io|localhost|127\.0\.0\.1)\b/.test(
    value,
  );
}

function judgeSettings(call: CommandCall, words: readonly string[]): void {
  words.forEach((_, index) => {
    const [option, value] = optionOf(words, index);
    if (SETTING_OPTION.test(option) && /^[/~.]/.test(value) && value !== "/dev/null")
      judgeFar(call, call.args[index]!, value);
    if (
      /^-D(?:remoteRepositories|repo\w*)$/.test(option) &&
      value.includes("://") &&
      !isUsualStore(value)
    )
      call.effects.downloadsAndExecutes = true;
  });
}

const SYSTEM = /^\/(?:usr|opt|nix|lib|bin|dev|home\/linuxbrew)(?:\/|$)/;

function judgeFar(call: CommandCall, field: Field, value: string): void {
  const path = value.replace(/^(?:file|link|portal):(?:\/\/)?/, "").replace(/\[[\w,-]*\]$/, "");
  if (!/^(?:\/|~\/|\.\.(?:\/|$))/.test(path) || field.text === undefined) return;
  const full = path.replace(/^~/, call.context.home);
  for (const { place, path: found } of targetsOf(call, knownField(full, field.isPattern)))
    if ((place === "outside" || place === "temporary") && !SYSTEM.test(found ?? ""))
      call.effects.unknown.push(`it installs from ${found}`);
}
