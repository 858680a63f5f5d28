// Programs that do to a machine what nobody can undo.

import { hasAny, readArguments, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { ALL_PROCESSES, OWN_PROCESS } from "../command-output.ts";
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
  mount: "changes the file system",
  umount: "changes the file system",
  swapoff: "changes the machine",
  swapon: "changes the machine",
  losetup: "changes a disk",
  hdparm: "changes a disk",
  badblocks: "writes to a disk",
  sgdisk: "changes a disk's partitions",
  lvremove: "deletes a disk",
  vgremove: "deletes a disk",
  pvremove: "deletes a disk",
  zfs: "changes a disk",
  zpool: "changes a disk",
  btrfs: "changes a disk",
  mdadm: "changes a disk",
  useradd: "changes the users of the machine",
  usermod: "changes the users of the machine",
  groupadd: "changes the users of the machine",
  groupdel: "changes the users of the machine",
  adduser: "changes the users of the machine",
  deluser: "changes the users of the machine",
  chsh: "changes the login shell",
  ip6tables: "changes the firewall",
  "firewall-cmd": "changes the firewall",
  sysctl: "changes the kernel",
  kexec: "changes the kernel",
  setenforce: "changes access rights",
  setcap: "changes access rights",
  "update-alternatives": "changes the machine's programs",
  "update-rc.d": "changes what starts with the machine",
  chkconfig: "changes what starts with the machine",
  mysqladmin: "changes a database",
  dropuser: "changes a database",
  chage: "changes the users of the machine",
  killall5: "kills every process",
  rfkill: "changes the network",
  ifdown: "changes the network",
  "xdg-settings": "changes the desktop's settings",
  "xdg-mime": "changes the desktop's settings",
  nvram: "changes the machine",
  csrutil: "changes the machine",
  tmutil: "changes the backups",
  timedatectl: "changes the machine",
  hostnamectl: "changes the machine",
};

function judgeCrontab({ args, effects }: CommandCall): void {
  const { options, operands } = readArguments(args, "u");
  const isLooking = options.has("l") && operands.length === 0 && !options.has("r");
  if (isLooking) effects.reads = true;
  else effects.critical.push("changes the planned jobs");
}

/** Ends processes by name or owner: which ones, only the machine knows. */
function judgeKillByName(call: CommandCall): void {
  const { args, effects } = call;
  const read = readArguments(args, "u U euid uid g P parent t s signal G");
  if (hasAny(read, "l list h help")) {
    effects.reads = true;
    return;
  }
  effects.executes = true;
  const isByOwner = hasAny(read, "u U euid uid user t terminal g P parent");
  const isAll = read.operands.some(({ text }) => /^[.*^$]*$/.test(text ?? "x"));
  if (read.operands.some(({ text }) => /(?:^|[^\w-])tau(?:$|[^\w-])/.test(text ?? "")))
    effects.critical.push("ends Tau itself");
  if (isByOwner || isAll || (read.operands.length === 0 && args.length > 0))
    effects.critical.push("kills processes of all kinds");
}

/** Whoever uses a port is a server of the work; whoever uses a place may be anybody. */
function judgeFuser({ args, effects }: CommandCall): void {
  const read = readArguments(args, "n namespace M N");
  effects.reads = true;
  if (!hasAny(read, "k kill")) return;
  effects.executes = true;
  const isPort = read.operands.every(({ text }) => /^\d+(?:\/(?:tcp|udp))?$/.test(text ?? ""));
  if (!isPort || hasAny(read, "m mount")) effects.critical.push("kills what it did not start");
}

function judgeKill(call: CommandCall): void {
  const { args, effects } = call;
  const texts = args.map((field) => exactText(field) ?? "?");
  if (texts[0] === "-l" || texts[0] === "-L") return;
  effects.executes = true;
  if (/\$\{?PPID|pgrep\s+-\w*[uU]|(?:pgrep|pidof)\b[^|;)]*\btau\b/.test(call.node.text))
    effects.critical.push("kills what it did not start");
  // The first of them may be a signal; `-1` behind it, or 1, is everything.
  const isSignal = /^-(?!1$)/.test(texts[0] ?? "") || texts.length > 1;
  const targets =
    isSignal && texts[0]?.startsWith("-")
      ? texts.slice(texts[0] === "-s" || texts[0] === "-n" ? 2 : 1)
      : texts;
  if (targets.includes(OWN_PROCESS)) effects.critical.push("ends Tau itself");
  if (targets.some((text) => /^(?:-?1|-0)$/.test(text) || text === ALL_PROCESSES))
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
  ["crontab", judgeCrontab],
  ["kill", judgeKill],
  ["pkill", judgeKillByName],
  ["killall", judgeKillByName],
  ["fuser", judgeFuser],
  ["skill", judgeKillByName],
]);

function critical(reason: string): ProgramJudge {
  return (call) => {
    const { options } = readArguments(call.args);
    const isQuestion =
      (call.args.length === 1 && (options.has("help") || options.has("version"))) ||
      (call.args.length === 1 && options.has("l")) ||
      isLooking(call);
    if (isQuestion) call.effects.reads = true;
    else call.effects.critical.push(reason);
  };
}

/** Without arguments some only tell how things stand. */
function isLooking({ name, args }: CommandCall): boolean {
  const texts = args.map(({ text }) => text ?? "?");
  if (/^(?:mount|timedatectl|hostnamectl|losetup|swapon)$/.test(name) && texts.length === 0)
    return true;
  if (name === "sysctl")
    return texts.length > 0 && texts.every((text) => /^(?:-[an]+|[\w.]+)$/.test(text));
  return (
    /^(?:zfs|zpool|btrfs|iptables|nft|ufw)$/.test(name) &&
    /^(?:list|status|-L|get)$/.test(texts[0] ?? "")
  );
}
