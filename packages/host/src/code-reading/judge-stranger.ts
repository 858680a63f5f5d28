// Functions and methods that no table knows: their names tell what they are likely to do. One that
// writes, deletes or starts something asks if what it is given leads out of the project or is not
// known; names that mean many things only count with a path that leads out.

import type { CodeReader } from "./code-reader.ts";
import { isTextual } from "./library-row.ts";
import { judgeSql } from "./judge-sql.ts";
import { exactly, optionsOf, partsOf, text, type Args, type Value } from "./code-value.ts";
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
  /^(?:delete|del|drop|purge|terminate|destroy|flush(?:[Aa]ll|[Dd]b)|truncate|kill|prune|remove|wipe|reset|empty|expunge|unpublish|deregister|revoke|stop_instances|shutdown)(?:$|[_A-Z]|all$|db$|many$|one$)/;
/** After a secret was read, these are likely to send it. */
const SENDING =
  /^(?:send|post|upload|publish|notify|transmit|sendMail|sendMessage|send_message|send_mail|urlopen|http_get|http_post|putObject|put_object|upload_file|upload_fileobj|webhook)(?:$|[_A-Z])/;
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
  const name = stranger.name.slice(stranger.name.lastIndexOf(".") + 1).replace(/^_(?=[a-z])/, "");
  const { acts } = reader;
  const target = targetOf(given);
  const far = [...given.positional, ...given.named.values()].filter((value) =>
    optionsOf(value).some(isFar),
  );
  judgeTexts(reader, given);
  if (SAVING.test(name)) {
    if (target !== undefined && isAddress(target)) acts.network();
    else if (target !== undefined) acts.overwrite(target);
  } else if (DELETING.test(name) && (!isHarmless || far.length > 0)) deletes(reader, stranger);
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
  if (MAYBE_DELETING.test(name) && !isHarmless) for (const value of far) acts.delete(value);
  else if (MAYBE_SAVING.test(name) || MAYBE_WRITING.test(name))
    for (const value of far) acts.overwrite(value);
  // Whatever it does with a place of this machine, it is not known to read it.
  else if (!READING.test(name) && !/^[A-Z]/.test(name) && !isHarmless)
    for (const value of far) if (isPlace(value)) acts.overwrite(value);
  if (SENDING.test(name) && !isHarmless && given.positional.length > 0) acts.network();
  const isEveryProcess = receiver?.kind === "made" && receiver.by === "psutil.process_iter";
  if (isEveryProcess && /^(?:kill|terminate|suspend|send_signal)$/.test(name))
    acts.critical("ends processes that are not its own");
  if (LOSING.test(name) && isRemote(reader, stranger))
    acts.critical("deletes something that may not come back");
}

const READING =
  /read|load|open|parse|get|find|exist|^is|from|list|scan|glob|stat|path|join|name|split|match|search|sub|replace|format|print|log|debug|info|warn|error|assert|equal|expect|test|describe|route|url|fetch|request|include|contains|start|end|check|valid|compare|iter|walk|count|len|str|repr|dict|set|add|append|push|encode|decode|hash|sum|import|require|resolve|relative|normal|query|select|filter|where|key|index|at$|^_*$|connect|put|post|patch|delete|head|options|use|all|on$|mock|patch|prefix|suffix|label|title|message|text|field|arg|option|env|config|exit|throw|raise|insert|update|execute|run|call|apply|bind|then|catch|map|each|reduce|some|every|sort|slice|concat|trim|pad|lower|upper|view|show|display|plot|summary/i;
/** A path of this machine rather than a route or a pattern. */
function isPlace(value: Value): boolean {
  return optionsOf(value).some((each) =>
    /^(?:~\/|\/(?:home|Users|root|etc|var|srv|mnt|opt|boot|Library)\/)\S/.test(exactly(each) ?? ""),
  );
}

function isAddress(value: Value): boolean {
  return optionsOf(value).some((each) =>
    /^(?:https?|s3|gs|ftp|az|abfs):\/\//.test(exactly(each) ?? ""),
  );
}

/** Code in a text that only makes sense to somebody who runs it. */
const CODE_IN_TEXT = /__(?:import|globals|builtins|subclasses|class|mro)__|^\s*>>> /m;

function judgeTexts(reader: CodeReader, { positional, named }: Args): void {
  for (const value of [...positional, ...named.values()])
    if (optionsOf(value).some((each) => CODE_IN_TEXT.test(exactly(each) ?? "")))
      reader.acts.unknown("it hands on a text with code in it");
}

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
function isRemote(reader: CodeReader, { name, receiver }: Stranger): boolean {
  const by = receiver?.kind === "made" ? receiver.by.replace(/^web:/, "") : name;
  return reader.language.tables.remote.has(by.split(".")[0]!);
}
