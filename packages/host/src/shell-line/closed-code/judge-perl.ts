// Perl one-liners: closed vocabulary. Printing, matching, counting and reading files is known; every
// other function, method and module asks, and so do names that are put together when it runs.

import { argumentsAfter, CodeFindings } from "./code-findings.ts";
import { beginsValue, type CodeToken } from "./code-token.ts";
import { perlTokens } from "./perl-tokens.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const KNOWN = words(`
  if elsif else unless while until for foreach do last next redo return my our local state sub and or not xor x eq ne lt gt le ge cmp given when default
  BEGIN END INIT CHECK UNITCHECK __FILE__ __LINE__ __PACKAGE__ __SUB__ package strict warnings
  print printf say sprintf chomp chop chr ord lc uc lcfirst ucfirst length substr index rindex join split reverse sort map grep push pop shift unshift splice keys values each exists delete defined undef scalar wantarray ref die warn exit
  abs int sqrt sin cos atan2 exp log hex oct rand srand time localtime gmtime sleep pos quotemeta sprintf pack unpack vec lock study reset fc
  close eof binmode fileno readline read seek tell stat lstat opendir readdir closedir rewinddir glob getc select caller prototype local eval
  sum sum0 product max min maxstr minstr first any all none notall uniq uniqnum uniqint uniqstr shuffle reduce reductions pairs pairkeys pairvalues pairmap head tail zip mesh blessed reftype looks_like_number dualvar weaken
  Dumper decode_json encode_json to_json from_json Load LoadFile Dump usleep nanosleep gettimeofday tv_interval timelocal timegm timelocal_nocheck strptime strftime mktime floor ceil fmod pow round trunc lround isatty setlocale
  parse_line shellwords quotewords wrap fill expand unexpand encode decode encode_utf8 decode_utf8 is_utf8 encode_base64 md5_hex md5 sha1_hex sha256_hex sha512_hex sha1 sha256 md5_base64
  basename dirname fileparse catfile catdir abs2rel rel2abs splitdir splitpath getcwd cwd abs_path realpath find finddepth GetOptions
  uri_escape uri_unescape uri_escape_utf8 encode_entities decode_entities colored color NFC NFD NFKC NFKD csv timethis timethese cmpthese timeit timestr croak carp confess cluck
  ok is isnt like unlike is_deeply cmp_ok pass fail plan done_testing note diag use_ok is_string ucwords bigint gcd lcm try catch finally
`);
/** These belong to everything that can be loaded here. */
const METHODS = words(`
  new decode encode pretty canonical utf8 allow_nonref relaxed indent space_before space_after latin1 ascii allow_blessed convert_blessed allow_unknown sort_by incr_parse
  now today ymd mdy dmy hms datetime epoch year month mon mday day hour minute min second sec day_of_week day_of_year yday week strftime strptime add subtract add_months add_years delta_days julian_day tzoffset monname fullmonth wday
  getline getlines column_names getline_hr getline_hr_all combine string parse fields eof print printf say autoflush binmode close lines slurp opened fileno
  bstr badd bsub bmul bdiv bpow bmod bfac bsqrt is_prime bgcd blcm copy as_hex as_bin numify digits accuracy precision bcmp Indent Sortkeys Terse Deepcopy Useqq Maxdepth Dump
  load load_file dump dump_string read_string load_string hexdigest b64digest addfile digest catfile catdir splitdir abs2rel rel2abs tmpdir curdir updir splitpath catpath canonpath file_name_is_absolute
`);
const MODULES =
  /^(?:strict|warnings|utf8|feature|integer|bigint|bignum|bigrat|bigfloat|constant|locale|charnames|vars|version|autodie|English|Carp|Config|Benchmark|Env|experimental|mro|parent|base|fields|overload|sort|re|bytes|diagnostics|sigtrap|subs|less|if|Modern::Perl|v?\d[\d._]*|open|List::(?:Util|MoreUtils|UtilsBy|AllUtils|SomeUtils)|Scalar::Util|Hash::Util|Sub::Util|Data::(?:Dumper|Printer)|JSON|JSON::(?:PP|XS|MaybeXS)|Cpanel::JSON::XS|YAML|YAML::(?:PP|Tiny|XS|Syck)|TOML|TOML::(?:Tiny|Parser)|Time::(?:HiRes|Local|Piece|Seconds)|DateTime|Date::(?:Parse|Calc|Format|Manip)|POSIX|Text::(?:CSV|CSV_XS|CSV_PP|Wrap|Tabs|ParseWords|Abbrev|Balanced|Diff|Table|Trim|Levenshtein|Unidecode)|Encode|Encode::Guess|MIME::Base64|MIME::QuotedPrint|Digest|Digest::(?:MD5|SHA)|Getopt::(?:Long|Std)|File::(?:Basename|Spec|Spec::Functions|Find|stat)|Cwd|Math::\w+(?:::\w+)*|Unicode::\w+|HTML::(?:Entities|TreeBuilder|Parser|TokeParser)|URI|URI::(?:Escape|Encode)|Term::ANSIColor|Test::(?:More|Simple|Deep)|Try::Tiny|Storable|XML::(?:Simple|LibXML|Twig)|Memoize|Tie::(?:IxHash|RefHash)|Algorithm::\w+|Regexp::Common|FindBin|IO::(?:Handle|File)|PerlIO|I18N::Langinfo|Symbol|Sys::Hostname|UUID::Tiny|Module::CoreList)$/;
const POSIX_KNOWN =
  /^(?:floor|ceil|fmod|pow|strftime|strtol|strtod|strtoul|mktime|round|trunc|lround|isatty|setlocale|INT_MAX|INT_MIN|UINT_MAX|LONG_MAX|LONG_MIN|DBL_MAX|DBL_MIN|DBL_EPSILON|FLT_MAX|LC_\w+|log10|log2|tan|asin|acos|sinh|cosh|tanh|toupper|tolower|abs|uname|getpid|ctime|asctime|clock|nan|isnan|isinf|fmax|fmin|EXIT_\w+|E[A-Z]+|S_IS\w+)$/;
const RUNNING = /^(?:system|exec)$/;
const CHANGING: Readonly<Record<string, "writes" | "deletes">> = {
  unlink: "deletes",
  rmdir: "deletes",
  mkdir: "writes",
  utime: "writes",
  chmod: "writes",
  truncate: "writes",
  rename: "writes",
  copy: "writes",
  move: "writes",
  cp: "writes",
  mv: "writes",
  DumpFile: "writes",
  write_file: "writes",
};
const VALUE_WORDS = /^(?:print|return|and|or|not|if|unless|while|map|grep|sort|push|say|=)$/;

export function isPerlModule(name: string): boolean {
  return MODULES.test(name);
}

export function judgePerl(code: string): CodeFindings {
  const findings = new CodeFindings();
  const tokens = perlTokens(code).filter(({ kind }) => kind !== "newline");
  const own = new Set<string>();
  const callable = new Set<string>();
  tokens.forEach(({ text, kind }, at) => {
    if (kind !== "name" || text !== "sub") return;
    if (tokens[at + 1]?.kind === "name") own.add(tokens[at + 1]!.text);
    if (tokens[at - 1]?.text === "=" || tokens[at - 1]?.text === "=>")
      callable.add(tokens[at - 2]?.text ?? "");
  });
  const mayOpenPipes = tokens.some(
    ({ text, kind }, at) =>
      (kind === "name" && text === "open") ||
      (text === "@ARGV" && /^(?:=|,|\))$/.test(tokens[at + 1]?.text ?? "")),
  );
  const look: Look = { findings, tokens, own, callable, mayOpenPipes };
  tokens.forEach((_, at) => judgeToken(look, at));
  return findings;
}

interface Look {
  findings: CodeFindings;
  tokens: readonly CodeToken[];
  own: ReadonlySet<string>;
  callable: ReadonlySet<string>;
  mayOpenPipes: boolean;
}

function judgeToken(look: Look, at: number): void {
  const { findings, tokens } = look;
  const token = tokens[at]!;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (token.kind === "command") findings.run([{ ...token, kind: "text" }], tokens);
  else if (token.kind === "pattern") {
    if (/\(\?\??\{/.test(token.text)) findings.ask("its script has code in a pattern");
  } else if (token.kind === "text") {
    const trimmed = token.text.trim();
    const isPipe = /^\|.*[a-z]|[a-z].*\|$/s.test(trimmed) || trimmed === "-|" || trimmed === "|-";
    if (look.mayOpenPipes && isPipe && !/^\|.*\|$/s.test(trimmed))
      findings.ask("its script runs a command through a file");
  } else if (token.kind === "variable") judgeVariable(look, at);
  else if (token.kind === "sign") {
    const isValue = beginsValue(before, VALUE_WORDS);
    if (token.text === "&" && isValue && !(after?.kind === "name"))
      findings.ask("its script calls what is only known when it runs");
    if (token.text === "*" && isValue && after && (after.kind === "name" || after.text === "{")) {
      if (!/^(?:STDIN|STDOUT|STDERR|ARGV)$/.test(after.text))
        findings.ask("its script changes what a name means");
    }
    if (token.text === "->" && after?.kind === "variable" && !/^[@%$]#?\*/.test(after.text))
      findings.ask("its script calls what is only known when it runs");
    if (token.text === "->" && after?.text === "(" && !isCallable(look, at - 1))
      findings.ask("its script calls what is only known when it runs");
  } else if (token.kind === "name") judgeName(look, at);
}

function isCallable({ tokens, callable }: Look, at: number): boolean {
  const before = tokens[at];
  if (before?.text === "}" || before?.text === "]")
    return tokens.some(({ text }) => text === "sub") && !tokens.some(({ text }) => text === "\\");
  return before?.kind === "variable" && callable.has(before.text);
}

/** Tables of names by which everything can be reached. */
function judgeVariable({ findings, tokens }: Look, at: number): void {
  const { text } = tokens[at]!;
  if (text.endsWith("::") || /^[$@%]::$/.test(text))
    findings.ask("its script calls what is only known when it runs");
  if (/^\$SIG$/.test(text) && tokens[at + 1]?.text === "{")
    if (tokens.slice(at, at + 6).some(({ kind }) => kind === "text"))
      findings.ask("its script calls what is only known when it runs");
}

function judgeName(look: Look, at: number): void {
  const { findings, tokens, own } = look;
  const { text } = tokens[at]!;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (after?.text === "=>" || (before?.text === "{" && after?.text === "}")) return;
  // `-s $file`, `-e "x"`: tests of files.
  if (before?.text === "-" && /^[a-zA-Z]$/.test(text)) return;
  if (before?.text === "->") {
    if (!METHODS.has(text) && !own.has(text)) findings.unknownName(text);
    return;
  }
  if (before?.text === "sub" || own.has(text)) return;
  if (/^(?:use|no|require)$/.test(text)) return judgeModule(look, at);
  if (/^(?:use|no|require|package)$/.test(before?.text ?? "") && before?.kind === "name") return;
  if (text === "eval" || text === "do") {
    if (after?.text === "{") return;
    if (text === "do" && after?.value !== undefined) findings.loads.push(after.value);
    else findings.ask("its script runs code that is only known when it runs");
    return;
  }
  if (text === "open") return judgeOpen(look, at);
  if (RUNNING.test(text)) {
    const given = argumentsAfter(tokens, at).flat();
    findings.run(given, tokens);
    return;
  }
  const change = Object.hasOwn(CHANGING, text) ? CHANGING[text] : undefined;
  if (change) {
    const given = argumentsAfter(tokens, at);
    const isNumbered = text === "chmod" || text === "utime";
    const paths = isNumbered ? given.slice(text === "chmod" ? 1 : 2) : given;
    for (const each of paths.slice(0, text === "mkdir" || text === "truncate" ? 1 : undefined))
      findings.change(change, each, tokens);
    if (paths.length === 0) findings.change(change, undefined, tokens);
    return;
  }
  // Handles and constants.
  if (/^[A-Z][A-Z0-9_]*$/.test(text) && after?.text !== "(" && after?.text !== "->") return;
  const bare = text.replace(/^(?:CORE(?:::GLOBAL)?::|main::)/, "");
  if (KNOWN.has(bare)) return;
  const parts = /^(.*)(?:::|')([^:']+)$/.exec(bare);
  if (parts?.[1] === "POSIX" && POSIX_KNOWN.test(parts[2]!)) return;
  if (MODULES.test(bare) && /^(?:->|::|;|,)$/.test(after?.text ?? ";")) return;
  if (parts && MODULES.test(parts[1]!) && (KNOWN.has(parts[2]!) || METHODS.has(parts[2]!))) return;
  if (/^(?:DBL|INT|LC|FLT|S_|O_|SEEK|LOCK)_?[A-Z_]+$/.test(text) || POSIX_KNOWN.test(bare)) return;
  // A label: `LINE: while (<>) …`
  if (after?.text === ":" || /^(?:next|last|redo|goto)$/.test(before?.text ?? "")) return;
  findings.unknownName(text);
}

function judgeModule({ findings, tokens }: Look, at: number): void {
  const next = tokens[at + 1];
  if (!next || next.kind === "number") return;
  if (next.kind === "text" && next.value !== undefined) findings.loads.push(next.value);
  else if (next.text === "lib") {
    for (const { value } of tokens.slice(at + 2, at + 5).filter(({ kind }) => kind === "text"))
      if (value === undefined || /^[/~]|\.\./.test(value))
        findings.ask("its script loads code from elsewhere");
  } else if (next.kind !== "name" || !MODULES.test(next.text)) {
    if (/^v\d/.test(next.text)) return;
    findings.ask(`it is not known what ${next.text} does in its script`);
  } else if (next.text === "re" && tokens[at + 2]?.text === "eval")
    findings.ask("its script has code in a pattern");
}

/** By its second argument, or how the only text begins. */
function judgeOpen({ findings, tokens }: Look, at: number): void {
  const given = argumentsAfter(tokens, at);
  const [, mode, path] = given;
  const said = mode?.length === 1 ? mode[0]!.value : undefined;
  if (path === undefined) {
    const written = /^\s*\+?>>?\s*(.*)$/s.exec(said ?? "")?.[1];
    if (written !== undefined) findings.writes.push(written);
    else if (said === undefined && mode !== undefined && mode[0]?.kind !== "variable")
      findings.change("writes", mode, tokens);
    return;
  }
  if (said !== undefined && /^\s*<(?!&|\+)/.test(said)) return;
  if (said !== undefined && /^\s*(?:\+?>>?|\+<)/.test(said)) {
    const isMemory = path[0]?.text === "\\";
    if (!isMemory) findings.change("writes", path, tokens);
  } else findings.ask("its script opens what is only known when it runs");
}
