// Programs that talk to other machines.

import { posix } from "node:path";
import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { placePath } from "../place-path.ts";

const CURL_VALUED =
  "o output X request H header d data data-raw data-binary F form u user A user-agent e referer b cookie c cookie-jar T upload-file w write-out m max-time output-dir D dump-header x proxy K config E cert connect-timeout retry url";
const WGET_VALUED =
  "O output-document P directory-prefix o output-file a append-output U user-agent t T i input-file header post-data";

function judgeCurl(call: CommandCall): void {
  const read = readArguments(call.args, CURL_VALUED);
  fetches(call, read.hasOpenOption);
  const files = valuesOf(read, "o output c cookie-jar D dump-header").filter(
    ({ text }) => text !== "-",
  );
  if (hasAny(read, "O remote-name remote-name-all J"))
    files.push(...read.operands.map(nameInAddress));
  if (hasAny(read, "K config")) call.effects.unknown.push("its options are in a file");
  save(call, files);
}

function judgeWget(call: CommandCall): void {
  const read = readArguments(call.args, WGET_VALUED);
  fetches(call, read.hasOpenOption);
  const named = valuesOf(read, "O output-document");
  const directories = valuesOf(read, "P directory-prefix");
  if (named.some(({ text }) => text === "-")) return;
  if (named.length > 0) save(call, named);
  else if (directories.length > 0) {
    const names = read.operands.map(nameInAddress);
    save(
      call,
      directories.flatMap((directory) => names.map((name) => inDirectory(directory, name))),
    );
  } else save(call, read.operands.map(nameInAddress));
}

function fetches({ effects, args }: CommandCall, hasOpenOption: boolean): void {
  effects.network = true;
  effects.downloads = true;
  const isOpen = args.some(({ text, isMany }) => text === undefined && isMany);
  if (hasOpenOption && isOpen) effects.unknown.push("an option of it is only known when it runs");
}

/** What stands there is overwritten, and what is run from there was downloaded. */
function save(call: CommandCall, files: Field[]): void {
  addTargets(call, "overwrites", files);
  for (const { path } of files.flatMap((file) => placePath(file, call.state, call.context))) {
    if (path !== undefined) call.walk.downloaded.add(path);
  }
}

function inDirectory(directory: Field, name: Field): Field {
  if (directory.text === undefined) return directory;
  return knownField(`${directory.text}/${name.text}`, directory.isPattern || name.isPattern);
}

function nameInAddress({ text }: Field): Field {
  const path = text?.replace(/^[a-z]+:\/\/[^/]*/, "").replace(/[?#].*/, "") ?? "";
  const name = posix.basename(path);
  return name === "" ? knownField("./?*", true) : knownField(name);
}

function judgeScp(call: CommandCall): void {
  const { operands } = readArguments(call.args, "i P F o c l J S");
  call.effects.network = true;
  const target = operands.at(-1);
  const isRemote = /^[^/]*:/.test(target?.text ?? target?.prefix ?? "");
  if (target && !isRemote) addTargets(call, "overwrites", [target]);
}

function judgeSsh(call: CommandCall): void {
  call.effects.network = true;
  call.effects.executes = true;
}

function judgeTalk({ effects }: CommandCall): void {
  effects.network = true;
}

function judgeFetching(call: CommandCall): void {
  call.effects.network = true;
  call.effects.downloads = true;
}

const TALKERS =
  "ping ping6 dig nslookup host traceroute tracepath mtr whois nc ncat netcat telnet openssl".split(
    " ",
  );

export const NETWORK_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["curl", judgeCurl],
  ["wget", judgeWget],
  ["scp", judgeScp],
  ["sftp", judgeSsh],
  ["ssh", judgeSsh],
  ["http", judgeFetching],
  ["https", judgeFetching],
  ["xh", judgeFetching],
  ["aria2c", judgeFetching],
  ["fetch", judgeFetching],
  ["lynx", judgeFetching],
  ...TALKERS.map((name) => [name, judgeTalk] as const),
]);
