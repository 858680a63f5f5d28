// Languages of database clients: commands of sqlite3, duckdb, psql and mysql that run programs, load
// code or write files, and statements that do so.

import { addReads, addTargets, type CommandCall } from "../command-call.ts";
import { knownField } from "../field.ts";
import { judgeProgramValue } from "../judge-unknown.ts";
import { noteCode } from "../note-code.ts";
import { contentOf, judgeLoaded } from "./run-file.ts";

const OPEN = "its script may run, load or write something";

function home(call: CommandCall, path: string): string {
  return path.replace(/^~(?=\/|$)/, call.context.home);
}

/** All that a client is told: operands, options with statements, its input. */
function textsOf({ args, input }: CommandCall): string[] {
  return [...args.map(({ text, prefix }) => text ?? prefix), input.text ?? ""];
}

/** Scripts that this line has written or prints, and that are given to it. */
function contentsOf(call: CommandCall): string[] {
  return [...call.args, call.input.file].flatMap(
    (field) => field?.printed ?? contentOf(call, field) ?? [],
  );
}

const QUIET_DOT =
  /^\.(?:tables?|schema|mode|headers?|dump|indexes|indices|index|databases|quit|exit|q|width|separator|timer|stats|explain|help|show|nullvalue|print|echo|fullschema|dbinfo|changes|bail|timeout|eqp|limit|lint|parameter|sha3sum|expert|prompt|version|columns?|maxrows|maxwidth|rows|constant|highlight|progress|scanstats|selftest|session|vfsinfo|vfslist|dbconfig|auth|binary|crlf|cell\w*|large_\w+|thousand_sep|decimal_sep)\b/;
const DOT_WRITES = /^\.(?:output|once|backup|save|open|clone|log|trace|www)\b\s*(.*)$/s;

/** `sqlite3`, `duckdb`: commands that begin with a dot, and functions that reach files. */
export function judgeDotCommands(call: CommandCall): void {
  const { effects } = call;
  for (const text of [...textsOf(call), ...contentsOf(call)]) {
    for (const line of text.split("\n")) if (/^\s*\.[a-z]/.test(line)) judgeDot(call, line.trim());
    judgeFileFunctions(call, text);
  }
  const init = call.args.findIndex(({ text }) => /^--?init$/.test(text ?? ""));
  if (init >= 0 && call.args[init + 1]?.text !== "/dev/null")
    effects.unknown.push("it obeys a file of commands");
}

function judgeDot(call: CommandCall, line: string): void {
  const { effects } = call;
  const words = line.replace(/["']/g, "").split(/\s+/).slice(1);
  const path = words.findLast((word) => !word.startsWith("-"));
  const run = /^\.(?:shell|system)\s+(.*)$/s.exec(line)?.[1];
  if (run !== undefined) judgeProgramValue(call, knownField(run));
  else if (
    /^\.(?:load|excel|edit|cd|ar|archive|restore|testctrl|unmodule|recover|filectrl|imposter|connection)\b/.test(
      line,
    )
  )
    effects.unknown.push(OPEN);
  else if (/^\.(?:read|import)\b/.test(line)) {
    const piped = /^\.\w+\s+(?:-\S+\s+)*["']?\|\s*(.*?)["']?(?:\s+\w+)?$/s.exec(line)?.[1];
    if (piped !== undefined) judgeProgramValue(call, knownField(piped));
    else if (line.startsWith(".read") && path !== undefined) judgeRead(call, path);
  } else if (DOT_WRITES.test(line)) {
    const rest = DOT_WRITES.exec(line)![1]!;
    if (/^["']?\|/.test(rest))
      judgeProgramValue(call, knownField(rest.replace(/^["']?\|\s*|["']$/g, "")));
    else if (/^-[ex]\b/.test(rest) || line.startsWith(".www")) effects.unknown.push(OPEN);
    else if (path !== undefined && !/^(?:stdout|stderr|off|:memory:|main)$/.test(path))
      addTargets(call, "overwrites", [knownField(home(call, path))]);
  } else if (!QUIET_DOT.test(line) && !isPath(line)) effects.unknown.push(OPEN);
}

/** `.env`, `./dev.db` */
function isPath(line: string): boolean {
  return !/\s/.test(line);
}

/** A script of the project is the project's; one of this line is read. */
function judgeRead(call: CommandCall, path: string): void {
  const field = knownField(home(call, path));
  judgeLoaded(call, field);
  const content = contentOf(call, field) ?? "";
  for (const line of content.split("\n"))
    if (/^\s*\.[a-z]/.test(line) && !/^\s*\.read/.test(line)) judgeDot(call, line.trim());
}

/** Functions and statements in which a file is named. */
function judgeFileFunctions(call: CommandCall, given: string): void {
  const { effects } = call;
  const text = plainSql(given);
  if (/\b(?:load_extension|fts3_tokenizer|edit)\s*\(/i.test(text)) effects.unknown.push(OPEN);
  const targets = [
    ...text.matchAll(/\bvacuum\b[^;]*?\binto\s+['"]([^'"]+)['"]/gi),
    ...text.matchAll(/\battach\b(?:\s+database)?(?:\s+if\s+not\s+exists)?\s+['"]([^'"]+)['"]/gi),
    ...text.matchAll(/\bwritefile\s*\(\s*'([^']+)'/gi),
    ...text.matchAll(/\bcopy\b[^;]*?\bto\s+'([^']+)'/gi),
    ...text.matchAll(/\bexport\s+database\s+'([^']+)'/gi),
    ...text.matchAll(/\binto\s+function\s+file\s*\(\s*'([^']+)'/gi),
    ...text.matchAll(/\binto\s+(?:outfile|dumpfile)\s+'([^']+)'/gi),
  ].map((match) => match[1]!);
  addTargets(
    call,
    "overwrites",
    targets
      .filter((path) => !/^:memory:|^\w+:\/\/|^file:/.test(path))
      .map((path) => knownField(home(call, path))),
  );
  if (/\bwritefile\s*\(\s*(?!')/i.test(text) || /\bvacuum\b[^;]*\binto\s+(?!['"])/i.test(text))
    effects.unknown.push(OPEN);
  if (
    /\binstall\s+\S+\s+from\b|\bload\s+'[^']*[/\\]|\bset\s+(?:custom_extension_repository|allow_unsigned_extensions)\b/i.test(
      text,
    )
  )
    effects.unknown.push(OPEN);
  const read = [...text.matchAll(/\b(?:readfile|read_\w+|infile)\s*\(?\s*'([^']+)'/gi)].map(
    (match) => match[1]!,
  );
  addReads(
    call,
    read.filter((path) => !/^\w+:\/\//.test(path)).map((path) => knownField(home(call, path))),
  );
  if (/'(?:https?|s3|gcs|gs|az|r2):\/\//i.test(text)) {
    effects.network = true;
    if (/\|\||\bcontent\b|\bconcat\s*\(/i.test(text)) effects.sends = true;
  }
}

/** Comments split words that belong together; those with an exclamation mark are run. */
function plainSql(text: string): string {
  return text
    .replace(/\/\*!\d*\s?/g, " ")
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replaceAll("*/", " ");
}

const HIDDEN_LOSS =
  /\b(?:drop|truncate)\s+(?:table|database|schema|view|index|user|role)\b|\bdelete\s+from\b|\bmerge\b[^;]*\bthen\s+delete\b|\bpg_terminate_backend\b|\bpg_cancel_backend\b|\breset\s+(?:master|slave|binary)\b|\balter\s+table\b[^;]*\bdelete\s+where\b|\bpg_(?:read|ls|write)\w*file\w*\b|\bdo\s+\$\w*\$[\s\S]*\bexecute\b|\bprepare\b[^;]*\bfrom\s+(?:@|concat)/i;

/** `psql`, `mysql` and their kin. */
export function judgeClientCommands(call: CommandCall): void {
  const { effects, args } = call;
  const variables = new Map<string, string>();
  args.forEach(({ text = "" }, index) => {
    const value = /^(?:-v|--set|--variable)$/.test(args[index - 1]?.text ?? "")
      ? text
      : /^--(?:set|variable)=(.*)$/s.exec(text)?.[1];
    const pair = /^(\w+)=(.*)$/s.exec(value ?? "");
    if (pair) variables.set(pair[1]!, pair[2]!);
  });
  const written = contentsOf(call);
  for (const given of [...textsOf(call), ...written]) {
    const text = plainSql(given).replace(
      /:(['"]?)(\w+)\1/g,
      (whole, _, name: string) => variables.get(name) ?? whole,
    );
    if ((text !== given || written.includes(given)) && HIDDEN_LOSS.test(text))
      effects.critical.push("deletes or overwrites what is in a database");
    if (
      /\bpg_terminate_backend\b|\breset\s+(?:master|slave|binary)\b|\bmerge\b[^;]*\bthen\s+delete\b|\balter\s+table\b[^;]*\bdelete\s+where\b|\bdo\s+\$\w*\$[\s\S]*\bexecute\b/i.test(
        text,
      )
    )
      effects.critical.push("deletes or overwrites what is in a database");
    if (/^psql|^pgcli|^usql/.test(call.name)) judgeBackslashes(call, text);
    if (/^(?:mysql|mariadb|mycli)/.test(call.name)) judgeMysql(call, text);
    judgeFileFunctions(call, given);
  }
  const pager = args
    .map(({ text }) => /^--pager=(.*)$/s.exec(text ?? "")?.[1])
    .find((each) => each !== undefined);
  if (pager !== undefined) judgeProgramValue(call, knownField(pager));
  const file = args
    .map(({ text }) => /^@(.+)$/.exec(text ?? "")?.[1])
    .find((each) => each !== undefined);
  if (/^(?:sqlplus|sql|isql)$/.test(call.name) && file !== undefined)
    judgeLoaded(call, knownField(file));
}

function judgeBackslashes(call: CommandCall, text: string): void {
  for (const match of text.matchAll(/\\(!|[a-z_]+\+?)([^\n\\]*)/g)) {
    const [, name, rest = ""] = match;
    const value = rest.trim();
    if (name === "!") judgeProgramValue(call, knownField(value));
    else if (/^(?:o|out|g|gx|w|write)$/.test(name!) && value !== "") {
      if (value.startsWith("|")) judgeProgramValue(call, knownField(value.slice(1)));
      else if (!value.startsWith("("))
        addTargets(call, "overwrites", [knownField(home(call, value.replace(/['";]/g, "")))]);
    } else if (/^(?:i|ir|include|include_relative)$/.test(name!) && value !== "")
      judgeLoaded(call, knownField(home(call, value.replace(/['";]/g, ""))));
    else if (name === "copy") {
      const program = /\b(?:to|from)\s+program\s+'([^']*)'/i.exec(value)?.[1];
      const target = /\bto\s+'?([^\s']+)'?/i.exec(value)?.[1];
      if (program !== undefined) judgeProgramValue(call, knownField(program));
      else if (target !== undefined && !/^(?:stdout|pstdout)$/i.test(target))
        addTargets(call, "overwrites", [knownField(home(call, target))]);
    } else if (/^(?:gexec|e|edit|ef|ev|setenv|cd|lo_export|lo_unlink)$/.test(name!))
      call.effects.unknown.push(OPEN);
  }
}

function judgeMysql(call: CommandCall, text: string): void {
  for (const line of text.split(/[\n;]/)) {
    const run = /^\s*(?:\\!|system)\s+(.*)$/s.exec(line)?.[1];
    const pager = /^\s*(?:\\P|pager)\s+(.*)$/s.exec(line)?.[1];
    const written = /^\s*(?:\\T|tee)\s+(\S+)/.exec(line)?.[1];
    const loaded = /^\s*(?:\\\.|source)\s+(\S+)/.exec(line)?.[1];
    for (const each of [run, pager])
      if (each !== undefined) judgeProgramValue(call, knownField(each));
    if (written !== undefined) addTargets(call, "overwrites", [knownField(home(call, written))]);
    if (loaded !== undefined) judgeLoaded(call, knownField(home(call, loaded)));
  }
  const sent = /\bload\s+data\s+local\s+infile\s+'([^']+)'/i.exec(text)?.[1];
  if (sent !== undefined) addReads(call, [knownField(home(call, sent))]);
}

/** Its scripts are JavaScript; collections that are named when it runs are not known. */
export function judgeMongo(call: CommandCall): void {
  const { args, effects, input } = call;
  const codes = args.flatMap(({ text = "" }, index) => {
    const equals = /^--eval=(.*)$/s.exec(text)?.[1];
    return equals ?? (args[index - 1]?.text === "--eval" ? text : []);
  });
  for (const code of [...codes, input.text ?? ""]) {
    if (code === "") continue;
    if (
      /\]\s*\(|\brunCommand\s*\(\s*\{\s*["']?(?:drop|delete|findAndModify|shutdown)|\badminCommand\b|\beval\s*\(|\bFunction\s*\(|\bload\s*\(|\brequire\s*\(|\bprocess\b|\$out\b|\$merge\b|\.bulkWrite\s*\(|\.(?:deleteMany|deleteOne|remove|drop\w*|renameCollection)\b/.test(
        code,
      )
    )
      effects.unknown.push("its script may delete or run something");
    if (/\brequire\s*\(|\bprocess\b/.test(code)) noteCode({ ...call, name: "node" }, code);
  }
}

export function judgeRedis({ args, effects }: CommandCall): void {
  const words = args.map(({ text }) => text ?? "");
  if (
    words.includes("--eval") ||
    words.some(
      (word) =>
        /^(?:module|function|script|eval\w*|fcall\w*)$/i.test(word) && !words.includes("get"),
    )
  )
    effects.unknown.push("its script may delete or load something");
  if (words.some((word) => /^(?:--rdb|--functions-rdb)$/.test(word))) effects.reads = true;
}
