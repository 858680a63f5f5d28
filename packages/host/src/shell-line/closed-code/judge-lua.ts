// Lua one-liners: closed vocabulary. `os` and `io` are only known member by member; whoever passes
// them on, or asks them for a name that is put together, is asked about.

import { argumentsAfter, CodeFindings } from "./code-findings.ts";
import type { CodeToken } from "./code-token.ts";
import { luaTokens } from "./lua-tokens.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const KEYWORDS = words(
  "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
);
const GLOBALS = words(
  "print tostring tonumber type pairs ipairs next select unpack error assert pcall xpcall setmetatable rawlen rawequal collectgarbage _VERSION arg warn",
);
const LIBRARIES: Readonly<Record<string, ReadonlySet<string>>> = {
  string: words(
    "byte char find format gmatch gsub len lower match rep reverse sub upper pack unpack packsize",
  ),
  table: words("concat insert remove sort unpack pack move maxn"),
  math: words(
    "abs ceil floor sqrt sin cos tan asin acos atan exp log pow max min random randomseed pi huge fmod modf tointeger type ult maxinteger mininteger deg rad log10 atan2",
  ),
  os: words("time date clock getenv difftime exit setlocale tmpname"),
  io: words("write read lines stdout stderr stdin open close"),
  utf8: words("char charpattern codes codepoint len offset"),
  coroutine: words("create resume yield status wrap isyieldable running close"),
  bit: words("band bor bxor bnot lshift rshift arshift tohex tobit rol ror"),
  bit32: words("band bor bxor bnot lshift rshift arshift extract replace"),
  jit: words("version version_num os arch status on off"),
  package: words("path cpath config loaded"),
  vim: words("version inspect print"),
};
const METHODS = words(
  "byte char find format gmatch gsub len lower match rep reverse sub upper read lines write close seek flush setvbuf decode encode",
);
/** They reach past the language, or other machines. */
const RISKY_MODULES =
  /^(?:ffi|socket.*|ssl.*|posix.*|lfs|http.*|os|io|debug|package|alien|cffi|luv|uv|process|subprocess|lanes|curl|cURL.*|luasql.*|redis|pegasus|copas|zmq|jit\..*)$/;

export function judgeLua(code: string): CodeFindings {
  const findings = new CodeFindings();
  const tokens = luaTokens(code);
  const own = new Set<string>(["self"]);
  let loads = false;
  tokens.forEach(({ text, kind }, at) => {
    if (kind !== "name" || KEYWORDS.has(text)) return;
    const [before, after] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text];
    const isGiven = after === "=" || /^(?:function|local|for|\.|:)$/.test(before);
    if (isGiven && !Object.hasOwn(LIBRARIES, text) && text !== "_G") own.add(text);
    // Lists of names and parameters; calls are judged apart.
    if (
      (before === "," || before === "(") &&
      (after === "," || after === ")" || after === "=" || after === "in")
    )
      if (
        !Object.hasOwn(LIBRARIES, text) &&
        !/^(?:_G|_ENV|load|loadstring|dofile|loadfile|debug|package|require|getmetatable|getfenv|rawget)$/.test(
          text,
        )
      )
        own.add(text);
    if (text === "require") loads = true;
  });
  // A library that is given away may be called under another name.
  tokens.forEach(({ text, kind }, at) => {
    if (kind !== "name") return;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (before?.text === ":" && before.kind === "sign") {
      const isCall = after?.text === "(" || after?.kind === "text" || after?.text === "{";
      if (isCall && !METHODS.has(text) && !own.has(text)) findings.unknownName(text);
      return;
    }
    if (before?.text === "." && before.kind === "sign") {
      const owner = tokens[at - 2]?.text ?? "";
      if (!Object.hasOwn(LIBRARIES, owner) && text === "loadlib") findings.unknownName(text);
      return;
    }
    if (KEYWORDS.has(text)) return;
    if (Object.hasOwn(LIBRARIES, text)) judgeMember(findings, tokens, at);
    else if (text === "require") judgeRequire(findings, tokens, at);
    else if (text === "dofile" || text === "loadfile") {
      const said = argumentsAfter(tokens, at).flat()[0]?.value;
      if (said === undefined) findings.unknownName(text);
      else findings.loads.push(said);
    } else if (!GLOBALS.has(text) && !own.has(text) && !isKey(tokens, at))
      findings.unknownName(text);
    else if (
      own.has(text) &&
      !GLOBALS.has(text) &&
      isCallOf(tokens, at) &&
      !isFunction(tokens, text, loads)
    )
      findings.ask("its script calls what is only known when it runs");
  });
  return findings;
}

/** `{ name = 1 }` */
function isKey(tokens: readonly CodeToken[], at: number): boolean {
  return tokens[at + 1]?.text === "=" && /^[{,;]$/.test(tokens[at - 1]?.text ?? "");
}

function isCallOf(tokens: readonly CodeToken[], at: number): boolean {
  const after = tokens[at + 1];
  return tokens[at - 1]?.text !== "function" && (after?.text === "(" || after?.kind === "text");
}

/** `local function f`, `f = function`, `f = string.format`, a module of the project. */
function isFunction(tokens: readonly CodeToken[], name: string, loads: boolean): boolean {
  return tokens.some(
    ({ text }, at) =>
      text === name &&
      (tokens[at - 1]?.text === "function" ||
        tokens[at - 2]?.text === "function" ||
        (tokens[at + 1]?.text === "=" &&
          (tokens[at + 2]?.text === "function" ||
            tokens[at + 2]?.text === "setmetatable" ||
            Object.hasOwn(LIBRARIES, tokens[at + 2]?.text ?? "") ||
            (loads && tokens[at + 2]?.text === "require")))),
  );
}

function judgeMember(findings: CodeFindings, tokens: readonly CodeToken[], at: number): void {
  const library = tokens[at]!.text;
  const member = tokens[at + 1]?.text === "." ? tokens[at + 2]?.text : undefined;
  if (member !== undefined && LIBRARIES[library]!.has(member)) {
    if (library === "io" && member === "open") {
      const [path, mode] = argumentsAfter(tokens, at + 2);
      const said = mode ? mode[0]?.value : "r";
      if (said === undefined || !/^rb?$/.test(said)) findings.change("writes", path, tokens);
    }
    if (library === "package" && tokens[at + 3]?.text === "=") findings.unknownName("package.path");
    return;
  }
  const given = argumentsAfter(tokens, at + 2);
  if (library === "os" && member === "execute") findings.run(given[0], tokens);
  else if (library === "io" && member === "popen") findings.run(given[0], tokens);
  else if (library === "os" && member === "remove") findings.change("deletes", given[0], tokens);
  else if (library === "os" && member === "rename")
    for (const each of given) findings.change("writes", each, tokens);
  else findings.unknownName(member === undefined ? library : `${library}.${member}`);
}

function judgeRequire(findings: CodeFindings, tokens: readonly CodeToken[], at: number): void {
  const said = argumentsAfter(tokens, at).flat()[0]?.value;
  if (said === undefined || !/^[\w.-]+$/.test(said) || RISKY_MODULES.test(said))
    findings.unknownName(said === undefined ? "require" : said);
}
