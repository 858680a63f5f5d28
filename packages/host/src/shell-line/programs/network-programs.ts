// Programs that talk to other machines: what they fetch and where they put it, and what leaves.

import { posix } from "node:path";
import {
  addReads,
  addTargets,
  hasAny,
  readArguments,
  targetsOf,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import {
  judgeCommandsIn,
  judgeGuardedOperands,
  judgeOutputs,
  judgeTails,
  takeOver,
} from "../judge-unknown.ts";
import { secretVariables } from "../note-secrets.ts";
import { remoteContext } from "../remote-context.ts";
import { noteMethod, noteOpenings, noteRemoteScript, noteRemoteTarget } from "./remote-losses.ts";

const CURL_VALUED =
  "o output X request H header d data data-raw data-binary data-ascii data-urlencode url-query json F form form-string u user A user-agent e referer b cookie c cookie-jar T upload-file w write-out m max-time output-dir D dump-header x proxy K config E cert connect-timeout retry url trace trace-ascii stderr libcurl etag-save etag-compare hsts alt-svc key cacert capath resolve connect-to interface limit-rate r range C continue-at Q quote P ftp-port y Y z t U proxy-user netrc-file unix-socket max-redirs retry-delay retry-max-time";
const CURL_FILES =
  "o output c cookie-jar D dump-header trace trace-ascii stderr libcurl etag-save hsts alt-svc";
const CURL_DATA =
  "d data data-raw data-binary data-ascii data-urlencode url-query json F form form-string T upload-file Q quote";
const WGET_VALUED =
  "O output-document P directory-prefix o output-file a append-output U user-agent t T i input-file header post-data post-file body-data body-file method save-cookies load-cookies warc-file e execute config ca-certificate rejected-log hsts-file Q level l A R D I X cut-dirs w wait limit-rate user password";

function judgeCurl(call: CommandCall): void {
  const read = readArguments(call.args, CURL_VALUED);
  fetches(call, read.hasOpenOption);
  const directories = valuesOf(read, "output-dir");
  const named = valuesOf(read, CURL_FILES).filter(({ text }) => text !== "-" && text !== "%");
  if (hasAny(read, "O remote-name remote-name-all J remote-header-name"))
    named.push(...addressesOf(read).map(nameInAddress));
  const files =
    directories.length > 0
      ? directories.flatMap((directory) => [
          directory,
          ...named.map((name) => inDirectory(directory, name)),
        ])
      : named;
  if (hasAny(read, "K config")) call.effects.unknown.push("its options are in a file");
  save(call, files);
  const method = exactText(valuesOf(read, "X request")[0])?.toUpperCase();
  noteMethod(call, method, addressesOf(read));
  noteSending(call, {
    addresses: addressesOf(read),
    data: valuesOf(read, CURL_DATA),
    isSending:
      (method !== undefined && !/^(?:GET|HEAD|OPTIONS)$/.test(method)) ||
      // `-H @file`, `-b file`
      valuesOf(read, "H header b cookie").some(({ prefix }) => /^@|^[^=:]*$/.test(prefix)),
  });
  addReads(
    call,
    addressesOf(read).filter(({ prefix }) => /^file:/i.test(prefix)),
  );
  judgeCommandsIn(
    call,
    valuesOf(read, "Q quote")
      .map(({ text }) => text ?? "")
      .join("\n"),
  );
}

function addressesOf(read: ReadArguments): Field[] {
  return [...read.operands, ...valuesOf(read, "url")];
}

function judgeWget(call: CommandCall): void {
  const read = readArguments(call.args, WGET_VALUED);
  fetches(call, read.hasOpenOption);
  const named = valuesOf(read, "O output-document");
  const directories = valuesOf(read, "P directory-prefix");
  addTargets(
    call,
    "overwrites",
    valuesOf(
      read,
      "o output-file a append-output save-cookies warc-file rejected-log hsts-file",
    ).filter(({ text }) => text !== "-"),
  );
  if (hasAny(read, "e execute config use-askpass"))
    call.effects.unknown.push("its options are settings of any kind");
  noteSending(call, {
    addresses: read.operands,
    data: valuesOf(read, "post-data post-file body-data body-file"),
    isSending: hasAny(read, "method"),
  });
  noteMethod(call, exactText(valuesOf(read, "method")[0])?.toUpperCase(), read.operands);
  if (named.some(({ text }) => text === "-")) return;
  if (named.length > 0) save(call, named);
  else if (directories.length > 0) {
    const names = read.operands.map(nameInAddress);
    save(
      call,
      directories.flatMap((directory) => names.map((name) => inDirectory(directory, name))),
    );
    addTargets(call, "overwrites", directories);
  } else save(call, read.operands.map(nameInAddress));
}

/** Long enough to hold a key, in an alphabet that keys are written in. */
const OPAQUE = /[A-Za-z0-9+/_=%-]{40,}/;

/** What stands in an address leaves the machine as well as what is posted. */
function noteSending(
  call: CommandCall,
  {
    addresses,
    data,
    isSending,
  }: { addresses: readonly Field[]; data: readonly Field[]; isSending: boolean },
): void {
  const { effects } = call;
  const isLocal = addresses.length > 0 && addresses.every(({ prefix }) => isOwnMachine(prefix));
  if (isLocal) return;
  const isOpen = addresses.some(
    ({ text, prefix }) =>
      text === undefined ||
      /[?@]/.test(text) ||
      OPAQUE.test(prefix.replace(/^\w+:\/\/[^/]*/, "")) ||
      /\/\/[^/]{50,}/.test(prefix),
  );
  // A header or a login with a value in it.
  const isFilled = call.args.some(({ text }) => text === undefined);
  if (isSending || data.length > 0 || isOpen || isFilled) effects.sends = true;
  for (const name of secretNames(call, addresses)) {
    if (!effects.readsSecrets.includes(name)) effects.readsSecrets.push(name);
  }
}

function isOwnMachine(address: string): boolean {
  return /^(?:\w+:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|[\w-]+\.localhost)(?=[:/?#]|$)/i.test(
    address,
  );
}

/** Variables with keys in them may go to whom they are for, and to nobody else. */
function secretNames(call: CommandCall, addresses: readonly Field[]): string[] {
  const hosts = addresses.map(({ prefix }) => /^(?:\w+:\/\/)?([^/:?#]+)/.exec(prefix)?.[1] ?? "");
  const isOwner = (name: string): boolean => {
    const owner = name.split("_")[0]!.toLowerCase();
    return (
      hosts.length > 0 &&
      owner.length > 2 &&
      hosts.every((host) => host.split(".").slice(-2).join(".").toLowerCase().includes(owner))
    );
  };
  return secretVariables(call)
    .filter((name) => !isOwner(name))
    .map((name) => `$${name}`);
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
  for (const { path } of files.flatMap((file) => targetsOf(call, file))) {
    if (path !== undefined) call.walk.downloaded.add(path);
  }
}

function inDirectory(directory: Field, name: Field): Field {
  if (directory.text === undefined) return directory;
  if (name.text?.startsWith("/")) return name;
  return knownField(`${directory.text}/${name.text}`, directory.isPattern || name.isPattern);
}

function nameInAddress({ text }: Field): Field {
  const path = text?.replace(/^[a-z]+:\/\/[^/]*/, "").replace(/[?#].*/, "") ?? "";
  const name = posix.basename(path);
  return name === "" ? knownField("./?*", true) : knownField(name);
}

const REMOTE = /^[^/]*:/;

function judgeScp(call: CommandCall): void {
  const read = readArguments(call.args, "i P F o c l J S D X");
  const { operands } = read;
  call.effects.network = true;
  judgeConnection(call, read);
  const target = operands.at(-1);
  if (target) noteRemoteTarget(call, target);
  if (target && REMOTE.test(target.text ?? target.prefix)) call.effects.sends = true;
  else if (target) addTargets(call, "overwrites", [target]);
}

/** `-o ProxyCommand=…`, `-S program`: the connection itself runs something. */
function judgeConnection(call: CommandCall, read: ReadArguments): void {
  for (const { text } of valuesOf(read, "o S e D")) {
    const value = text ?? "";
    const command =
      /^(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand)[= ](.*)$/is.exec(
        value,
      )?.[1];
    if (command !== undefined) call.walk.runText(call, command.replaceAll("%", ""));
    else judgeCommandsIn(call, value);
    if (text === undefined) call.effects.unknown.push("an option of it is only known when it runs");
  }
}

const SSH_VALUED = "b c D E e F I i J L l m O o p Q R S W w B";

/** What runs there is judged too; nothing there is ours. */
function judgeSsh(call: CommandCall): void {
  const { effects, args, input } = call;
  effects.network = true;
  effects.executes = true;
  const end = hostIndex(args);
  const read = readArguments(args.slice(0, end), SSH_VALUED);
  judgeConnection(call, read);
  addTargets(call, "overwrites", valuesOf(read, "E"));
  const command = args.slice(end + 1);
  noteOpenings(call, args.slice(0, end));
  noteRemoteScript(call, command);
  if (command.length === 0 && input.text === undefined) {
    if (input.isPresent) effects.sends = true;
    return;
  }
  effects.sends = true;
  const texts = command.map(({ text, prefix }) => text ?? prefix);
  if (command.length === 0) texts.push(input.text!);
  takeOver(effects, call.walk.probeText(call, texts.join(" "), remoteContext()), false);
  const isOpen = command.some(({ text }) => text === undefined);
  if (isOpen && /(?:^|\s)(?:rm|shred|dd|mkfs\S*)\s/.test(texts.join(" ")))
    effects.unknown.push("what it deletes on the other machine cannot be determined");
}

function hostIndex(args: readonly Field[]): number {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === undefined || !text.startsWith("-")) return index;
    const letters = text.slice(1);
    const at = [...letters].findIndex((letter) => SSH_VALUED.split(" ").includes(letter));
    if (at >= 0 && at === letters.length - 1) index++;
  }
  return args.length;
}

/** Whatever flows into them or is named to them leaves. */
function judgeTalk(call: CommandCall): void {
  const { effects, args, input } = call;
  effects.network = true;
  const isOpen = args.some(({ text }) => text === undefined);
  if (isOpen || input.isPresent || SENDERS.has(call.name)) effects.sends = true;
  if (!SENDERS.has(call.name)) return;
  effects.executes = true;
  for (const { text } of args) {
    const command = /^(?:exec|system):(.*)$/is.exec(text ?? "")?.[1];
    if (
      command !== undefined &&
      args.some(({ text: each }) => /^(?:tcp|udp|ssl|openssl|sctp)\S*:/i.test(each ?? ""))
    )
      effects.critical.push("gives another machine a shell here");
    if (command !== undefined)
      call.walk.runText(call, command.split(",")[0]!.replace(/^['"]|['"]$/g, ""));
    const file = /^(?:create|open|file|gopen):([^,]+)/is.exec(text ?? "")?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
  }
  const at = args.findIndex(({ text }) => /^-\w*[ec]$|^--(?:exec|sh-exec)$/.test(text ?? ""));
  if (at >= 0 && /^(?:nc|ncat|netcat)$/.test(call.name)) {
    effects.critical.push("gives another machine a shell here");
  }
  judgeTails(call, args);
}

function judgeFetching(call: CommandCall): void {
  const { args, effects } = call;
  effects.network = true;
  effects.downloads = true;
  const texts = args.map(({ text }) => text ?? "?");
  if (texts.includes("DELETE"))
    noteMethod(
      call,
      "DELETE",
      args.filter(({ text }) => text !== "DELETE" && !text?.startsWith("-")).slice(0, 1),
    );
  const read = readArguments(args, "o output d dir");
  save(
    call,
    valuesOf(read, "o output").filter(({ text }) => text !== "-"),
  );
  addTargets(call, "overwrites", valuesOf(read, "d dir"));
  judgeOutputs(call);
  if (texts.some((text) => /^(?:POST|PUT|PATCH|DELETE)$|[^=]=[^=]|:=|@|\?/.test(text)))
    effects.sends = true;
}

/** Mail, messages, uploads. */
function judgeSender(call: CommandCall): void {
  call.effects.network = true;
  call.effects.sends = true;
  call.effects.executes = true;
  judgeTails(call, call.args);
  judgeGuardedOperands(call);
  if (/^(?:sftp|lftp|ftp)$/.test(call.name) && hasAny(readArguments(call.args, "b f e c"), "b f"))
    call.effects.unknown.push("its orders are in a file");
  if (
    /^(?:ngrok|cloudflared|lt|localtunnel)$/.test(call.name) &&
    !hasAny(readArguments(call.args), "version help")
  )
    call.effects.critical.push("lets another machine into this one");
  if (call.name === "sftp")
    addTargets(call, "overwrites", readArguments(call.args, "b i o P F").operands.slice(1));
  const isTold = /^(?:sftp|lftp|ftp)$/.test(call.name);
  if (isTold && call.input.isPresent && call.input.text === undefined)
    call.effects.unknown.push("its orders come from elsewhere");
  const spoken = isTold ? call.args.filter(({ text }) => /\s/.test(text ?? "")) : [];
  const orders = [call.input.text, ...spoken.map(({ text }) => text)].join("\n");
  if (/^\s*-?(?:rm|rmdir|rename|delete|mdelete|mrm|chmod)\b/m.test(orders))
    call.effects.critical.push("deletes on another machine");
  addReads(
    call,
    orders
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word) => knownField(word)),
  );
}

/** A page that is opened is an address with whatever is in it. */
function judgeOpen(call: CommandCall): void {
  const { args, effects } = call;
  effects.executes = true;
  const isAddress = args.some(
    ({ prefix }) => /^[a-z]+:\/\//i.test(prefix) && !/^file:/i.test(prefix),
  );
  if (!isAddress) return;
  effects.network = true;
  if (
    args.some(
      ({ text, prefix }) => text === undefined || (/[?@]/.test(prefix) && !isOwnMachine(prefix)),
    )
  )
    effects.sends = true;
}

const TALKERS =
  "ping ping6 dig nslookup host traceroute tracepath mtr whois drill resolvectl".split(" ");
const SENDERS: ReadonlySet<string> = new Set("nc ncat netcat telnet socat".split(" "));
const MAILERS =
  "mail mailx mutt sendmail msmtp swaks s-nail ftp lftp tftp sftp pastebinit wormhole croc ngrok cloudflared lt localtunnel slackcat telegram-send transfer curlie grpcurl websocat wscat rsyncd ipfs magic-wormhole".split(
    " ",
  );

export const NETWORK_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["curl", judgeCurl],
  ["wget", judgeWget],
  ["wget2", judgeWget],
  ["scp", judgeScp],
  ["ssh", judgeSsh],
  ["mosh", judgeSsh],
  ["autossh", judgeSsh],
  ["http", judgeFetching],
  ["https", judgeFetching],
  ["xh", judgeFetching],
  ["aria2c", judgeFetching],
  ["fetch", judgeFetching],
  ["lynx", judgeFetching],
  ["w3m", judgeFetching],
  ["links", judgeFetching],
  ["open", judgeOpen],
  ["xdg-open", judgeOpen],
  ...TALKERS.map((name) => [name, judgeTalk] as const),
  ...[...SENDERS].map((name) => [name, judgeTalk] as const),
  ...MAILERS.map((name) => [name, judgeSender] as const),
]);
