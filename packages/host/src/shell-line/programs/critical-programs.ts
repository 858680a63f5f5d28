// Programs, and subcommands of tools, that do to a machine or to others what nobody can undo.

import { readArguments, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText } from "../field.ts";

const ALWAYS: Readonly<Record<string, string>> = {
  shutdown: "stops the machine",
  reboot: "stops the machine",
  halt: "stops the machine",
  poweroff: "stops the machine",
  init: "changes the runlevel of the machine",
  telinit: "changes the runlevel of the machine",
  mkfs: "formats a disk",
  mke2fs: "formats a disk",
  mkswap: "formats a disk",
  wipefs: "erases a disk",
  fdisk: "changes a disk's partitions",
  sfdisk: "changes a disk's partitions",
  gdisk: "changes a disk's partitions",
  parted: "changes a disk's partitions",
  blkdiscard: "erases a disk",
  cryptsetup: "changes a disk",
  userdel: "deletes a user",
  passwd: "changes a password",
  chpasswd: "changes passwords",
  visudo: "changes access rights",
  iptables: "changes the firewall",
  nft: "changes the firewall",
  ufw: "changes the firewall",
  insmod: "changes the kernel",
  rmmod: "changes the kernel",
  modprobe: "changes the kernel",
  dropdb: "deletes a database",
  diskutil: "changes a disk",
};

interface ToolRow {
  /** Of the words that are no options, the first ones: these only look. */
  looks?: RegExp;
  /** These cannot be undone. */
  critical?: readonly [pattern: RegExp, reason: string][];
}

const PUBLISHES = "publishes to everybody";
const TOOLS: Readonly<Record<string, ToolRow>> = {
  npm: {
    looks: /^(?:ls|list|prefix|root|bin|config (?:get|list)|pkg get|explain|why|query)\b/,
    critical: [[/^(?:publish|unpublish|deprecate)\b/, PUBLISHES]],
  },
  pnpm: { looks: /^(?:ls|list|why|root|bin)\b/, critical: [[/^publish\b/, PUBLISHES]] },
  yarn: { looks: /^(?:list|why|bin)\b/, critical: [[/^(?:publish|npm publish)\b/, PUBLISHES]] },
  npx: {},
  bunx: {},
  pip: { looks: /^(?:list|show|freeze|check|config list)\b/ },
  pip3: { looks: /^(?:list|show|freeze|check)\b/ },
  uv: { looks: /^(?:pip (?:list|show|freeze)|tree)\b/, critical: [[/^publish\b/, PUBLISHES]] },
  poetry: { looks: /^(?:show|env info)\b/, critical: [[/^publish\b/, PUBLISHES]] },
  twine: { critical: [[/^upload\b/, PUBLISHES]] },
  cargo: {
    looks: /^(?:metadata|tree|locate-project|pkgid|verify-project)\b/,
    critical: [[/^(?:publish|yank)\b/, PUBLISHES]],
  },
  gem: { looks: /^(?:list|which|env)\b/, critical: [[/^(?:push|yank)\b/, PUBLISHES]] },
  go: { looks: /^(?:version|env$|list|doc)\b/ },
  rustc: {},
  gcc: {},
  make: {},
  docker: {
    looks:
      /^(?:ps|images|logs|inspect|version|info|stats|top|port|diff|history|(?:image|container|volume|network) (?:ls|inspect)|compose (?:ps|logs|config))\b/,
    critical: [
      [/^(?:system|volume|image|container|builder) prune\b/, "deletes the data of containers"],
      [/^volume rm\b/, "deletes the data of containers"],
      [/^compose down .*-v/, "deletes the data of containers"],
    ],
  },
  podman: {
    looks: /^(?:ps|images|logs|inspect|version|info)\b/,
    critical: [[/^(?:system|volume) prune\b/, "deletes the data of containers"]],
  },
  kubectl: {
    looks:
      /^(?:get|describe|logs|explain|version|api-resources|config (?:view|get-contexts|current-context))\b/,
    critical: [[/^(?:delete|drain|replace --force)\b/, "deletes from a cluster"]],
  },
  helm: {
    looks: /^(?:list|status|get|show|template)\b/,
    critical: [[/^(?:uninstall|delete)\b/, "deletes from a cluster"]],
  },
  terraform: {
    looks: /^(?:show|output|validate|version|providers)\b/,
    critical: [[/^(?:destroy|apply)\b/, "changes machines that others rely on"]],
  },
  aws: { critical: [[/^s3 (?:rm|rb)\b|\bdelete-|\bterminate-/, "deletes from a cloud"]] },
  gcloud: { critical: [[/\bdelete\b/, "deletes from a cloud"]] },
  gh: {
    looks:
      /^(?:(?:pr|issue|run|release|repo|workflow) (?:view|list|status|diff|checks)|auth status)\b/,
    critical: [[/^(?:repo|release) delete\b/, "deletes from GitHub"]],
  },
  systemctl: {
    looks: /^(?:status|list-units|list-unit-files|show|is-active|is-enabled|cat)\b/,
    critical: [
      [
        /^(?:poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|isolate)\b/,
        "stops the machine",
      ],
    ],
  },
  crontab: { critical: [[/^-r|\s-r/, "deletes all planned jobs"]] },
  tmux: { critical: [[/^kill-server\b/, "ends every terminal session"]] },
  killall: {},
  pkill: {},
  brew: { looks: /^(?:list|info|deps|config|doctor|leaves)\b/ },
  apt: { looks: /^(?:list|show|search|policy)\b/ },
  "apt-cache": { looks: /./ },
  dpkg: { looks: /^(?:-l|-L|-s|-S|--list|--status|--get-selections)/ },
  rpm: { looks: /^-q/ },
  ip: { looks: /^(?:-\w+ )*(?:a|addr|address|link|route|r|neigh)(?: (?:show|list|ls)\b.*)?$/ },
  java: {},
};

/** Programs that leave the machine for another are not looked at further; these talk as well. */
const TALKS =
  /^(?:npm|pnpm|yarn|npx|bunx|pip3?|uv|poetry|twine|cargo|gem|go|docker|podman|kubectl|helm|terraform|aws|gcloud|gh|brew|apt)$/;
const LOCAL = /^(?:run|test|t|build|check|clippy|fmt|vet|exec|x|start|lint|compile)\b/;

function judgeTool(row: ToolRow): ProgramJudge {
  return ({ name, args, effects }) => {
    const texts = args.map((field) => exactText(field) ?? "");
    const line = texts.join(" ");
    const isVersion = args.length === 1 && /^(?:--version|-V|-v|--help|-h|version)$/.test(line);
    const words = texts.filter((text) => text !== "" && !text.startsWith("-")).join(" ");
    const matches = (pattern: RegExp): boolean => pattern.test(line) || pattern.test(words);
    const critical = row.critical?.find(([pattern]) => matches(pattern));
    if (critical) effects.critical.push(critical[1]);
    if (isVersion || (row.looks !== undefined && row.looks.test(line))) {
      effects.reads = true;
      return;
    }
    effects.executes = true;
    if (TALKS.test(name) && !LOCAL.test(words)) effects.network = true;
  };
}

function judgeKill(call: CommandCall): void {
  const { args, effects } = call;
  const texts = args.map((field) => exactText(field) ?? "?");
  if (texts[0] === "-l" || texts[0] === "-L") return;
  effects.executes = true;
  // The first of them may be a signal; `-1` behind it, or 1, is everything.
  const isSignal = /^-(?!1$)/.test(texts[0] ?? "") || texts.length > 1;
  const targets =
    isSignal && texts[0]?.startsWith("-")
      ? texts.slice(texts[0] === "-s" || texts[0] === "-n" ? 2 : 1)
      : texts;
  if (targets.some((text) => /^(?:-?1|-0)$/.test(text)))
    effects.critical.push("kills every process");
}

export const CRITICAL_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...Object.entries(ALWAYS).map(([name, reason]) => [name, critical(reason)] as const),
  ...[
    "mkfs.ext2",
    "mkfs.ext3",
    "mkfs.ext4",
    "mkfs.xfs",
    "mkfs.btrfs",
    "mkfs.vfat",
    "mkfs.fat",
    "mkfs.ntfs",
  ].map((name) => [name, critical("formats a disk")] as const),
  ...Object.entries(TOOLS).map(([name, row]) => [name, judgeTool(row)] as const),
  ["kill", judgeKill],
]);

function critical(reason: string): ProgramJudge {
  return (call) => {
    const { options } = readArguments(call.args);
    const isQuestion =
      options.has("help") || options.has("version") || (call.args.length === 1 && options.has("l"));
    if (isQuestion) call.effects.reads = true;
    else call.effects.critical.push(reason);
  };
}
