// Ruby one-liners: closed vocabulary. A method is known by its name whatever it belongs to, so classes
// that have other things under harmless names (`File.delete`) have vocabularies of their own.

import { argumentsAfter, CodeFindings } from "./code-findings.ts";
import type { CodeToken } from "./code-token.ts";
import { rubyTokens } from "./ruby-tokens.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const KEYWORDS = words(`
  if elsif else unless while until for in do end begin rescue ensure retry raise return break next redo yield then case when and or not true false nil self super def class module defined? alias undef BEGIN END __FILE__ __LINE__ __method__ lambda proc loop catch throw block_given?
  puts print p pp printf putc gets readline readlines sprintf format rand srand sleep exit exit! abort warn at_exit caller freeze frozen? then tap itself
  private public protected attr_accessor attr_reader attr_writer include extend prepend module_function initialize private_constant it
  Integer Float String Array Hash Rational Complex
`);
const METHODS = words(`
  each each_with_index each_with_object each_slice each_cons each_char each_line each_byte each_key each_value each_pair each_entry map flat_map collect collect_concat select filter reject find detect find_index find_all inject reduce sum count tally group_by partition chunk chunk_while slice_when sort sort_by min max min_by max_by minmax uniq first last take take_while drop drop_while zip product combination permutation transpose flatten compact reverse rotate shuffle sample include? member? any? all? none? one? empty? size length to_a to_h to_s to_sym to_i to_f to_r to_c to_set to_json to_yaml to_csv to_str inspect join push pop shift unshift append prepend insert concat << delete delete_at delete_if keep_if clear dig fetch fetch_values key? has_key? value? has_value? keys values key values_at store merge merge! update invert transform_values transform_keys transform_values! transform_keys! slice except filter_map each_entry lazy force cycle step upto downto times succ next pred abs ceil floor round truncate divmod modulo pow gcd lcm digits zero? positive? negative? even? odd? nan? infinite? finite? between? clamp coerce
  split chars bytes lines codepoints chomp chomp! chop strip strip! lstrip rstrip squeeze gsub gsub! sub sub! tr tr_s scan match match? =~ start_with? end_with? upcase downcase capitalize swapcase upcase! downcase! capitalize! center ljust rjust ord chr hex oct unpack unpack1 pack encode force_encoding valid_encoding? unicode_normalize scrub succ! replace slice! insert partition rpartition index rindex byteslice bytesize ascii_only? casecmp casecmp? crypt hash eql? equal? == != nil? is_a? kind_of? instance_of? respond_to? class name dup clone object_id tap then itself freeze frozen? ancestors superclass instance_methods methods members
  new now today at utc local mktime gm parse iso8601 strftime strptime year month mon day mday hour min sec usec nsec wday yday cwday cweek to_time to_date to_datetime getlocal getutc localtime gmtime zone utc_offset next_day prev_day next_month prev_month next_year prev_year leap? beginning_of_day rfc2822 httpdate xmlschema jd monday? sunday? civil valid_date?
  generate pretty_generate dump load load_file safe_load safe_load_file parse_line generate_line foreach read headers header_converters table by_col by_row symbolize_names hexdigest digest base64digest hex uuid random_number alphanumeric urlsafe_base64 encode64 strict_encode64 urlsafe_encode64 decode64 strict_decode64 urlsafe_decode64
  call curry arity parameters backtrace message full_message captures named_captures pre_match post_match begin offset string names source options last_match escape quote union shellescape shellsplit shelljoin
  sqrt cbrt log log2 log10 exp sin cos tan atan atan2 hypot clock_gettime measure realtime bm bmbm report nprocessors pid platform ruby_version ruby_platform version loaded_specs gem_version root default_gemfile locked_gems specs summary description dependencies search css xpath at_css at_xpath text content attributes attr inner_html inner_text children HTML XML host path query fragment scheme port userinfo join encode_www_form encode_www_form_component decode_www_form decode_www_form_component encode_uri_component write flush sync sync= fsync print puts printf << getc ungetc each_line eof? rewind readline readlines gets getline lineno filename file tty? isatty winsize close closed? default default= compare_by_identity rehash sort! sort_by! map! select! reject! uniq! compact! flatten! reverse! shuffle! collect! concat sum minmax_by each_index fill bsearch assoc rassoc none? entries to_enum enum_for with_index with_object next peek size exclude_end? cover? === <=> bit_length numerator denominator rationalize real imaginary ceildiv ractor ostruct deconstruct deconstruct_keys fdiv remainder unicode_normalize squish presence blank? present? pluck ordinalize titleize camelize underscore humanize pluralize singularize
  config env MAJOR MINOR
`);
/** Classes whose methods of harmless names are harmless. */
const CLASSES = words(`
  JSON YAML Psych CSV Time Date DateTime Set SortedSet Struct OpenStruct Data Integer Float String Array Hash Symbol Rational Complex Math Random SecureRandom Digest Base64 Regexp Range Comparable Enumerable Enumerator GC RbConfig URI StringIO Benchmark Etc Encoding BigDecimal Prime Matrix Vector Shellwords Logger PP TSort Nokogiri Gem Bundler ENV ARGV ARGF STDIN STDOUT STDERR DATA NilClass TrueClass FalseClass Numeric Proc Mutex Queue Thread TOML TomlRB Tomlrb Rainbow Abbrev Zlib OptionParser Timeout Forwardable Singleton Observable IPAddr Ripper Coverage ERB Process SHA1 SHA256 SHA512 MD5 Util Version Specification Requirement CONFIG PI E INFINITY NAN MAX EPSILON CLOCK_MONOTONIC CLOCK_REALTIME CLOCK_PROCESS_CPUTIME_ID VERSION REVISION Lazy UTF_8 ASCII_8BIT BINARY RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL RUBY_COPYRIGHT RUBY_DESCRIPTION RUBY_RELEASE_DATE RUBY_ENGINE_VERSION LOADED_FEATURES Row Table Document HTML XML Builder ObjectSpace DSL
`);
/** Of the classes that reach files, what only reads. */
const READING: Readonly<Record<string, ReadonlySet<string>>> = {
  File: words(
    "read readlines foreach exist? exists? file? directory? symlink? readable? writable? executable? size size? zero? empty? stat lstat mtime atime ctime birthtime basename dirname extname join split expand_path absolute_path absolute_path? realpath fnmatch fnmatch? readlink ftype identical? binread path SEPARATOR world_readable? FNM_DOTMATCH FNM_PATHNAME FNM_EXTGLOB",
  ),
  Dir: words("glob [ entries children each_child exist? exists? pwd getwd home empty? foreach"),
  Pathname: words("new pwd getwd glob"),
  Find: words("find prune"),
  Process: words("clock_gettime CLOCK_MONOTONIC CLOCK_REALTIME CLOCK_PROCESS_CPUTIME_ID pid ppid"),
  ObjectSpace: words("count_objects memsize_of_all"),
  ERB: words("version"),
  Zlib: words("crc32 adler32"),
  Thread: words("current new"),
  Bundler: words("root default_gemfile locked_gems definition VERSION load"),
  Gem: words(
    "ruby_version platforms loaded_specs Version Specification VERSION path dir default_dir user_dir ruby Requirement",
  ),
};
/** Of the same, what writes or deletes the file in the first argument, or in the last. */
const CHANGING: Readonly<Record<string, "writes" | "deletes">> = {
  "File.write": "writes",
  "File.binwrite": "writes",
  "File.delete": "deletes",
  "File.unlink": "deletes",
  "File.rename": "writes",
  "File.truncate": "writes",
  "File.chmod": "writes",
  "Dir.mkdir": "writes",
  "Dir.rmdir": "deletes",
  "Dir.delete": "deletes",
  "FileUtils.mkdir_p": "writes",
  "FileUtils.mkdir": "writes",
  "FileUtils.touch": "writes",
  "FileUtils.cp": "writes",
  "FileUtils.cp_r": "writes",
  "FileUtils.mv": "writes",
  "FileUtils.rm": "deletes",
  "FileUtils.rm_f": "deletes",
  "FileUtils.rm_rf": "deletes",
  "FileUtils.rm_r": "deletes",
};
const RUNNING = /^(?:system|exec|spawn)$/;
/** Whatever the project's own code is called, these are Ruby's. */
const RISKY =
  /^(?:send|__send__|public_send|method|methods|instance_method|public_method|const_get|const_set|const_missing|define_method|instance_eval|class_eval|module_eval|instance_exec|class_exec|eval|binding|to_proc|unlink|popen\w*|capture[23]e?|spawn|fork|kill|syscall|reopen|rmtree|rm|rm_rf|rm_r|rm_f|open|load|autoload|trap|set_trace_func|instance_variable_get|instance_variable_set|global_variables|delete_all|destroy|destroy_all|drop_table|execute|truncate|write|binwrite|post|put|unsafe_load|restore|result|result_with_hash|refine|singleton_method|unbind|bind|bind_call|ObjectSpace|each_object|instance_variables)$/;
/** They reach other machines, or past the language. */
const RISKY_LIBRARIES =
  /^(?:socket|net\/.*|open-uri|open3|pty|fiddle(?:\/.*)?|ffi|drb(?:\/.*)?|webrick|dl|win32ole|un|expect|readline|irb|debug|pry|syslog|httparty|faraday|rest-client|mechanize|excon|http)$/;

export function isRiskyLibrary(name: string): boolean {
  return RISKY_LIBRARIES.test(name);
}

interface Look {
  findings: CodeFindings;
  tokens: readonly CodeToken[];
  own: ReadonlySet<string>;
  /** Code of the project is loaded: names that nobody knows are its. */
  isOpen: boolean;
}

export function judgeRuby(code: string, { loadsProject = false } = {}): CodeFindings {
  const findings = new CodeFindings();
  const tokens = rubyTokens(code);
  const isOpen =
    loadsProject ||
    tokens.some(
      ({ text, kind }, at) =>
        kind === "name" &&
        (text === "require_relative" ||
          (text === "require" &&
            /^\.|^config\//.test(tokens[at + 1]?.value ?? tokens[at + 2]?.value ?? ""))),
    );
  const look: Look = { findings, tokens, own: namesOf(tokens), isOpen };
  tokens.forEach((token, at) => {
    if (token.kind === "command") findings.run([{ ...token, kind: "text" }], tokens);
    else if (token.kind === "name") judgeName(look, at);
    else if (token.kind === "sign" && token.text === ":sym") judgeSymbol(look, at);
  });
  return findings;
}

/** Variables, parameters, methods and classes of the code itself. */
function namesOf(tokens: readonly CodeToken[]): Set<string> {
  const own = new Set<string>(["_", "_1", "_2", "it"]);
  let isParameters = false;
  tokens.forEach(({ text, kind }, at) => {
    const before = tokens[at - 1]?.text;
    if (kind === "sign" && text === "|") {
      if (isParameters) isParameters = false;
      else isParameters = before === "{" || before === "do";
    }
    if (kind !== "name") return;
    const after = tokens[at + 1];
    const isGiven = after?.kind === "sign" && /^(?:=|[-+*/|&]=)$/.test(after.text);
    const isOr = after?.text === "||" && tokens[at + 2]?.text === "=";
    if (isParameters || ((isGiven || isOr) && before !== "." && before !== "&.")) own.add(text);
    if (/^(?:def|class|module|for)$/.test(before ?? "")) own.add(text);
    // `a, b = …`, `rescue => e`, `def f(a, b)`, `->(x)`
    if (before === "=>") own.add(text);
    const isListed = after?.text === "," || before === ",";
    if (isListed && tokens.slice(at, at + 12).some(({ text: sign }) => sign === "=")) own.add(text);
  });
  tokens.forEach(({ text }, at) => {
    const isLambda = text === "->" || (text === "def" && tokens[at + 2]?.text === "(");
    const from = text === "def" ? at + 3 : at + 2;
    if (!isLambda) return;
    for (let index = from; index < tokens.length && tokens[index]!.text !== ")"; index++)
      if (tokens[index]!.kind === "name") own.add(tokens[index]!.text);
      else if (tokens[index]!.text === "{") break;
  });
  return own;
}

/** `&:name` calls it. */
function judgeSymbol({ findings, tokens, own, isOpen }: Look, at: number): void {
  if (tokens[at - 1]?.text !== "&") return;
  const name = tokens[at + 1]?.value;
  if (
    name === undefined ||
    (!METHODS.has(name) && !own.has(name) && !(isOpen && !RISKY.test(name)))
  )
    findings.unknownName(name ?? "a name");
}

function judgeName(look: Look, at: number): void {
  const { findings, tokens, own, isOpen } = look;
  const { text } = tokens[at]!;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  // `key: value`
  if (after?.text === ":" && after.kind === "sign") return;
  const isMember = before?.kind === "sign" && /^(?:\.|&\.|::)$/.test(before.text);
  if (isMember) return judgeMember(look, at);
  if (/^[A-Z]/.test(text)) return judgeConstant(look, at);
  if (own.has(text) && !(RISKY.test(text) && after?.text === "(")) return;
  if (text === "require" || text === "require_relative" || text === "load")
    return judgeLoading(look, at);
  if (text === "open") return judgeOpening(look, at);
  if (RUNNING.test(text)) {
    findings.run(argumentsAfter(tokens, at).flat(), tokens);
    return;
  }
  if (KEYWORDS.has(text) || METHODS.has(text)) return;
  if (isOpen && !RISKY.test(text)) return;
  findings.unknownName(text);
}

function judgeMember({ findings, tokens, own, isOpen }: Look, at: number): void {
  const { text } = tokens[at]!;
  const owner = tokens[at - 2];
  const isClass = owner?.kind === "name" && /^[A-Z]/.test(owner.text);
  // The class itself has been judged with it.
  if (
    isClass &&
    (Object.hasOwn(READING, owner.text) || owner.text === "FileUtils" || owner.text === "IO")
  )
    return;
  if (METHODS.has(text) || CLASSES.has(text) || own.has(text)) return;
  if (/^[A-Z]/.test(text) && !/^(?:File|Dir|IO|Kernel|Object|Process)$/.test(text)) {
    if (text === "VERSION" || isOpen || text.endsWith("Error")) return;
  } else if (isOpen && !RISKY.test(text)) return;
  findings.unknownName(text);
}

function judgeConstant(look: Look, at: number): void {
  const { findings, tokens, own, isOpen } = look;
  const { text } = tokens[at]!;
  const after = tokens[at + 1];
  const member = tokens[at + 2];
  const isMember = after?.text === "." || after?.text === "::" || after?.text === "&.";
  const name = after?.text === "[" ? "[" : isMember ? (member?.text ?? "") : "";
  if (Object.hasOwn(READING, text) || text === "FileUtils") {
    if (READING[text]?.has(name)) return;
    const change = Object.hasOwn(CHANGING, `${text}.${name}`)
      ? CHANGING[`${text}.${name}`]
      : undefined;
    if (change) {
      const given = argumentsAfter(tokens, at + 2);
      const paths =
        name === "write" || name === "binwrite" || name === "truncate" || name.startsWith("mkdir")
          ? given.slice(0, 1)
          : name === "chmod"
            ? given.slice(1)
            : name.startsWith("cp")
              ? given.slice(-1)
              : given;
      for (const each of paths) findings.change(change, each, tokens);
      if (paths.length === 0) findings.change(change, undefined, tokens);
      return;
    }
    if (text === "File" && (name === "open" || name === "new"))
      return judgeMode(look, argumentsAfter(tokens, at + 2));
    findings.unknownName(name === "" ? text : `${text}.${name}`);
    return;
  }
  if (text === "IO" && /^(?:read|readlines|foreach)$/.test(name)) {
    const [path] = argumentsAfter(tokens, at + 2);
    if (path?.[0]?.value !== undefined && !path[0].value.trim().startsWith("|")) return;
  }
  if (CLASSES.has(text) || own.has(text) || /Error$|Exception$/.test(text) || KEYWORDS.has(text))
    return;
  if (
    name === "VERSION" ||
    (isOpen &&
      !/^(?:Kernel|Object|IO|Class|Module|Open3|Net|PTY|Fiddle|Marshal|Socket|TCPSocket|UDPSocket|Binding|Signal)$/.test(
        text,
      ))
  )
    return;
  findings.unknownName(text);
}

function judgeLoading({ findings, tokens }: Look, at: number): void {
  const given = argumentsAfter(tokens, at).flat();
  const said = given.length === 1 ? given[0]!.value : undefined;
  const isLoad = tokens[at]!.text === "load" || tokens[at]!.text === "require_relative";
  if (said === undefined) findings.ask("its script loads code that is only known when it runs");
  else if (isLoad || /^[./~]/.test(said))
    findings.loads.push(/\.\w+$/.test(said) ? said : `${said}.rb`);
  else if (RISKY_LIBRARIES.test(said)) findings.unknownName(said);
}

function judgeOpening(look: Look, at: number): void {
  const given = argumentsAfter(look.tokens, at);
  const said = given[0]?.length === 1 ? given[0][0]!.value : undefined;
  if (said === undefined || said.trim().startsWith("|"))
    look.findings.ask("its script opens what is only known when it runs");
  else judgeMode(look, given);
}

function judgeMode({ findings, tokens }: Look, given: readonly CodeToken[][]): void {
  const [path, mode] = given;
  const said = mode?.[0]?.value ?? (mode ? mode.map(({ text }) => text).join("") : "r");
  if (/^r?b?(?::.*)?$/.test(said) || /^encoding|^external_encoding/.test(said)) return;
  findings.change("writes", path, tokens);
}
