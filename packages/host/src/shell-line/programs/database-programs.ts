// Clients of databases: what they are told to delete, on this machine or on another, and the
// commands that they run for a person on the way.

import {
  addReads,
  addTargets,
  isDownloaded,
  readArguments,
  targetsOf,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import { exactText, knownField } from "../field.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import {
  judgeCommandsIn,
  judgeGuardedOperands,
  judgeOutputs,
  judgeProgramOptions,
  judgeVerbs,
} from "../judge-unknown.ts";
import { newText } from "../note-written.ts";
import { isForgettingKey, isQuietOrder } from "./key-value-orders.ts";
import { actsOnServer, losesRows, openStatement, tidyStatements } from "./read-statements.ts";

const REDIS_VALUED =
  "h p t s a u n r i d D X user pass askpass pattern count cacert cert key sni c-port eval";
/** Where letters that take a value elsewhere take none. */
const VALUED_OF: ReadonlyMap<string, string> = new Map([
  [
    "psql",
    "c command d dbname f file v set variable o output L log-file h host p port U username F P R T",
  ],
  ...["mysql", "mariadb"].map(
    (name) =>
      [
        name,
        "h host u user P port D database e execute S socket init-command default-character-set protocol tee pager prompt",
      ] as const,
  ),
]);
const VALUED =
  "h host H hostname u U user username d dbname D database p port P c command e execute eval q query Q f file i o output L log-file S socket uri url n T password v set variable W";
const RIGHTS =
  /\b(?:grant|revoke)\b[^;]*\b(?:to|from)\b|\b(?:create|alter)\s+(?:user|role)\b|\bset\s+password\b/i;
const CHANGES =
  /\b(?:alter\s+table|update\s+\S+\s+set|insert\s+into|create\s+(?:table|index))\b|\b(?:updateMany|updateOne|insertMany|insertOne|replaceOne)\(|^\s*(?:set|hset|lpush|sadd)\s/im;
/** It runs programs of the machine where the database is. */
const RUNS =
  /\bcopy\b[^;]*\b(?:from|to)\s+program\b|\bxp_cmdshell\b|\bsys_exec\b|\blo_export\b|\bload_file\b/i;
const OWN = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\/.*|)$/;
const CLIENTS =
  `psql mysql mariadb mongo mongosh redis-cli valkey-cli keydb-cli sqlcmd bcp osql clickhouse-client clickhouse cqlsh influx usql pgcli mycli litecli
  mssql-cli sqlplus sql isql tsql cypher-shell neo4j-shell arangosh couchbase cbq surreal cockroach-sql trino-cli vsql db2 ksql
  mysqlsh memcached-tool taos questdb edgedb-cli rqlite turso-shell`.split(/\s+/);

function judgeClient(call: CommandCall): void {
  const { args, effects } = call;
  effects.executes = true;
  effects.network = true;
  const isRedis = /^(?:redis|valkey|keydb)-cli$/.test(call.name);
  const read = readArguments(args, isRedis ? REDIS_VALUED : (VALUED_OF.get(call.name) ?? VALUED));
  const text = toldTo(call, read, isRedis);
  const hosts = valuesOf(read, "h host H hostname").map(({ text: host }) => host ?? "?");
  const address = args.map(({ prefix }) => /^\w+:\/\/(?:[^@/]*@)?([^:/?]*)/.exec(prefix)?.[1]);
  const isRemote = [...hosts, ...address].some((host) => host !== undefined && !OWN.test(host));
  // One key of a store on this machine, by its name: `redis-cli del cache:x`.
  const isOneKey =
    !isRemote &&
    read.operands.length === 2 &&
    !call.input.isPresent &&
    exactText(read.operands[1]) !== undefined &&
    isForgettingKey(text);
  if (isRedis ? !isQuietOrder(text) && !isOneKey : losesRows(text))
    effects.critical.push("deletes or overwrites what is in a database");
  if (RIGHTS.test(text)) effects.critical.push("changes who has access to a database");
  if (RUNS.test(text)) effects.critical.push("runs programs through a database");
  if (!isRedis) judgeStatements(call, text);
  judgeVerbs(call);
  if (isOpenScript(call, read)) effects.unknown.push("its statements come from elsewhere");
  if (isRemote && CHANGES.test(text))
    effects.critical.push("changes a database on another machine");
  if (isRemote) effects.sends = true;
  judgeRead(call, text);
  addTargets(call, "overwrites", valuesOf(read, "o output L log-file"));
  judgeCommandsIn(call, text.replace(/^\s*\\!\s*/gm, ""));
  judgeOutputs(call);
  judgeProgramOptions(call);
  judgeGuardedOperands(call);
  judgeSqlFiles(call);
  if (/\bconfig\s+set\s+(?:dir|dbfilename)\b/i.test(text))
    effects.critical.push("changes where a database writes");
}

/** All that it is told: in arguments, by a pipe, and in files that the line itself has filled. */
function toldTo(call: CommandCall, read: ReadArguments, isRedis: boolean): string {
  const { input } = call;
  const told = [
    ...valuesOf(read, "c command e execute eval q query Q init-command"),
    ...(isRedis ? read.operands : read.operands.filter(({ prefix }) => /\s/.test(prefix))),
  ].map(({ text, prefix }) => text ?? prefix);
  const files = [...valuesOf(read, "f file i"), ...(input.file ? [input.file] : [])].map(
    (file) => file.printed ?? newText(call, file) ?? "",
  );
  const text = [told.join(isRedis ? " " : " ;\n"), input.text ?? "", ...files].join("\n");
  const variables = valuesOf(read, "v set variable").flatMap(({ text: given = "" }) => {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(given) ?? [];
    return name === undefined ? [] : [[name, value!] as const];
  });
  return isRedis ? text : tidyStatements(text, new Map(variables));
}

const MONGO = /^mongo(?:sh)?$/;
/** Questions among the commands of MongoDB. */
const MONGO_COMMAND =
  /\b(?:run|admin)Command\s*\(\s*(?!\{?\s*["']?(?:ping|hello|isMaster|serverStatus|buildInfo|dbStats|collStats|count|find|distinct|aggregate|list\w+|get\w+|replSetGetStatus|connectionStatus|hostInfo|whatsmyuri|explain|validate|top|currentOp|features)\b)/;
/** A function that only its name's text tells, or code of another kind. */
const MONGO_OPEN =
  /\]\s*\(|\brequire\s*\(|\bimport\s*\(|\beval\s*\(|\bFunction\s*\(|\bprocess\s*[.[]|\bglobalThis\b/;
/** Of the set of servers, and of who may use them. */
const MONGO_SERVERS =
  /\b(?:rs|sh)\.(?!status|conf|initiate|print\w*|help|hello|isMaster|get\w*|slaveOk|secondaryOk)\w+\s*\(|\bdb\.(?:fsyncLock|shutdownServer|killOp|(?:drop|create|update|grant|revoke|change)(?:All)?(?:User|Role)\w*|setProfilingLevel|cloneDatabase|copyDatabase)\s*\(/;
const LOOKS_AT_MEMCACHED = /^(?:display|dump|stats|settings|sizes|keys|\d+)$/;

function judgeStatements(call: CommandCall, text: string): void {
  const { effects, name, args } = call;
  if (MONGO.test(name)) {
    if (MONGO_COMMAND.test(text) || MONGO_SERVERS.test(text))
      effects.critical.push("changes a database");
    if (MONGO_OPEN.test(text)) effects.unknown.push("its script hides what it does");
    return;
  }
  if (name === "memcached-tool" || name === "arangosh" || name === "cypher-shell") {
    const words = args.slice(1).map((field) => field.text ?? "?");
    if (name === "memcached-tool" && !words.every((word) => LOOKS_AT_MEMCACHED.test(word)))
      effects.critical.push("deletes or overwrites what is in a database");
    return;
  }
  if (actsOnServer(text)) effects.critical.push("changes how a database runs");
  const open = openStatement(text);
  if (open !== undefined) effects.unknown.push(open);
  // `\i /somewhere/x.sql`, `source /somewhere/x.sql`
  for (const [, path] of text.matchAll(
    /(?:^|\s)(?:\\ir?|\\include|\\\.|source)\s+['"]?([^\s'";]+)/g,
  )) {
    const file = knownField(path!.replace(/^~(?=\/)/, call.context.home));
    const script = newText(call, file);
    if (script !== undefined && losesRows(tidyStatements(script, new Map())))
      effects.critical.push("deletes or overwrites what is in a database");
    const isOurs = targetsOf(call, file).every(({ place }) => place === "inside");
    if (script === undefined && !isOurs) effects.unknown.push("its statements come from elsewhere");
  }
}

/** `load data infile`, `\copy … from`: what a client reads it gives to a server. */
const READ_BY_SQL =
  /\b(?:infile|pg_read_(?:binary_)?file\s*\(|copy\b[^;]*?\bfrom|readfile\s*\(|load_file\s*\()\s*['"]([^'"]+)/gi;

function judgeRead(call: CommandCall, text: string): void {
  const { effects, input, context } = call;
  const files = [...text.matchAll(READ_BY_SQL)].map(([, path]) =>
    knownField(path!.replace(/^~(?=\/)/, context.home)),
  );
  addReads(call, files);
  const isFile = (secret: string): boolean => secret.startsWith("/");
  // Whoever asks the database has it from then on.
  if (files.length > 0 || (input.isPresent && input.secrets?.some(isFile))) {
    effects.sends = true;
    for (const secret of input.secrets ?? [])
      if (!effects.readsSecrets.includes(secret)) effects.readsSecrets.push(secret);
  }
}

/** A script that is printed by another program: `psql < <(curl …)`, `-f <(…)`. */
function isOpenScript(call: CommandCall, read: ReadArguments): boolean {
  const files = valuesOf(read, "f file i");
  if (files.some((file) => file.isDownload || isDownloaded(call.walk, call, file)))
    call.effects.downloadsAndExecutes = true;
  if (call.input.isDownload) call.effects.downloadsAndExecutes = true;
  return files.some(({ isPipe, printed }) => isPipe === true && printed === undefined);
}

const FILE_IN_SQL =
  /(?:\.(?:output|once|backup|save|clone|log|trace)|attach(?:\s+database)?|outfile|dumpfile|\\o|\\w|\bto|\binto|\bfunction\s+file\s*\()\s*['"]?([/~.][^'"\s;]*)/gi;

/** Files that statements and commands of a client write. */
export function judgeSqlFiles(call: CommandCall): void {
  for (const { text } of [...call.args, { text: call.input.text }]) {
    for (const [, path] of (text ?? "").matchAll(FILE_IN_SQL)) {
      addTargets(call, "overwrites", [knownField(path!.replace(/^~(?=\/)/, call.context.home))]);
    }
  }
}

/** What they are told of files of the project is work there. */
function judgeFileDatabase(call: CommandCall): void {
  call.effects.executes = true;
  judgeSqlFiles(call);
  judgeOutsidePaths(call);
  judgeOutputs(call);
  judgeGuardedOperands(call);
  for (const { text } of call.args) if (text !== undefined) judgeCommandsIn(call, text);
}

/** Before they restore they throw away what is there. */
function judgeRestore(call: CommandCall): void {
  const { effects } = call;
  effects.executes = true;
  effects.network = true;
  const isClean = call.args.some(({ text }) =>
    /^(?:-c|-C?c|--clean|--drop|--drop-database|--add-drop-\w+|--overwrite-tables|-o)$/.test(
      text ?? "",
    ),
  );
  if (isClean) effects.critical.push("deletes or overwrites what is in a database");
  judgeOutputs(call);
}

export const DATABASE_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...CLIENTS.map((name) => [name, judgeClient] as const),
  ["duckdb", judgeFileDatabase],
  ...["pg_restore", "mongorestore", "myloader"].map((name) => [name, judgeRestore] as const),
]);
