// Programs that only look, and the few options with which some of them do more.

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";

const LOOKERS = `cat ls head tail wc grep egrep fgrep rgrep cut tr paste join comm fold fmt nl od hexdump
strings base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum column tac rev
expand unexpand which whereis stat readlink realpath basename dirname seq expr sleep true false id whoami who
users groups uname arch nproc lscpu lsblk lsusb lspci tty logname printenv locale getconf getent ps pgrep
pidof pstree top free uptime df du lsof vmstat iostat diff cmp diff3 file zcat zgrep zless bzcat bzgrep
xzcat xzgrep zstdcat jq tsort factor numfmt cal look apropos whatis more eza exa bat batcat tokei
cloc scc hexyl delta nm objdump readelf size addr2line ag ack yes clear tput stty ss netstat sw_vers
ulimit uuidgen lsb_release identify ffprobe mediainfo pdfinfo `;

interface Exception {
  /** Options that take a value, so that it is not taken for an operand. */
  valued?: string;
  /** Their values are files that are written. */
  writes?: string;
  /** With them it runs something, or changes the machine. */
  executes?: string;
}

const WITH_EXCEPTIONS: Readonly<Record<string, Exception>> = {
  sort: {
    valued: "o output k t S T compress-program",
    writes: "o output",
    executes: "compress-program",
  },
  shuf: { valued: "o output n", writes: "o output" },
  tree: { valued: "o L I P", writes: "o output" },
  iconv: { valued: "o output f t", writes: "o output" },
  rg: { executes: "pre hostname-bin", valued: "pre g e" },
  less: { valued: "o O log-file LOG-FILE", writes: "o O log-file LOG-FILE" },
  date: { valued: "s set d date r", executes: "s set" },
  yq: { executes: "i inplace in-place" },
  xxd: { valued: "c g l s o" },
  uniq: { valued: "f s w" },
  man: { valued: "P H S pager html", executes: "P H pager html" },
  sdiff: { valued: "o output", writes: "o output" },
  base64: { valued: "o output i w", writes: "o output" },
};

function judgeWith({ valued = "", writes, executes }: Exception): ProgramJudge {
  return (call) => {
    const read = readArguments(call.args, valued);
    call.effects.reads = true;
    if (writes !== undefined) addTargets(call, "overwrites", valuesOf(read, writes));
    if (executes !== undefined && hasAny(read, executes)) call.effects.executes = true;
    // Whatever the value is, it may be one of them.
    if (read.hasOpenOption && (writes ?? executes) !== undefined && couldMatter(call)) {
      call.effects.unknown.push("an option of it is only known when it runs");
    }
    // `less +!command`
    if (call.name === "less" && call.args.some(({ text }) => text?.startsWith("+"))) {
      call.effects.executes = true;
    }
    // Their second operand is where the result goes.
    if (call.name === "uniq" || call.name === "xxd") {
      addTargets(call, "overwrites", read.operands.slice(1));
    }
  };
}

/** A single unquoted value behind other operands is a file in all likelihood; many are not. */
function couldMatter({ args }: CommandCall): boolean {
  return args.some(({ text, isMany, prefix }) => text === undefined && isMany && prefix === "");
}

export const READ_ONLY_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map([
  ...LOOKERS.split(/\s+/).map((name) => [name, reads] as const),
  ...Object.entries(WITH_EXCEPTIONS).map(([name, row]) => [name, judgeWith(row)] as const),
  [
    "hostname",
    ((call) => {
      call.effects.reads = true;
      if (readArguments(call.args).operands.length > 0) call.effects.executes = true;
    }) satisfies ProgramJudge,
  ],
]);

function reads({ effects }: CommandCall): void {
  effects.reads = true;
}
