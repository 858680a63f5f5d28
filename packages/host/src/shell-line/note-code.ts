// Code of other languages that stands in a command line: what it writes, deletes, runs, fetches and
// sends. Python and JavaScript are read by their syntax, other languages by the words that are in
// them. It errs on the side of asking.

import type { CodeEffects, CodePath } from "../code-reading/code-effects.ts";
import { judgeJavaScript, judgePython } from "../code-reading/judge-code.ts";
import { addReads, addTargets, targetsOf, type CommandCall } from "./command-call.ts";
import type { CommandEffects } from "./command-effects.ts";
import { knownField, unknownField, type Field } from "./field.ts";
import { judgeCommandsIn } from "./judge-unknown.ts";
import { NO_INPUT } from "./no-input.ts";
import { noteCodeLinks, noteLoaded } from "./note-loaded.ts";
import { isOwnersHost, isSecretVariable } from "./secret-variable.ts";

export const FETCHING =
  /urlopen|urlretrieve|urllib|requests\.|httpx|aiohttp|fetch\(|LWP::|Net::HTTP|open-uri|URI\.open|https?\.(?:get|request)|['"](?:node:)?https?['"]|axios|XMLHttpRequest|WebSocket|socket|smtplib|ftplib|telnetlib|IO::Socket|curl_exec|Invoke-(?:WebRequest|RestMethod)|\biwr\b|\birm\b|file_get_contents\(\s*['"]http/i;
const RUNNING =
  /\bexec\w*\b|\beval\b|\bsystem\b|subprocess|popen|spawn|child_process|Function\(|Bun\.\$|\$`|Process\.|\bqx\b|%x|passthru|shell_exec|proc_open/i;
export const DELETING =
  /rmtree|os\.(?:remove|unlink|rmdir|removedirs|rename|replace|truncate)|\.unlink\(|\brm\s+-[a-z]*[rf]|rmSync|unlinkSync|rmdirSync|fs\.(?:rm|unlink|rmdir|truncate)|promises\.(?:rm|unlink|rmdir)|FileUtils\.(?:rm|mv|remove)|File\.(?:delete|unlink|rename)|Dir\.(?:rmdir|delete)|\bunlink\b|\brmdir\b|Deno\.remove|\bremove_tree\b|shutil\.move|Remove-Item|\brimraf\b|(?<!(?:def|function)\s+)\brm\(|File\.rm|\bdelete-file\b|\bdelete-directory\b|\bfile delete\b|file\.remove\(|\bunlink\(|file:del|removeDirectory|removeFile|os\.Remove|fs::remove|Files\.delete|deleteRecursively|deleteDir\(|\bdelete\s*\(?\s*["']|\.delete\(\)|FileUtils\.delete/;
export const WRITING =
  /open\s*\([^)]*['"](?:[wax]b?\+?|r\+b?|[wax]t)['"]|open\s*\(?\s*\w*[^)]*,?\s*['"]\s*\+?>|\bopen\b[^;]*['"]>|write_text|write_bytes|\.write\(|writeFile|appendFile|createWriteStream|copyfile|copytree|copy2?\(|symlink|chmod|mkdir|makedirs|File\.(?:write|open|symlink|chmod)|IO\.write|fopen|file_put_contents|Deno\.write|Bun\.write|os\.(?:link|symlink|chmod|chown)|touch\(|Path\([^)]*\)\.touch|FileUtils|copySync|cpSync|renameSync|rename\(|Set-Content|Out-File|savetxt|to_csv|dump\(/;
const AT_HOME =
  /expanduser|Path\.home|homedir|process\.env\.HOME|ENV\[?['"({]HOME|\$ENV\{['"]?HOME|os\.environ|getenv|Dir\.home|Deno\.env|Bun\.env|%ENV|\$HOME|~\//;
/** Words that hide other words. */
const HIDING =
  /b64decode|base64_decode|gzinflate|str_rot13|hex2bin|base64\.|Buffer\.from\([^)]*,\s*['"](?:base64|hex)|atob\(|fromCharCode|__import__|getattr\(\s*(?:os|shutil|builtins|__builtins__)|\bchr\(\d|compile\(|marshal|codecs\.decode|unhexlify|decode64|pack\(\s*['"][HhCmu]|eval\s*\(?\s*(?:unescape|decode|pack)|globalThis\[|require\(\s*[^'")]/;
export const LITERAL = /(["'`])((?:[^\\\n]|\\.)*?)\1/g;
/** More literals than that nobody writes on a line. */
const MAX_LITERALS = 500;

const PYTHON = /^(?:python|pypy)/;
const JAVASCRIPT = /^(?:node|nodejs|bun|deno|ts-node|tsx)$/;

export function isReadBySyntax(program: string): boolean {
  return PYTHON.test(program) || JAVASCRIPT.test(program);
}

/** `file`: the argument that names it, if it is in a file. */
export function noteCode(given: CommandCall, code: string, file?: Field): void {
  // What it reads from its input is gone when it starts something else.
  const isInput = given.input.text === code;
  const call = isInput
    ? { ...given, input: { ...given.input, text: undefined, isPresent: false } }
    : given;
  const { home, temporary, code: session } = call.context;
  const at = call.args.findIndex((each) => (file ? each === file : each.text === code));
  const script = file && targetsOf(call, file)[0]?.path;
  const world = {
    home,
    cwd: call.state.directories?.length === 1 ? call.state.directories[0] : undefined,
    temporary: temporary[0],
    hasHelpers: session !== undefined,
    script,
    // A kernel has a command line of its own.
    argv: at < 0 || session ? undefined : call.args.slice(at + 1).map(({ text }) => text),
  };
  // A script that starts one which only the shell knows may start itself.
  const key = JSON.stringify([call.name, code, world.argv]);
  if (READING.has(key)) return;
  READING.add(key);
  try {
    if (PYTHON.test(call.name))
      noteReading(call, judgePython(code, { ...world, memory: session?.python }), script);
    else if (JAVASCRIPT.test(call.name))
      noteReading(call, judgeJavaScript(code, { ...world, memory: session?.javascript }), script);
    else noteWords(call, code);
  } finally {
    READING.delete(key);
  }
}

/** What is being read just now; it is empty in between. */
const READING = new Set<string>();

/** Files that code in a command writes, which the command itself does not run, and the code's own. */
const OWN_WRITING = new WeakMap<CommandEffects, ReadonlySet<string>>();

export function isOwnWriting({ effects }: CommandCall, path: string): boolean {
  return OWN_WRITING.get(effects)?.has(path) === true;
}

/** What was read in the code becomes what the command does. */
function noteReading(call: CommandCall, found: CodeEffects, script: string | undefined): void {
  const { effects, context, walk } = call;
  const fields = (paths: readonly CodePath[]): Field[] =>
    paths.map(({ text, isPattern }) =>
      text === undefined
        ? unknownField()
        : knownField(text.replace(/^~(?=\/|$)/, context.home), isPattern),
    );
  noteCodeLinks(call, found);
  for (const list of ["writes", "overwrites", "deletes"] as const)
    addTargets(call, list, fields(found[list]));
  // What it puts into them is not known; whoever runs one of them runs that.
  const own = fields([...found.writes, ...found.overwrites])
    .flatMap((field) => targetsOf(call, field))
    .flatMap(({ path }) => path ?? []);
  for (const path of own) walk.written.set(path, "unknown");
  OWN_WRITING.set(effects, new Set(script === undefined ? own : [...own, script]));
  noteContents(call, found.written, fields);
  addReads(call, fields(found.reads));
  addReads(call, fields(found.deepReads), { isDeep: true });
  // What it lists and reads, it can send.
  if (found.sends)
    for (const each of effects.mayReadSecrets)
      if (!effects.readsSecrets.includes(each)) effects.readsSecrets.push(each);
  effects.network ||= found.network;
  effects.sends ||= found.sends;
  effects.downloads ||= found.downloads;
  effects.downloadsAndExecutes ||= found.downloadsAndExecutes;
  effects.critical.push(...found.critical);
  effects.unknown.push(...found.unknown);
  effects.readsSecrets.push(...found.readsSecrets);
  for (const { path } of fields(found.downloaded).flatMap((field) => targetsOf(call, field)))
    if (path !== undefined) walk.downloaded.add(path);
  // What flows into the code does not flow into what it starts.
  const inner = { ...call, input: NO_INPUT };
  for (const line of found.commands) walk.runText(inner, line);
  noteLoaded(call, found);
}

/** Unless it says what: several texts for one file come one after the other. */
function noteContents(
  call: CommandCall,
  written: CodeEffects["written"],
  fields: (paths: readonly CodePath[]) => Field[],
): void {
  const contents = new Map<string, string | undefined>();
  for (const { path: own, text } of written)
    for (const { path } of fields([own]).flatMap((field) => targetsOf(call, field))) {
      if (path === undefined) continue;
      const before = contents.has(path) ? contents.get(path) : "";
      contents.set(path, before === undefined || text === undefined ? undefined : before + text);
    }
  for (const [path, text] of contents)
    if (text !== undefined) call.walk.written.set(path, { text, isPart: false });
}

/** Code with values in it that only the shell knows: by its words, as the command line has them. */
export function noteOpenCode(call: CommandCall, { secrets = [] }: Field): void {
  // From where it is quoted: what stands before is the command that runs it.
  noteWords(call, call.node.text.replace(/^[^"']*["']?/, ""));
  if (!call.effects.network) return;
  for (const secret of secrets)
    if (!call.effects.readsSecrets.includes(secret)) call.effects.readsSecrets.push(secret);
}

/** `isRead`: what it writes and deletes has been read off by another judge. */
export function noteWords(
  call: CommandCall,
  code: string,
  { isRead = false }: { isRead?: boolean } = {},
): void {
  const { effects } = call;
  const isFetching = FETCHING.test(code);
  noteEnvironment(call, code);
  if (isFetching && RUNNING.test(code)) effects.downloadsAndExecutes = true;
  if (isFetching) {
    effects.network = true;
    effects.downloads = true;
    effects.sends = true;
  }
  judgeCommandsIn(call, code);
  // `os.execute("curl …" .. os.getenv(…))`
  if (effects.network && effects.readsSecrets.length > 0) effects.sends = true;
  if (!isRead && DELETING.test(code)) effects.unknown.push("its script deletes files");
  if (HIDING.test(code)) effects.unknown.push("its script hides what it does");
  const paths = literalsOf(code, call.context.home).map((path) => knownField(path));
  addReads(call, paths);
  if (isRead || !WRITING.test(code)) return;
  const far = paths.filter((path) =>
    targetsOf(call, path).some(({ place, guard }) => place === "outside" || guard !== undefined),
  );
  addTargets(call, "overwrites", far);
  if (AT_HOME.test(code)) effects.unknown.push("its script may write outside the workspace");
}

/** Each place that looks into the environment, with the name if one is given. */
const ENVIRONMENT =
  /os\.environb?(?:\.(?:get|pop|setdefault)\(\s*|\[\s*)?(?:['"](\w+)['"])?|os\.getenv\(\s*['"](\w+)['"]|process\.env(?:\.(\w+)|\[\s*['"](\w+)['"])?|(?:Bun|Deno)\.env(?:\.get\(\s*['"](\w+)['"]|\.(?!get|toObject|has)(\w+))?|import\.meta\.env(?:\.(\w+))?|\$ENV\{\s*['"]?(\w+)|%ENV\b|\bENV(?:\.fetch\(\s*['"](\w+)['"]|\[\s*['"](\w+)['"])|\bENV\.(?:to_h|to_a|each|map|inspect|select)|\bp ENV\b|(?<![\w])getenv\(\s*(?:['"](\w+)['"])?|\$_(?:ENV|SERVER)(?:\[\s*['"](\w+)['"])?|Sys\.getenv\(\s*(?:['"](\w+)['"])?|System\.(?:get_?env|getenv)\(\s*(?:['"](\w+)['"])?|os\.Environ\(|os\.Getenv\(\s*"(\w+)"|\$env:(\w+)|env::vars?\(\s*(?:"(\w+)")?/g;
/** Handed on to a program that is started, as every program hands it on. */
const HANDED_ON =
  /\benv\s*[:=]\s*(?:\{\s*(?:\.\.\.|\*\*)\s*)?(?:dict\()?(?:process\.env|os\.environ|Bun\.env)(?:\.copy\(\))?(?![.[\w])/g;

const ONLY_LOOKING =
  /^(?:tsc|vue-tsc|svelte-check|eslint|prettier|biome|oxlint|stylelint|tslint|standard|xo|ruff|black|isort|mypy|pyright|flake8|pylint|bandit|pyflakes|dprint|swc|esbuild|knip|depcheck|madge|cspell|py_compile|compileall)$/;

/** Keys of the environment may go to whom they are for, if the code names nobody else. */
export function noteEnvironment({ effects, name, args }: CommandCall, code: string): void {
  // Whoever only compiles or checks it, does not run it.
  if ([name, args[0]?.text, args[1]?.text].some((each) => ONLY_LOOKING.test(each ?? ""))) return;
  const hosts = [...code.matchAll(/\b(?:https?|wss?):\/\/([\w.-]+)/g)].map((match) => match[1]!);
  for (const match of code.replace(HANDED_ON, "").matchAll(ENVIRONMENT)) {
    const name = match.slice(1).find((group) => group !== undefined);
    const isRead = name === undefined || (isSecretVariable(name) && !isOwnersHost(name, hosts));
    const what = name === undefined ? "the environment" : `$${name}`;
    if (isRead && !effects.readsSecrets.includes(what)) effects.readsSecrets.push(what);
  }
}

/** What may be paths: absolute ones, those at home, those that go up or begin with a dot. */
export function literalsOf(code: string, home: string): string[] {
  const found: string[] = [];
  for (const [, , literal] of code.matchAll(LITERAL)) {
    // `">/etc/x"`: perl opens it for writing.
    const text = literal?.replace(/^\s*[+<>|&]+\s*/, "");
    if (found.length >= MAX_LITERALS) break;
    if (/^(?:\/|~\/|\.)[^\s*?]*$/.test(text!) && text!.length > 1)
      found.push(text!.replace(/^~(?=\/)/, home));
  }
  return found;
}

/** `python3 -c …`, `node -e …` */
export function isReadCode({ name, args }: CommandCall): boolean {
  return (
    /^(?:python|pypy|node|nodejs|bun|deno|ts-node|tsx)/.test(name) &&
    args.every(({ secrets }) => secrets === undefined || secrets.length === 0) &&
    args.some(({ text }) => /^(?:-[a-zA-Z]*[cep]|--eval|--print|eval)$/.test(text ?? ""))
  );
}
