// Functions and methods that no table knows: their names tell what they are likely to do. One that
// writes, deletes or starts something asks if what it is given leads out of the project or is not
// known; names that mean many things only count with a path that leads out.

import type { CodeReader } from "./code-reader.ts";
import { isTextual } from "./library-row.ts";
import { judgeSql } from "./judge-sql.ts";
import { exactly, optionsOf, partsOf, text, type Args, type Value } from "./code-value.ts";
import { noteCodeText } from "./text-code.ts";
import { runCommand, settingOf } from "./run-command.ts";

export interface Stranger {
  name: string;
  given: Args;
  /** From a library that only computes: of its methods, only those that write files count. */
  isHarmless: boolean;
  receiver?: Value;
}

/** They write the file that they are given. */
const SAVING =
  /^(?:to_(?:csv|parquet|json|excel|pickle|feather|hdf|html|latex|markdown|xml|stata|orc|sql_file|netcdf|zarr|file|gbq|string|image|video)|savefig|imsave|imwrite|write_(?:text|bytes|image|html|json|csv|parquet|excel|ipc|ndjson|file|video\w*|gif|audiofile|png|pdf)|sink_(?:parquet|csv|ipc|ndjson)|tofile|save_pretrained|save_model|save_weights|save_file|to_file|toFile|saveAs|writeFile(?:Sync)?|appendFile(?:Sync)?|writeTextFile|outputFile(?:Sync)?|writeJson(?:Sync)?|outputJson(?:Sync)?|createWriteStream|writeAllText|screenshot|export_graphviz|render_to_file|torch_save|dump_svmlight_file|savetxt|savez|savez_compressed|savemat|write_gpickle|write_graphml|write_gexf)$/;
/** So do these, if it is a path. */
const MAYBE_SAVING =
  /^(?:save|dump|export|write|store|output|persist|download|download_file|retrieve|extract|extractall|pdf|save_as|saveas|to|render|serialize|dump_stats|Save|export_text|tar|zip|archive|make_archive|symlink_to|hardlink_to|rename|replace|move|copy|copytree|copyfile|link|touch|truncate|chmod|chown|mkdirs?|install|generate|convert|sync|backup|set_output|FileWriter|open_w)$/;
const DELETING =
  /^(?:unlink|unlinkSync|unlink_path|rmtree|rmdir|rmdirSync|removedirs|rmSync|rimraf|rimrafSync|remove_tree|removeSync|delete_(?:file|dir|directory|folder|tree|path)|remove_(?:file|dir|directory|folder|path)|deleteFile(?:Sync)?|removeFile(?:Sync)?|deleteFolder|emptyDir(?:Sync)?|empty_dir|send2trash|trash|shred|wipe|secure_delete)$/i;
const MAYBE_DELETING =
  /^(?:remove|delete|rm|del|erase|purge|clean|clear|discard|destroy|drop)(?:[A-Z_]\w*)?$/;
const STARTING =
  /^(?:system|popen|Popen|spawn|spawnSync|spawnAsync|execSync|execFile|execFileSync|execv[pe]*|execl[pe]*|check_call|check_output|run_command|runCommand|exec_command|shell_exec|shellExec|execCommand|create_subprocess_(?:exec|shell)|getoutput|getstatusoutput|ShellExecute|startfile|run_line_magic|run_cell_magic|run_shell|sh|bash)$/;
const ASKING_DATABASES =
  /^(?:execute|executemany|executescript|query|raw|\$executeRaw(?:Unsafe)?|\$queryRaw(?:Unsafe)?|execute_sql|run_sql|sql|exec_driver_sql)$/;
const LOSING =
  /^(?:delete|del|drop|purge|terminate|destroy|flush(?:[Aa]ll|[Dd]b)|truncate|kill|prune|remove|wipe|reset|empty|unpublish|deregister|revoke|expunge|dele|stop_instances|shutdown)(?:$|[_A-Z]|all$|db$|many$|one$)/;
/** After a secret was read, these are likely to send it. */
const SENDING =
  /^(?:send|sendall|sendto|post|upload|publish|notify|transmit|open_connection|create_connection|createConnection|sendMail|sendMessage|send_message|send_mail|urlopen|http_get|http_post|putObject|put_object|upload_file|upload_fileobj|webhook)(?:$|[_A-Z])/;
const NAMED = [
  "path",
  "path_or_buf",
  "fname",
  "filename",
  "file",
  "filepath",
  "fp",
  "out",
  "output",
  "dest",
  "dst",
  "destination",
  "target",
  "excel_writer",
  "f",
  "buf",
  "where",
  "save_path",
  "output_path",
  "out_path",
  "save_directory",
];

export function judgeStranger(reader: CodeReader, stranger: Stranger): void {
  const { given, receiver, isHarmless } = stranger;
  const name = stranger.name.slice(stranger.name.lastIndexOf(".") + 1).replace(/^_+(?=\w)/, "");
  const { acts } = reader;
  noteForeignCode(reader, given);
  noteNamedFiles(reader, given);
  const target = targetOf(given);
  if (SAVING.test(name)) {
    if (target !== undefined) acts.overwrite(target);
  } else if (DELETING.test(name) && !isHarmless) deletes(reader, stranger);
  else if (STARTING.test(name) && !isHarmless) {
    const [first] = given.positional;
    const isList = first?.kind === "text" && given.positional.length > 1;
    const words: Value = { kind: "list", items: given.positional, isOpen: given.isOpen };
    if (first && first.kind !== "record")
      runCommand(reader, isList ? words : first, settingOf(given));
  } else if (ASKING_DATABASES.test(name) && receiver) {
    const [statement] = given.positional;
    if (statement && isTextual(statement)) judgeSql(reader, statement);
  }
  if (name === "to_sql") for (const value of given.positional) judgeConnection(reader, value);
  const far = [...given.positional, ...given.named.values()].filter((value) =>
    optionsOf(value).some(isFar),
  );
  if (MAYBE_DELETING.test(name) && !isHarmless) {
    // `client.delete("/items/1")` is a route.
    for (const value of far) if (name !== "delete" || isAway(value)) acts.delete(value);
  } else if (MAYBE_SAVING.test(name) || (MAYBE_WRITING.test(name) && name !== "append"))
    for (const value of far) acts.overwrite(value);
  else if (!isHarmless && !isReading(name)) judgeAway(reader, stranger);
  judgeFetched(reader, stranger);
  if (opensForWriting(name, given)) for (const value of far) acts.overwrite(value);
  if (SENDING.test(name) && !isHarmless && given.positional.length > 0) acts.network();
  if (LOSING.test(name) && isRemote(reader, stranger) && !isOwnKey(name, receiver))
    acts.critical("deletes something that may not come back");
}

/** `open_somehow("../x", mode="w")` */
function opensForWriting(name: string, { positional, named }: Args): boolean {
  const given = /open|file|map/i.test(name) ? positional.slice(1) : [];
  const modes = [named.get("mode"), named.get("flags"), ...given];
  return modes.some((mode) => WRITING_MODE.test(exactly(mode) ?? ""));
}

const WRITING_MODE = /^(?:[wax][bt]?\+?[bt]?|r[bt]?\+[bt]?)$/;

/** `sqlite:///x.db`: a database in a file. */
function judgeConnection(reader: CodeReader, value: Value): void {
  const path = /^sqlite:\/\/\/(.+)$/.exec(exactly(value) ?? "")?.[1];
  if (path !== undefined) reader.acts.overwrite(text(path));
}

const MAYBE_WRITING =
  /(?:^|_)(?:write|save|export|dump|overwrite|install|append|output)(?:$|_)|(?:Write|Save|Export|Dump|Append|Output)/;

function deletes(reader: CodeReader, { given, receiver }: Stranger): void {
  const { acts } = reader;
  const [first] = given.positional;
  if (first && (isTextual(first) || first.kind === "unknown" || first.kind === "list"))
    for (const each of first.kind === "list" ? first.items : [first]) acts.delete(each);
  else if (receiver)
    acts.delete(
      receiver.kind === "made" && receiver.target
        ? receiver.target
        : { kind: "unknown", source: "data" },
    );
}

function targetOf(given: Args): Value | undefined {
  for (const name of NAMED) {
    const named = given.named.get(name);
    if (named) return named;
  }
  const record = given.positional.find(({ kind }) => kind === "record");
  const inside = record?.kind === "record" ? record.entries.get("path") : undefined;
  const [first] = given.positional;
  return inside ?? (first?.kind === "record" || first?.kind === "function" ? undefined : first);
}

/** A path that leads out of where it begins. */
export function isFar(value: Value): boolean {
  if (!isTextual(value)) return false;
  const [first] = partsOf(value);
  if (typeof first !== "string") return false;
  const exact = exactly(value);
  return /^(?:\/(?!\/)|~\/|~$|\.\.(?:\/|$))/.test(first) || (exact?.includes("/../") ?? false);
}

/** A library that changes something on other machines. */
function isRemote(reader: CodeReader, { name, receiver, given }: Stranger): boolean {
  const by = receiver?.kind === "made" ? receiver.by.replace(/^web:/, "") : name;
  return reader.language.tables.remote.has(by.split(".")[0]!) || given.positional.some(isEngine);
}

/** A database that is not a file. */
function isEngine(value: Value): boolean {
  return value.kind === "made" && value.by === "sqlalchemy.create_engine";
}

/** One key of the store on this machine is no loss. */
function isOwnKey(name: string, receiver: Value | undefined): boolean {
  return (
    /^(?:del|delete)$/.test(name) && receiver?.kind === "made" && receiver.by === "web:redis.Redis"
  );
}

/** Places on a machine that are no addresses of a web application. */
const AWAY =
  /^(?:\/(?:home|etc|usr|var|root|opt|bin|sbin|lib\w*|boot|mnt|media|srv|Users|Library|System|Applications|Volumes|private)\/.|\/$|~(?:\/|$))/;
const UP = /^\.\.(?:\/|$)/;

export function isAway(value: Value, isUpCounted = true): boolean {
  if (!isTextual(value)) return false;
  const [first] = partsOf(value);
  return typeof first === "string" && (AWAY.test(first) || (isUpCounted && UP.test(first)));
}

/** What is handed a path, only looks at it or compares it. */
const READING =
  /^(?:get|read|load|open|exists|is|has|find|list|ls|join|print|log|info|debug|warn|warning|error|critical|exception|parse|match|search|sub|test|split|starts|startswith|endswith|ends|format|append|push|add|insert|set|post|patch|head|options|route|use|mount|goto|visit|click|fill|expect|to|assert|contain|contains|include|includes|exclude|index|count|equal|equals|compare|relative|resolve|basename|dirname|normalize|quote|encode|decode|hash|stat|lstat|scan|walk|glob|iter|check|validate|show|display|describe|it|require|import|mock|do|un|register|url|redirect|send|emit|on|once|lookup|which|Path|PurePath|str|repr|strip|filter|map|sum|len|tail|watch|select|from|fetch|request|Request|navigate|option|argument|param|env|getenv|Field|default|Error|raise|fail|skip|parametrize|patch|side|call|apply|bind|cat|view|inspect|dir|tree|size|du|listdir|iterdir|readdir|exist|access|realpath|abspath|expanduser|expand|relpath|suffix|stem|name|parent|sort|sorted|reverse|concat|indexOf|charAt|at|slice|then|catch|finally|Image|Audio|Video|Markdown|HTML|URL|Set|Map|Error|create_engine|cd|chdir|connect|Settings|Config|Factory|Loader)(?:$|[A-Z_])|(?:Error|Exception|Loader|Reader|Path|Config|Settings)$/;

function isReading(name: string): boolean {
  return READING.test(name);
}

/** A function of which nothing is known, and a place outside: it may do anything there. */
function judgeAway(reader: CodeReader, { name, given, receiver }: Stranger): void {
  if (receiver?.kind === "text" || receiver?.kind === "number" || receiver?.kind === "list") return;
  const isLibrary = name.includes(".") || receiver?.kind === "made";
  for (const value of textsIn(given)) if (isAway(value, isLibrary)) reader.acts.overwrite(value);
}

/** Texts that it is given, also those in lists and under names. */
function textsIn({ positional, named }: Args): Value[] {
  return [...positional, ...named.values()].flatMap(optionsOf).flatMap((each) => {
    if (each.kind === "list") return each.items.flatMap(optionsOf);
    if (each.kind === "record")
      return [...each.entries.keys()].map(text).concat([...each.entries.values()]);
    return [each];
  });
}

/** `sftp.get("x", "/home/me/.bashrc")` */
function judgeFetched(reader: CodeReader, { name, given, receiver }: Stranger): void {
  const by = receiver?.kind === "made" ? receiver.by.replace(/^web:/, "").split(".")[0]! : "";
  const [, target] = given.positional;
  const isFetching = /^(?:get|fget|fget_object|fastGet|getfo|pull|download\w*)$/.test(name);
  if (isFetching && target && isAway(target) && reader.language.tables.web.has(by))
    reader.acts.overwrite(target);
}

function noteForeignCode(reader: CodeReader, { positional, named }: Args): void {
  for (const value of positional) noteCodeText(reader, value);
  const trusted = named.get("trust_remote_code");
  if (trusted && !(trusted.kind === "known" && trusted.name === "False"))
    reader.acts.unknown("it runs code that it fetches");
}

/** `config.read(".env")`: whether it is a secret is for the judge of paths. */
function noteNamedFiles(reader: CodeReader, given: Args): void {
  for (const value of textsIn(given)) {
    const exact = value.kind === "text" ? exactly(value) : undefined;
    if (exact !== undefined && exact.length < MAX_PATH && HIDDEN_FILE.test(exact))
      reader.acts.read(value);
  }
}
/** Longer texts are no paths. */
const MAX_PATH = 200;
const HIDDEN_FILE = /^(?:[~.]?\/)?(?:[\w.-]+\/)*\.[\w.-]+(?:\/[\w.-]+)*$|\.(?:pem|key)$/;
