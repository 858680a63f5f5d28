// Clients of databases: what they are told to delete, on this machine or on another, and the
// commands that they run for a person on the way.

import {
  addTargets,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { knownField } from "../field.ts";
import { judgeCommandsIn, judgeGuardedOperands, judgeOutputs } from "../judge-unknown.ts";

const VALUED =
  "h host H hostname u U user username d dbname D database p port P c command e execute eval f file o output L log-file S socket uri url n T password";
const DROPS =
  /\bdrop\s+(?:database|schema|user|role|owned)\b|dropDatabase|\bflush(?:all|db)\b|\bshutdown\b|deleteDatabase/i;
const CHANGES =
  /\b(?:drop|truncate|delete\s+from|alter\s+table|grant|revoke|update\s+\S+\s+set|insert\s+into)\b|\b(?:deleteMany|deleteOne|updateMany|remove|drop)\(|^\s*(?:del|unlink|set|config)\s/im;
const OWN = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\/.*|)$/;
const CLIENTS =
  "psql mysql mariadb mongo mongosh redis-cli valkey-cli sqlcmd clickhouse-client cqlsh influx usql pgcli mycli".split(
    " ",
  );

function judgeClient(call: CommandCall): void {
  const { args, effects, input } = call;
  effects.executes = true;
  effects.network = true;
  const read = readArguments(args, VALUED);
  const told = [
    ...valuesOf(read, "c command e execute eval"),
    ...(/^(?:redis|valkey)-cli$/.test(call.name) ? read.operands : []),
  ].map(({ text, prefix }) => text ?? prefix);
  const text = [told.join(" "), input.text ?? ""].join("\n");
  const hosts = valuesOf(read, "h host H hostname").map(({ text: host }) => host ?? "?");
  const address = args.map(({ prefix }) => /^\w+:\/\/(?:[^@/]*@)?([^:/?]*)/.exec(prefix)?.[1]);
  const isRemote = [...hosts, ...address].some((host) => host !== undefined && !OWN.test(host));
  if (DROPS.test(text)) effects.critical.push("deletes a database");
  else if (isRemote && CHANGES.test(text))
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

export const DATABASE_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map(
  CLIENTS.map((name) => [name, judgeClient] as const),
);
