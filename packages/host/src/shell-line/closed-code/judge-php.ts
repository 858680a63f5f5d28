// PHP one-liners: closed vocabulary of functions, classes and methods; functions by a name in a
// variable or in a text ask, unless the text is in the vocabulary.

import { argumentsAfter, CodeFindings } from "./code-findings.ts";
import type { CodeToken } from "./code-token.ts";
import { phpTokens } from "./php-tokens.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const KEYWORDS = words(`
  if else elseif while for foreach do switch case default break continue return function fn use echo print as new instanceof insteadof class interface trait enum extends implements abstract final public private protected static const var global namespace try catch finally throw match yield clone isset unset empty list array exit die true false null and or xor endif endforeach endwhile endfor int float string bool void mixed object iterable callable self parent never readonly declare strict_types goto from
`);
const FUNCTIONS = words(`
  var_dump var_export print_r printf sprintf vsprintf vprintf number_format json_encode json_decode json_last_error json_last_error_msg serialize phpversion php_sapi_name php_uname phpinfo zend_version php_ini_loaded_file php_ini_scanned_files extension_loaded get_loaded_extensions get_extension_funcs function_exists class_exists method_exists property_exists interface_exists defined constant ini_get ini_get_all ini_set set_time_limit error_reporting memory_get_usage memory_get_peak_usage sys_get_temp_dir getmypid gethostname get_current_user getcwd get_include_path gc_collect_cycles version_compare opcache_get_status opcache_get_configuration
  strlen str_replace str_ireplace substr substr_count substr_replace strpos stripos strrpos strripos strstr stristr strrchr strtolower strtoupper ucfirst lcfirst ucwords trim ltrim rtrim chop explode implode join str_split mb_str_split str_pad str_repeat strrev str_contains str_starts_with str_ends_with str_word_count wordwrap nl2br htmlspecialchars htmlspecialchars_decode htmlentities html_entity_decode strip_tags addslashes stripslashes similar_text levenshtein soundex metaphone strcmp strcasecmp strncmp strncasecmp strnatcmp strnatcasecmp chunk_split nl_langinfo sprintf sscanf vsprintf ord chr bin2hex dechex hexdec bindec decbin octdec decoct base_convert md5 sha1 crc32 hash hash_algos hash_file md5_file sha1_file hash_hmac base64_encode urlencode rawurlencode urldecode rawurldecode http_build_query parse_url parse_str uniqid random_int random_bytes rand mt_rand mt_srand srand password_hash password_verify password_get_info crypt mb_strlen mb_substr mb_strtolower mb_strtoupper mb_strpos mb_convert_case mb_convert_encoding mb_detect_encoding mb_internal_encoding mb_check_encoding iconv utf8_encode utf8_decode ctype_digit ctype_alpha ctype_alnum ctype_upper ctype_lower ctype_space ctype_xdigit ctype_punct quotemeta preg_match preg_match_all preg_replace preg_split preg_quote preg_grep preg_last_error preg_last_error_msg preg_replace_callback strtr nl2br lcg_value
  count sizeof in_array array_search array_keys array_values array_key_exists key_exists array_key_first array_key_last array_merge array_merge_recursive array_replace array_combine array_flip array_fill array_fill_keys array_pad array_slice array_splice array_chunk array_column array_diff array_diff_key array_diff_assoc array_intersect array_intersect_key array_intersect_assoc array_unique array_reverse array_sum array_product array_push array_pop array_shift array_unshift array_rand array_count_values array_is_list array_map array_filter array_reduce array_walk array_change_key_case usort uasort uksort sort rsort asort arsort ksort krsort natsort natcasesort shuffle range compact current key next prev end reset min max abs floor ceil round sqrt pow exp log log10 log2 sin cos tan pi fmod intdiv is_nan is_finite is_infinite array_multisort iterator_to_array iterator_count array_find array_any array_all
  is_array is_string is_int is_integer is_float is_bool is_null is_numeric is_object is_callable is_iterable is_countable is_scalar is_resource gettype get_debug_type get_class get_parent_class get_object_vars get_class_methods get_class_vars settype intval floatval strval boolval spl_object_id func_get_args func_num_args
  date time mktime gmdate gmmktime strtotime checkdate microtime hrtime date_default_timezone_get date_default_timezone_set getdate localtime date_create date_diff date_parse idate usleep sleep timezone_identifiers_list cal_days_in_month
  file_get_contents file fread fgets fgetc feof fclose fgetcsv ftell fseek rewind fwrite fputs fprintf fputcsv readfile file_exists is_file is_dir is_link is_readable is_writable filesize filemtime fileperms filetype stat basename dirname pathinfo realpath glob scandir opendir readdir closedir disk_free_space disk_total_space stream_get_contents parse_ini_file parse_ini_string simplexml_load_string simplexml_load_file yaml_parse yaml_parse_file str_getcsv getenv array_flip error_get_last set_error_handler trigger_error assert_options debug_zval_refcount debug_print_backtrace libxml_use_internal_errors libxml_get_errors ob_get_clean ob_start ob_get_contents flush fflush getopt readline bcadd bcsub bcmul bcdiv bcmod bcpow bccomp gmp_add gmp_mul gmp_strval gmp_init ip2long long2ip filter_var inet_pton checkdnsrr numfmt_format locale_get_default grapheme_strlen normalizer_normalize ctype_cntrl highlight_string token_get_all token_name openssl_get_cipher_methods curl_version gd_info imagetypes sodium_version_string posix_getpid cli_set_process_title
`);
/** Which argument is a function. */
const CALLBACK: Readonly<Record<string, number>> = {
  array_map: 0,
  array_filter: 1,
  array_reduce: 1,
  array_walk: 1,
  usort: 1,
  uasort: 1,
  uksort: 1,
  preg_replace_callback: 1,
  set_error_handler: 0,
  ob_start: 0,
  array_find: 1,
  array_any: 1,
  array_all: 1,
};
const CHANGING: Readonly<Record<string, "writes" | "deletes">> = {
  file_put_contents: "writes",
  touch: "writes",
  mkdir: "writes",
  rename: "writes",
  copy: "writes",
  unlink: "deletes",
  rmdir: "deletes",
  chmod: "writes",
  tempnam: "writes",
  yaml_emit_file: "writes",
};
const CLASSES =
  /^(?:DateTime|DateTimeImmutable|DateInterval|DatePeriod|DateTimeZone|ArrayObject|ArrayIterator|SplStack|SplQueue|SplObjectStorage|SplFixedArray|stdClass|DOMDocument|DOMXPath|SimpleXMLElement|\w*Exception|\w*Error|ReflectionClass|ReflectionFunction|ReflectionMethod|ReflectionExtension|IntlDateFormatter|NumberFormatter|Collator|Closure|Generator|WeakMap|RecursiveDirectoryIterator|RecursiveIteratorIterator|DirectoryIterator|FilesystemIterator|GlobIterator|RegexIterator)$/;
const METHODS = words(`
  format modify add sub diff setTimezone getTimezone setDate setTime getTimestamp setTimestamp createFromFormat getOffset getName loadXML loadHTML getElementsByTagName getElementById saveXML saveHTML query evaluate item getAttribute textContent nodeValue xpath children attributes asXML getMessage getTraceAsString getCode getFile getLine getPrevious getMethods getProperties getShortName getParentClass getVersion getConstants getParameters getDocComment isInterface count current key next valid rewind push pop enqueue dequeue attach contains offsetGet offsetExists toArray getPathname getFilename getExtension getSize isDir isFile getBasename getRealPath getMTime cases tryFrom from now
`);
const RISKY =
  /^(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_\w+|eval|assert|create_function|call_user_func\w*|forward_static_call\w*|func_overload|register_\w+|mail|error_log|dl|fsockopen|pfsockopen|socket_\w+|stream_socket_\w+|curl_\w+|ftp_\w+|unlink|rmdir|rename|copy|chmod|chown|chgrp|symlink|link|touch|mkdir|file_put_contents|move_uploaded_file|unserialize|extract|putenv|apache_\w+|posix_\w+|ini_alter|ini_restore|header_register_callback|spl_autoload_register|delete|truncate|drop|destroy|forceDelete|invoke|invokeArgs|newInstance\w*|fopen)$/i;

interface Look {
  findings: CodeFindings;
  tokens: readonly CodeToken[];
  own: ReadonlySet<string>;
  callable: ReadonlySet<string>;
  isOpen: boolean;
}

export function judgePhp(code: string, { isBare = true } = {}): CodeFindings {
  const findings = new CodeFindings();
  const tokens = phpTokens(code, { isBare: isBare && !/<\?(?:php|=)/.test(code) });
  const own = new Set<string>();
  const callable = new Set<string>();
  tokens.forEach(({ text, kind }, at) => {
    if (kind !== "name") return;
    if (/^(?:function|class|interface|trait|enum)$/.test(text) && tokens[at + 1]?.kind === "name")
      own.add(tokens[at + 1]!.text.toLowerCase());
    if (/^(?:function|fn|static)$/.test(text) && tokens[at - 1]?.text === "=")
      callable.add(tokens[at - 2]?.text ?? "");
  });
  const isOpen = tokens.some(
    ({ text }, at) =>
      /^(?:require|include)(?:_once)?$/.test(text) &&
      tokens
        .slice(at + 1, at + 5)
        .some(({ text: path }) => /vendor\/|bootstrap|wp-load/.test(path)),
  );
  const look: Look = { findings, tokens, own, callable, isOpen };
  tokens.forEach((token, at) => {
    if (token.kind === "command") findings.run([{ ...token, kind: "text" }], tokens);
    else if (token.kind === "name") judgeName(look, at);
    else if (token.text === "(" && token.kind === "sign") judgeCall(look, at);
    else if (token.text === "$") findings.ask("its script calls what is only known when it runs");
  });
  return findings;
}

/** `$f(…)`, `$x->$y(…)`, `(…)(…)`, `"f"(…)` */
function judgeCall({ findings, tokens, callable }: Look, at: number): void {
  const before = tokens[at - 1];
  const isClosure =
    before?.text === ")" && tokens.some(({ text }) => /^(?:function|fn)$/.test(text));
  const isDynamic =
    (before?.kind === "variable" && !callable.has(before.text)) ||
    before?.kind === "text" ||
    before?.text === "]" ||
    (before?.text === ")" && !isClosure && !isControl(tokens, at - 1)) ||
    (before?.text === "}" && tokens[at - 2]?.kind !== "sign");
  if (isDynamic) findings.ask("its script calls what is only known when it runs");
}

/** `if (…) (…)`: the bracket before belongs to a statement. */
function isControl(tokens: readonly CodeToken[], close: number): boolean {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (tokens[at]!.text === ")") depth++;
    if (tokens[at]!.text === "(" && --depth === 0)
      return /^(?:if|while|for|foreach|switch|elseif)$/.test(tokens[at - 1]?.text ?? "");
  }
  return false;
}

function judgeName(look: Look, at: number): void {
  const { findings, tokens, own, isOpen } = look;
  const text = tokens[at]!.text.replace(/^\\/, "");
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  const lower = text.toLowerCase();
  if (/^(?:require|include)(?:_once)?$/.test(lower)) {
    const given = argumentsAfter(tokens, at).flat();
    const literal = given.findLast(({ kind }) => kind === "text")?.value;
    const isOwn = given.every(
      ({ kind, text: part }) => kind === "text" || /^(?:__DIR__|\.)$/.test(part),
    );
    if (literal === undefined || !isOwn)
      findings.ask("its script loads code that is only known when it runs");
    else findings.loads.push(given.length > 1 ? literal.replace(/^\//, "") : literal);
    return;
  }
  if (before?.text === "function" || KEYWORDS.has(lower)) return;
  const isMethod = before?.kind === "sign" && /^(?:->|\?->|::)$/.test(before.text);
  if (isMethod) {
    if (after?.text !== "(" || METHODS.has(text) || own.has(lower)) return;
    if (isOpen && !RISKY.test(text)) return;
    findings.unknownName(text);
    return;
  }
  if (before?.text === "new" || after?.text === "::") {
    if (
      !CLASSES.test(text) &&
      !own.has(lower) &&
      !isOpen &&
      !/^(?:self|static|parent)$/.test(lower)
    )
      if (!(after?.text === "::" && tokens[at + 3]?.text !== "(")) findings.unknownName(text);
    return;
  }
  if (after?.text !== "(") return;
  const change = Object.hasOwn(CHANGING, lower) ? CHANGING[lower] : undefined;
  const given = argumentsAfter(tokens, at);
  if (change) {
    const paths =
      lower === "rename" ? given : lower === "copy" ? given.slice(1, 2) : given.slice(0, 1);
    for (const each of paths) findings.change(change, each, tokens);
    if (paths.length === 0) findings.change(change, undefined, tokens);
  } else if (lower === "fopen") {
    const mode = given[1]?.[0]?.value;
    const isStream = /^php:\/\/(?:stdin|stdout|stderr|memory|temp|output)/.test(
      given[0]?.[0]?.value ?? "",
    );
    if (mode === undefined || (!/^rb?$/.test(mode) && !isStream))
      findings.change("writes", given[0], tokens);
  } else if (/^(?:system|exec|shell_exec|passthru|popen|proc_open)$/.test(lower)) {
    findings.run(given[0], tokens);
  } else if (FUNCTIONS.has(lower)) {
    const callback = Object.hasOwn(CALLBACK, lower) ? CALLBACK[lower] : undefined;
    const value = callback === undefined ? undefined : given[callback];
    if (value && value.length > 0) judgeCallback(look, value);
  } else if (!own.has(lower) && (!isOpen || RISKY.test(text))) findings.unknownName(text);
}

function judgeCallback({ findings, own, callable }: Look, value: readonly CodeToken[]): void {
  const [first] = value;
  if (/^(?:function|fn|static|null)$/i.test(first!.text)) return;
  const name = first!.kind === "text" ? first!.value?.toLowerCase() : undefined;
  if (name !== undefined && value.length === 1 && (FUNCTIONS.has(name) || own.has(name))) return;
  if (first!.kind === "variable" && value.length === 1 && callable.has(first!.text)) return;
  // `strlen(...)`
  if (first!.kind === "name" && value[2]?.text === "...") return;
  findings.ask("its script calls what is only known when it runs");
}
