// Programs that only look, and the few options with which some of them do more.

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import { judgeOutputs, judgeProgramValue, judgeTextOf } from "../judge-unknown.ts";

/** No option of these writes, runs or sends anything. */
const LOOKERS = `cat ls head tail wc grep egrep fgrep rgrep cut tr paste join comm fold fmt nl od hexdump
strings base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum column tac rev
expand unexpand which whereis stat readlink realpath basename dirname seq expr sleep true false id whoami who
users groups uname nproc lscpu lsblk lsusb lspci tty logname printenv locale getconf ps pgrep
pidof pstree free uptime df du lsof vmstat iostat diff cmp zcat zgrep bzcat bzgrep
xzcat xzgrep zstdcat jq tsort factor numfmt cal look apropos whatis eza exa hexyl
yes clear tput netstat sw_vers ulimit uuidgen lsb_release pdfinfo vdir dir pathchk tokei`;

interface Exception {
  /** Options that take a value, so that it is not taken for an operand. */
  valued?: string;
  /** Their values are files that are written. */
  writes?: string;
  /** Their values are programs that it runs on what it reads. */
  runs?: string;
  /** With one of these it changes the files that it is given. */
  changesWith?: string;
  /** Only with these options, and the above, does it merely look; names without dashes. */
  allows?: string;
}

const WITH_EXCEPTIONS: Readonly<Record<string, Exception>> = {
  sort: {
    runs: "compress-program",
    valued:
      "o output k key t field-separator S buffer-size T temporary-directory parallel batch-size",
    writes: "o output",
    allows:
      "n r u h k t f b d g i M R s V z c C m numeric-sort reverse unique human-numeric-sort key field-separator ignore-case version-sort stable check merge zero-terminated S T parallel general-numeric-sort month-sort random-sort buffer-size",
  },
  shuf: {
    valued: "o output n head-count i input-range random-source",
    writes: "o output",
    allows: "n e i r z head-count echo input-range repeat random-source",
  },
  tree: {
    valued: "o L I P filelimit charset",
    writes: "o output",
    allows:
      "a d L I P f h s D F C n N x J dirsfirst gitignore noreport prune matchdirs filelimit charset sort i p u g",
  },
  iconv: {
    valued: "o output f t from-code to-code",
    writes: "o output",
    allows: "f t c l s from-code to-code list",
  },
  rg: {
    runs: "pre hostname-bin",
    valued:
      "g e f t T m A B C M j r glob iglob type type-not regexp file max-count max-depth context after-context before-context replace sort sortr max-columns max-filesize threads color colors encoding path-separator",
    allows:
      "g e f t T m A B C M j r n N i S w v l L c o u H I F P U s x a z 0 p d glob iglob type type-not type-list regexp file max-count max-depth context after-context before-context replace sort sortr max-columns max-filesize threads color colors encoding files hidden no-ignore follow json stats ignore-case smart-case case-sensitive word-regexp invert-match files-with-matches files-without-match count count-matches only-matching line-number no-line-number heading no-heading with-filename no-filename fixed-strings pcre2 multiline multiline-dotall text null trim vimgrep passthru quiet q debug trace no-messages no-config column byte-offset line-regexp crlf one-file-system glob-case-insensitive no-ignore-vcs no-ignore-parent unrestricted pretty max-columns-preview null-data auto-hybrid-regex engine ignore-file no-require-git binary no-binary",
  },
  less: {
    valued: "o O log-file LOG-FILE p P x y z b h j k t T",
    writes: "o O log-file LOG-FILE",
    allows: "N S R F X i I n e E s r f g G M m p x",
  },
  more: { allows: "d f l p c s u n" },
  date: {
    valued: "d date r reference f I rfc-3339",
    allows: "d date r reference f u utc universal R I iso-8601 rfc-3339 rfc-email j v",
  },
  yq: {
    changesWith: "i inplace in-place s split-exp",
    valued: "s split-exp o p P I output-format input-format indent",
    allows:
      "r j e n c C M o p P I N raw-output output-format input-format indent tojson prettyPrint colors no-colors null-input exit-status no-doc eval eval-all y",
  },
  xxd: { valued: "c g l s o n", allows: "c g l s o n p r u b i e E a ps plain" },
  uniq: {
    valued: "f s w skip-fields skip-chars check-chars",
    allows:
      "c d u i f s w z D count repeated unique ignore-case skip-fields skip-chars check-chars",
  },
  man: {
    runs: "H html P pager",
    valued: "S s k f",
    allows: "S s k f a w where K",
  },
  sdiff: {
    valued: "o output w width",
    writes: "o output",
    allows: "w s l t b B i W width suppress-common-lines",
  },
  diff3: { allows: "e E A x X m i a L" },
  base64: {
    valued: "o output i w D d",
    writes: "o output",
    allows: "d D i w decode wrap ignore-garbage",
  },
  file: {
    changesWith: "C compile",
    valued: "m F e f P",
    allows: "b i L h z s k N 0 brief mime mime-type mime-encoding dereference extension F f e r",
  },
  bat: {
    valued: "l n r H language line-range highlight-line style theme paging color",
    allows:
      "l n r p A language line-range plain number style theme paging color show-all highlight-line H",
  },
  batcat: {
    valued: "l r language line-range style theme paging color",
    allows: "l n r p A language line-range plain number style theme paging color",
  },
  ss: {
    allows: "t u l n p a x s e m i o r 4 6 tcp udp listening numeric processes all summary H Z w",
  },
  top: { valued: "n d p u b", allows: "b n d p u H o w i c E e 1" },
  nm: {
    allows:
      "a A B C D g n o p P r S u U demangle defined-only undefined-only extern-only size-sort numeric-sort dynamic l",
  },
  objdump: {
    valued: "j M b m start-address stop-address section",
    allows:
      "d D h x t T s S p r R f C l w j M disassemble all-headers syms full-contents source demangle line-numbers section private-headers start-address stop-address reloc file-headers",
  },
  readelf: {
    valued: "x p R",
    allows:
      "a h l S s d n r u V A I W x p e g t file-header program-headers sections symbols syms dynamic notes relocs wide all headers dyn-syms",
  },
  size: { allows: "A B d o x t format totals" },
  addr2line: {
    valued: "e j",
    allows: "e f C i p a s j exe functions demangle pretty-print inlines",
  },
  cloc: {
    valued: "exclude-dir include-lang exclude-lang not-match-d not-match-f match-f",
    allows:
      "exclude-dir include-lang exclude-lang by-file json csv md quiet vcs not-match-d not-match-f match-f hide-rate progress-rate skip-uniqueness git",
  },
  scc: {
    valued: "exclude-dir i f format",
    allows: "exclude-dir i by-file f format w no-cocomo s sort",
  },
  ag: {
    valued: "G A B C m ignore ignore-dir",
    allows:
      "G A B C m i l L c w Q v s S u a U ignore ignore-dir nocolor hidden numbers nogroup stats",
  },
  ffprobe: {
    valued: "v show_entries of print_format select_streams",
    allows: "v hide_banner show_format show_streams show_entries of print_format select_streams i",
  },
  mediainfo: { allows: "f Full" },
  lsattr: { allows: "a d R l v" },
  getfacl: { allows: "a d R p c e n" },
  zless: { allows: "N S R" },
};

function judgeWith(row: Exception): ProgramJudge {
  const { writes, runs = "-", changesWith, allows = "" } = row;
  const valued = `${row.valued ?? ""} ${runs}`;
  const allowed = new Set([...allows.split(" "), ...(writes ?? "").split(" "), "help", "version"]);
  return (call) => {
    const { effects } = call;
    const read = readArguments(
      ONE_DASH.has(call.name) ? call.args.map(withTwoDashes) : call.args,
      valued,
    );
    effects.reads = true;
    if (writes !== undefined) addTargets(call, "overwrites", valuesOf(read, writes));
    if ([...read.options].some((name) => !isAllowed(name, allowed))) {
      effects.executes = true;
      judgeOutputs(call);
      for (const arg of call.args) judgeTextOf(call, arg);
    }
    for (const value of valuesOf(read, runs)) judgeProgramValue(call, value);
    if (changesWith !== undefined && hasAny(read, changesWith)) {
      effects.executes = true;
      addTargets(call, "overwrites", read.operands);
      judgeOutsidePaths({ ...call, args: read.operands });
      for (const values of read.values.values()) judgeOutsidePaths({ ...call, args: values });
    }
    // Whatever the value is, it may be one of the others.
    if (read.hasOpenOption && couldMatter(call)) {
      effects.unknown.push("an option of it is only known when it runs");
    }
    // `less +!command`, `nm @options`
    if (call.args.some(({ text }) => /^\+!|^\+[^\d%]/.test(text ?? "")) && call.name !== "date")
      effects.executes = true;
    if (
      /^(?:nm|objdump|readelf|size|addr2line)$/.test(call.name) &&
      call.args.some(({ prefix }) => prefix.startsWith("@"))
    )
      effects.executes = true;
    if (call.name === "ss" && hasAny(read, "K kill"))
      effects.critical.push("ends connections of other programs");
    if (call.name === "date" && hasAny(read, "s set")) effects.critical.push("sets the clock");
    // An address is fetched.
    if (
      /^(?:ffprobe|mediainfo|bat|batcat)$/.test(call.name) &&
      call.args.some(({ prefix }) => /^\w+:\/\//.test(prefix))
    ) {
      effects.network = true;
      effects.sends = true;
    }
    // Their second operand is where the result goes.
    if (call.name === "uniq" || call.name === "xxd") {
      addTargets(call, "overwrites", read.operands.slice(1));
    }
  };
}

const ONE_DASH: ReadonlySet<string> = new Set(["ffprobe", "mediainfo"]);

function withTwoDashes(field: Field): Field {
  return /^-[a-zA-Z]\w/.test(field.text ?? "") ? knownField(`-${field.text}`) : field;
}

/** Numbers are counts; long names may be shortened as far as only allowed ones are meant. */
function isAllowed(name: string, allowed: ReadonlySet<string>): boolean {
  return allowed.has(name) || /^\d$/.test(name);
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
      if (readArguments(call.args, "F file b boot").operands.length > 0)
        call.effects.critical.push("changes the machine's name");
      if (readArguments(call.args).options.has("F")) call.effects.executes = true;
    }) satisfies ProgramJudge,
  ],
  ["getent", judgeGetent],
  ["stty", judgeStty],
]);

/** Names of hosts are looked up by asking other machines for them. */
function judgeGetent({ args, effects }: CommandCall): void {
  effects.reads = true;
  const [database, ...keys] = readArguments(args, "s service").operands;
  if (
    /^(?:passwd|group|shadow|services|protocols|rpc|aliases|ethers|initgroups|gshadow)$/.test(
      database?.text ?? "",
    )
  )
    return;
  effects.network = true;
  if (keys.some(({ text }) => text === undefined || /[^.]{40}/.test(text))) effects.sends = true;
}

/** Its own terminal it may set as it likes; another device is somebody else's. */
function judgeStty(call: CommandCall): void {
  const read = readArguments(call.args, "F file f");
  if (read.operands.length === 0 && read.values.size === 0) call.effects.reads = true;
  else call.effects.executes = true;
  const devices = valuesOf(read, "F file f").filter(({ text }) => text !== "/dev/tty");
  if (devices.length > 0) call.effects.critical.push("changes a device");
}

function reads({ effects }: CommandCall): void {
  effects.reads = true;
}
