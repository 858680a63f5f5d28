// Package managers and build tools.

import { CACHES, INSTALLS, LOGIN, PUBLISHES, type ToolRow } from "./tool-row.ts";

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

const EDITOR: ToolRow = {
  isLocal: true,
  isHere: true,
  critical: [
    [/--(?:install|uninstall)-extension\b/, INSTALLS],
    [/^(?:tunnel|serve-web)\b/, "opens this machine to others"],
  ],
};
const CONDA: ToolRow = {
  globals: "n name p prefix c channel f file",
  critical: [
    [/^env remove\b|^remove\b.*(?:--all|-n base|--name base)/, "deletes an environment"],
    [/^(?:install|update|upgrade|remove|uninstall)\b.* (?:-n|--name)[= ]base\b/, INSTALLS],
    [/^(?:clean)\b.*(?:-a|--all|--packages|-p)/, CACHES],
    [/^(?:config|init)\b.* --(?!show|get)|^init\b/, "changes a package manager's settings"],
  ],
  writes: "p prefix",
};
/** `-g` alone or among other letters, `--global`, `--location=global`. */
const GLOBAL: readonly [RegExp, string] = [
  /^(?=.*(?: |^)(?:-[a-zA-Z]*g[a-zA-Z]*|--global|--location[= ]global)(?: |$))(?:\S+ )?(?:i|in|ins|inst|install|add|un|uninstall|remove|rm|r|up|update|upgrade|link|ln)\b/,
  INSTALLS,
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
      GLOBAL,
      [/^cache (?:clean|rm|clear)\b/, CACHES],
    ],
    writes: "prefix C dir pack-destination userconfig",
    runs: /^(?:exec|x|init|create)\b/,
    isHere: true,
  },
  pnpm: {
    globals: NPM_GLOBALS,
    looks: /^(?:ls|list|why|root|bin)\b/,
    flags: /^--(?:depth|json|long|prod|dev)(?:=.*)?$|^-r$/,
    critical: [
      [/^(?:publish|unpublish|deprecate)\b/, PUBLISHES],
      NODE_LOGIN,
      SETS,
      GLOBAL,
      [/^setup\b|^env (?:use|add|remove|rm)\b/, INSTALLS],
      [/^store (?:prune|delete)\b/, CACHES],
    ],
    writes: "prefix C dir pack-destination",
    runs: /^(?:dlx|create)\b/,
    isHere: true,
  },
  // Whatever it is asked, it starts the program that the repository names.
  yarn: {
    globals: "cwd modules-folder cache-folder use-yarnrc",
    critical: [
      [/^(?:publish|npm (?:publish|tag)|workspace \S+ (?:npm )?publish)\b/, PUBLISHES],
      [/^(?:npm )?(?:login|logout|owner|team|access)\b/, LOGIN],
      [/^config set\b/, "changes a package manager's settings"],
      [/^global (?:add|remove|upgrade)\b/, INSTALLS],
      [/^cache (?:clean|clear)\b/, CACHES],
      [/^set version (?:from|https?:)/, "changes a package manager"],
    ],
    writes: "cwd modules-folder cache-folder",
    runs: /^(?:dlx|create)\b/,
    isHere: true,
  },
  npx: { globals: "p package c call w workspace prefix", isRunner: true },
  bunx: { isRunner: true },
  corepack: { isHere: true },
  pip: {
    globals: "python log proxy cache-dir",
    looks: /^(?:list|show|freeze|check|config list)\b/,
    flags: /^--(?:format|outdated|user|local|all|path|files)(?:=.*)?$|^-[ofl]$/,
    critical: [
      [/^config (?:set|unset|edit)\b/, "changes a package manager's settings"],
      [/^(?:install|uninstall)\b.* --(?:user|break-system-packages)\b/, INSTALLS],
      [/^cache (?:purge|remove)\b/, CACHES],
    ],
    writes: "t target prefix root d dest w wheel-dir src report log",
    isHere: true,
  },
  uv: {
    globals: "project directory config-file cache-dir python p",
    looks: /^pip (?:list|show|freeze)\b/,
    flags: /^--(?:format|outdated)(?:=.*)?$/,
    critical: [
      [/^publish\b/, PUBLISHES],
      [/^tool (?:install|uninstall|upgrade|update-shell)\b|^self\b/, INSTALLS],
      [/^pip (?:install|uninstall|sync)\b.* --(?:system|break-system-packages)\b/, INSTALLS],
      [/^cache (?:clean|prune)\b/, CACHES],
    ],
    writes: "o output-file target prefix out-dir",
    runs: /^tool run\b/,
    isHere: true,
  },
  pipx: {
    critical: [
      [
        /^(?:install|install-all|inject|uninject|upgrade|upgrade-all|uninstall|uninstall-all|reinstall|reinstall-all|ensurepath)\b/,
        INSTALLS,
      ],
    ],
    runs: /^run\b/,
  },
  pipenv: { isHere: true },
  rye: { isHere: true },
  pixi: { isHere: true, critical: [[/^global\b/, INSTALLS]] },
  luarocks: {
    critical: [
      [/^(?:install|remove|purge|make)\b/, INSTALLS],
      [/^upload\b/, PUBLISHES],
    ],
  },
  cpanm: { critical: [[/./, INSTALLS]] },
  cpan: { critical: [[/./, INSTALLS]] },
  uvx: { globals: "from with p python", isRunner: true },
  poetry: {
    globals: "C directory P project",
    isHere: true,
    critical: [
      [/^self\b/, INSTALLS],
      [/^cache clear\b/, CACHES],
      [/^publish\b/, PUBLISHES],
      [/^config (?!--list)\S+ \S/, "changes a package manager's settings"],
    ],
  },
  hatch: { isHere: true, critical: [[/^publish\b/, PUBLISHES]] },
  flit: { critical: [[/^publish\b/, PUBLISHES]] },
  pdm: { isHere: true, critical: [[/^publish\b/, PUBLISHES]] },
  twine: { critical: [[/^upload\b/, PUBLISHES]] },
  conda: CONDA,
  mamba: CONDA,
  micromamba: CONDA,
  cargo: {
    globals: "C config Z color manifest-path target-dir",
    looks: /^(?:locate-project|version)\b/,
    flags: /^--(?:message-format|workspace|verbose)(?:=.*)?$/,
    critical: [
      [/^(?:\+\S+ )?(?:publish|yank|owner)\b/, PUBLISHES],
      [/^(?:\+\S+ )?(?:login|logout)\b/, LOGIN],
      [/^(?:\+\S+ )?(?:install|binstall|uninstall|install-update)\b/, INSTALLS],
    ],
    writes: "target-dir root out-dir artifact-dir",
    isHere: true,
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
      [/^(?:install|uninstall|update|cleanup|pristine)\b/, INSTALLS],
    ],
    writes: "i install-dir n bindir",
  },
  bundle: {
    isHere: true,
    critical: [[/^(?:config (?:set )?--global)\b/, "changes a package manager's settings"]],
  },
  go: {
    globals: "C",
    looks: /^(?:version|env|doc)\b/,
    flags: /^-(?:json|all|src|u|short)$/,
    critical: [
      [/^env .*-w\b/, "changes a package manager's settings"],
      [/^install\b.*@/, INSTALLS],
      [/^clean\b.* -(?:modcache|cache|i)\b/, CACHES],
    ],
    writes: "o",
    isHere: true,
  },
  composer: {
    globals: "d working-dir",
    critical: [
      [/^config .*(?:-g|--global)/, "changes a package manager's settings"],
      [/^global (?:require|remove|update)\b|^self-update\b/, INSTALLS],
      [/^(?:clear-cache|clearcache)\b/, CACHES],
    ],
    isHere: true,
  },
  mvn: {
    isHere: true,
    globals: "f file s settings P D",
    critical: [[/\b(?:deploy|release:perform)\b/, PUBLISHES]],
  },
  gradle: {
    isHere: true,
    globals: "p project-dir b I init-script",
    critical: [[/\bpublish\w*\b/, PUBLISHES]],
    writes: "g gradle-user-home project-cache-dir",
  },
  gradlew: {
    isHere: true,
    critical: [[/\bpublish\w*\b/, PUBLISHES]],
    writes: "g gradle-user-home project-cache-dir",
  },
  dotnet: {
    critical: [
      [/^nuget (?:push|delete)\b/, PUBLISHES],
      [
        /^tool (?:install|uninstall|update)\b.* (?:-g|--global)\b|^workload (?:install|uninstall)/,
        INSTALLS,
      ],
      [/^nuget locals\b.* (?:-c|--clear)\b/, CACHES],
      [/^ef (?:database drop|migrations remove\b.* --force)/, "deletes a database"],
    ],
    writes: "o output",
    isHere: true,
  },
  nuget: { critical: [[/^(?:push|delete)\b/i, PUBLISHES]] },
  make: { globals: "C directory f file makefile I j O o W", isLocal: true, isHere: true },
  just: { globals: "f justfile d working-directory", isLocal: true, isHere: true },
  pod: { critical: [[/^trunk (?:push|delete|deprecate)\b/, PUBLISHES]] },
  conan: { critical: [[/^upload\b/, PUBLISHES]] },
  java: { isLocal: true },
  code: EDITOR,
  "code-insiders": EDITOR,
  codium: EDITOR,
  cursor: EDITOR,
};
