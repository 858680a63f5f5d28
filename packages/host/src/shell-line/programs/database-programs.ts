// Clients of databases: what they are told to delete, on this machine or on another, and the
// commands that they run for a person on the way.

import {
  addTargets,
  isDownloaded,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import { knownField } from "../field.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import {
  judgeCommandsIn,
  judgeGuardedOperands,
  judgeOutputs,
  judgeVerbs,
} from "../judge-unknown.ts";

const VALUED =
  "h host H hostname u U user username d dbname D database p port P c command e execute eval q query Q f file i o output L log-file S socket uri url n T password";
/** Whatever the database is, this cannot be had back. */
const LOSES =
  /\b(?:drop|truncate)\s+(?:table|database|schema|keyspace|collection|index|view|materialized|user|role|owned|column|extension|type|sequence|function|tablespace|measurement|bucket|cascade|if\s+exists|\w+)|\bdelete\s+from\b|\balter\s+table\b[^;]*\bdrop\b|\bdrop(?:Database|Collection|Index(?:es)?|User)?\s*\(|dropDatabase|deleteDatabase|\.(?:deleteMany|deleteOne|remove|findOneAndDelete|drop|renameCollection)\s*\(|\bflush(?:all|db)\b|\bshutdown\b|\bpurge\b|\bmatch\b[^;]*\bdetach?\s*delete\b/i;
const REDIS_LOSES =
  /^\s*(?:del|unlink|flushall|flushdb|shutdown|rename|move|migrate|restore|swapdb|debug|config\s+(?:set|rewrite)|script\s+flush|function\s+flush|xtrim|ltrim|getdel|hdel|srem|zrem|spop|lpop|rpop|expire|slaveof|replicaof|cluster\s+(?:reset|forget)|acl|eval|evalsha)\b/im;
/** Without a condition it is every row. */
const EVERY_ROW = /\bupdate\s+[\w."`[\]]+\s+set\b(?!(?:(?!;)[\s\S])*\bwhere\b)/i;
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
  const { args, effects, input } = call;
  effects.executes = true;
  effects.network = true;
  const read = readArguments(args, VALUED);
  const isRedis = /^(?:redis|valkey|keydb)-cli$/.test(call.name);
  const told = [
    ...valuesOf(read, "c command e execute eval q query Q"),
    ...(isRedis ? read.operands : read.operands.filter(({ prefix }) => /\s/.test(prefix))),
  ].map(({ text, prefix }) => text ?? prefix);
  const text = [told.join(" "), input.text ?? ""].join("\n");
  const hosts = valuesOf(read, "h host H hostname").map(({ text: host }) => host ?? "?");
  const address = args.map(({ prefix }) => /^\w+:\/\/(?:[^@/]*@)?([^:/?]*)/.exec(prefix)?.[1]);
  const isRemote = [...hosts, ...address].some((host) => host !== undefined && !OWN.test(host));
  if (LOSES.test(text) || (isRedis && REDIS_LOSES.test(text)) || EVERY_ROW.test(text))
    effects.critical.push("deletes or overwrites what is in a database");
  if (RIGHTS.test(text)) effects.critical.push("changes who has access to a database");
  if (RUNS.test(text)) effects.critical.push("runs programs through a database");
  judgeVerbs(call);
  if (isOpenScript(call, read)) effects.unknown.push("its statements come from elsewhere");
  if (isRemote && CHANGES.test(text))
    effects.critical.push("changes a database on another machine");
  if (isRemote) effects.sends = true;
  addTargets(call, "overwrites", valuesOf(read, "o output L log-file"));
  judgeCommandsIn(call, text.replace(/^\s*\\!\s*/gm, ""));
  judgeOutputs(call);
  judgeGuardedOperands(call);
  judgeSqlFiles(call);
  if (/\bconfig\s+set\s+(?:dir|dbfilename)\b/i.test(text))
    effects.critical.push("changes where a database writes");
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
  /(?:\.(?:output|once|backup|save|clone|log|trace)|attach(?:\s+database)?|outfile|dumpfile|\\o|\\w|\bto)\s+['"]?([/~.][^'"\s;]*)/gi;

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
