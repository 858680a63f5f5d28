// Package managers and build tools.

import { LOGIN, PUBLISHES, type ToolRow } from "./tool-row.ts";

const NPM_GLOBALS =
  "w workspace C prefix dir userconfig globalconfig registry loglevel cache filter F tag otp";
const NODE_LOGIN: readonly [RegExp, string] = [
  /^(?:login|logout|adduser|token|owner|access|team|org|profile)\b/,
  LOGIN,
];
const SETS: readonly [RegExp, string] = [
  /^(?:config (?:set|delete|edit)|set)\b/,
  "changes a package manager's settings",
];

export const PACKAGE_TOOLS: Readonly<Record<string, ToolRow>> = {
  npm: {
    globals: NPM_GLOBALS,
    looks: /^(?:ls|list|prefix|root|bin|config (?:get|list)|pkg get|explain|why|query)\b/,
    flags:
      /^--(?:depth|json|long|parseable|all|omit|include|prod|dev|global|silent|location|link)(?:=.*)?$|^-[agl]+$/,
    critical: [
      [/^(?:publish|unpublish|deprecate|dist-tag (?:add|rm)|star|hook)\b/, PUBLISHES],
      NODE_LOGIN,
      SETS,
    ],
    writes: "prefix C dir pack-destination userconfig",
  },
  pnpm: {
    globals: NPM_GLOBALS,
    looks: /^(?:ls|list|why|root|bin)\b/,
    flags: /^--(?:depth|json|long|prod|dev)(?:=.*)?$|^-r$/,
    critical: [[/^(?:publish|unpublish|deprecate)\b/, PUBLISHES], NODE_LOGIN, SETS],
    writes: "prefix C dir pack-destination",
  },
  // Whatever it is asked, it starts the program that the repository names.
  yarn: {
    globals: "cwd modules-folder cache-folder use-yarnrc",
    critical: [
      [/^(?:publish|npm (?:publish|tag)|workspace \S+ (?:npm )?publish)\b/, PUBLISHES],
      [/^(?:npm )?(?:login|logout|owner|team|access)\b/, LOGIN],
      [/^config set\b/, "changes a package manager's settings"],
    ],
    writes: "cwd modules-folder cache-folder",
  },
  npx: { globals: "p package c call w workspace prefix", isRunner: true },
  bunx: { isRunner: true },
  corepack: {},
  pip: {
    globals: "python log proxy cache-dir",
    looks: /^(?:list|show|freeze|check|config list)\b/,
    flags: /^--(?:format|outdated|user|local|all|path|files)(?:=.*)?$|^-[ofl]$/,
    critical: [[/^config (?:set|unset|edit)\b/, "changes a package manager's settings"]],
    writes: "t target prefix root d dest w wheel-dir src report log",
  },
  uv: {
    globals: "project directory config-file cache-dir python p",
    looks: /^pip (?:list|show|freeze)\b/,
    flags: /^--(?:format|outdated)(?:=.*)?$/,
    critical: [[/^publish\b/, PUBLISHES]],
    writes: "o output-file target prefix out-dir",
  },
  pipx: { critical: [] },
  poetry: {
    globals: "C directory P project",
    critical: [
      [/^publish\b/, PUBLISHES],
      [/^config (?!--list)\S+ \S/, "changes a package manager's settings"],
    ],
  },
  hatch: { critical: [[/^publish\b/, PUBLISHES]] },
  flit: { critical: [[/^publish\b/, PUBLISHES]] },
  pdm: { critical: [[/^publish\b/, PUBLISHES]] },
  twine: { critical: [[/^upload\b/, PUBLISHES]] },
  conda: { critical: [[/^(?:env )?remove\b.*(?:--all|-n base)/, "deletes an environment"]] },
  cargo: {
    globals: "C config Z color manifest-path target-dir",
    looks: /^(?:locate-project|version)\b/,
    flags: /^--(?:message-format|workspace|verbose)(?:=.*)?$/,
    critical: [
      [/^(?:\+\S+ )?(?:publish|yank|owner)\b/, PUBLISHES],
      [/^(?:\+\S+ )?(?:login|logout)\b/, LOGIN],
    ],
    writes: "target-dir root out-dir artifact-dir",
  },
  rustup: {
    critical: [
      [/^(?:self uninstall|toolchain (?:uninstall|remove))\b/, "changes the installed compilers"],
    ],
  },
  gem: {
    looks: /^(?:list|which|env)\b/,
    flags: /^--?(?:local|l|all)$/,
    critical: [
      [/^(?:push|yank|owner)\b/, PUBLISHES],
      [/^signin\b/, LOGIN],
    ],
    writes: "i install-dir n bindir",
  },
  bundle: {
    critical: [[/^(?:config (?:set )?--global)\b/, "changes a package manager's settings"]],
  },
  go: {
    globals: "C",
    looks: /^(?:version|env|doc)\b/,
    flags: /^-(?:json|all|src|u|short)$/,
    critical: [[/^env .*-w\b/, "changes a package manager's settings"]],
    writes: "o",
  },
  composer: {
    globals: "d working-dir",
    critical: [[/^config .*(?:-g|--global)/, "changes a package manager's settings"]],
  },
  mvn: {
    globals: "f file s settings P D",
    critical: [[/\b(?:deploy|release:perform)\b/, PUBLISHES]],
  },
  gradle: { globals: "p project-dir b I init-script", critical: [[/\bpublish\w*\b/, PUBLISHES]] },
  gradlew: { critical: [[/\bpublish\w*\b/, PUBLISHES]] },
  dotnet: { critical: [[/^nuget (?:push|delete)\b/, PUBLISHES]], writes: "o output" },
  nuget: { critical: [[/^(?:push|delete)\b/i, PUBLISHES]] },
  make: { globals: "C directory f file makefile I j O o W", isLocal: true },
  just: { globals: "f justfile d working-directory", isLocal: true },
  pod: { critical: [[/^trunk (?:push|delete|deprecate)\b/, PUBLISHES]] },
  conan: { critical: [[/^upload\b/, PUBLISHES]] },
  java: { isLocal: true },
  code: { isLocal: true },
};
