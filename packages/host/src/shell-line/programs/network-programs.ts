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
} from "../judge-unknown.ts";
import { fileText } from "../note-written.ts";
import { isProxied } from "../note-leaving.ts";
import { secretVariables } from "../note-secrets.ts";
import { isOwnMachine, isPublicHost } from "../own-machine.ts";
import { isOwnersHost, isSecretVariable } from "../secret-variable.ts";
import { REMOTE_PROGRAMS } from "./remote-programs.ts";
import { isLosingTalk } from "./key-value-orders.ts";
import { noteMethod } from "./request-method.ts";
import { judgeTransferOrders } from "./transfer-orders.ts";

const CURL_VALUED =
  "o output X request H header d data data-raw data-binary data-ascii data-urlencode url-query json F form form-string u user A user-agent e referer b cookie c cookie-jar T upload-file w write-out m max-time output-dir D dump-header x proxy K config E cert connect-timeout retry url trace trace-ascii stderr libcurl etag-save etag-compare hsts alt-svc key cacert capath resolve connect-to interface limit-rate r range C continue-at Q quote P ftp-port y Y z t U proxy-user netrc-file unix-socket max-redirs retry-delay retry-max-time variable expand-data expand-data-raw expand-data-binary expand-json expand-header expand-url expand-form expand-output expand-user doh-url dns-servers";
const CURL_FILES =
  "o output c cookie-jar D dump-header trace trace-ascii stderr libcurl etag-save hsts alt-svc expand-output";
const CURL_DATA =
  "d data data-raw data-binary data-ascii data-urlencode url-query json F form form-string T upload-file Q quote expand-data expand-data-raw expand-data-binary expand-json expand-header expand-url expand-form expand-user";
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
  const data = valuesOf(read, CURL_DATA);
  const isImplied = data.length > 0 && !hasAny(read, "G get");
  noteMethod(call, method ?? (isImplied ? "POST" : undefined), addressesOf(read), [
    ...valuesOf(read, "H header"),
    ...data,
  ]);
  noteCurlSecrets(call, read);
  noteSending(call, {
    addresses: addressesOf(read),
    data,
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

/** `--variable %TOKEN`, `--variable x@file`, `-T '{a,b}'`, and logins that are kept in a file. */
function noteCurlSecrets(call: CommandCall, read: ReadArguments): void {
  const { effects } = call;
  const addresses = addressesOf(read);
  const isOwn = addresses.length > 0 && addresses.every(({ prefix }) => isOwnMachine(prefix));
  if (isOwn) return;
  const note = (secret: string): void => {
    effects.sends = true;
    if (!effects.readsSecrets.includes(secret)) effects.readsSecrets.push(secret);
  };
  const hosts = addresses.map(({ prefix }) => /^(?:\w+:\/\/)?([^/:?#]+)/.exec(prefix)?.[1] ?? "");
  for (const { text = "" } of valuesOf(read, "variable")) {
    const name = /^%(\w+)/.exec(text)?.[1];
    if (name !== undefined && isSecretVariable(name))
      if (isProxied(call) || !isOwnersHost(name, hosts)) note(`$${name}`);
    const file = /^\w+(?:\[[^\]]*\])?@(.+)$/s.exec(text)?.[1];
    if (file !== undefined) addReads(call, [knownField(file)]);
  }
  const uploads = valuesOf(read, "T upload-file").flatMap(({ text = "" }) => expandGlob(text));
  addReads(
    call,
    uploads.map((file) => knownField(file)),
  );
  const [file] = valuesOf(read, "netrc-file");
  const hasLogin = hasAny(read, "n netrc netrc-optional netrc-file u user H header");
  // Whoever answers may send it on to anybody.
  if (hasLogin && hasAny(read, "location-trusted")) note("a login");
  if (file && !hosts.every(isPublicHost)) addReads(call, [file]);
  if (file && effects.readsSecrets.length > 0 && !hosts.every(isPublicHost)) effects.sends = true;
}

/** curl's own lists, `{a,b}`; its ranges are for numbers. */
function expandGlob(text: string): string[] {
  const list = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(text);
  if (!list) return [text];
  const [, before = "", inner = "", after = ""] = list;
  return inner.split(",").flatMap((each) => expandGlob(`${before}${each}${after}`));
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
    // Each line of `-i` is an address.
    data: valuesOf(read, "post-data post-file body-data body-file i input-file load-cookies"),
    isSending: hasAny(read, "method"),
  });
  const method = exactText(valuesOf(read, "method")[0])?.toUpperCase();
  const posted = valuesOf(read, "post-data body-data header");
  noteMethod(call, method ?? (posted.length > 0 ? "POST" : undefined), read.operands, posted);
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

/** Variables with keys in them may go to whom they are for, and to nobody else. */
function secretNames(call: CommandCall, addresses: readonly Field[]): string[] {
  const hosts = addresses.map(({ prefix }) => /^(?:\w+:\/\/)?([^/:?#]+)/.exec(prefix)?.[1] ?? "");
  return secretVariables(call)
    .filter((name) => isProxied(call) || !isOwnersHost(name, hosts))
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
  const isOnline = args.some(({ text }) =>
    /^(?:tcp|udp|openssl|ssl|sctp|dtls)\w*[-:]/i.test(text ?? ""),
  );
  if (isOnline && args.some(({ text }) => /^(?:exec|system|shell|pty):?/i.test(text ?? "")))
    effects.critical.push("gives another machine a shell here");
  const at = args.findIndex(({ text }) => /^-\w*[ec]$|^--(?:exec|sh-exec)$/.test(text ?? ""));
  if (at >= 0 && /^(?:nc|ncat|netcat)$/.test(call.name)) {
    effects.critical.push("gives another machine a shell here");
  }
  const isOwn = args.some(({ text }) => isOwnMachine(text ?? ""));
  if (input.text !== undefined && isLosingTalk(input.text, isOwn))
    effects.critical.push("deletes or overwrites what is in a database");
  judgeOutputs(call);
  judgeTails(call, args);
}

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|PURGE|OPTIONS)$/i;
/** Their method is the first word, in letters of any size. */
const WORDED = /^(?:http|https|httpie|xhs?|curlie)$/;

function judgeFetching(call: CommandCall): void {
  const { args, effects } = call;
  effects.network = true;
  effects.downloads = true;
  const texts = args.map(({ text }) => text ?? "?");
  const words = args.filter(({ text }) => !text?.startsWith("-"));
  const word = words.find(({ text }) => METHOD.test(text ?? ""))?.text;
  const isMethod = word !== undefined && (WORDED.test(call.name) || word === word.toUpperCase());
  const addresses = words.filter(({ text }) => !isMethod || text !== word);
  const told = addresses.slice(1);
  const isImplied = WORDED.test(call.name) && told.some(({ prefix }) => /[^=]=|:=|@/.test(prefix));
  const method = isMethod ? word.toUpperCase() : isImplied ? "POST" : undefined;
  noteMethod(call, method, addresses.slice(0, 1), told);
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

/** `package.Users/DeleteUser` */
const CALLED =
  /[/.](?:Batch)?(?:Delete|Drop|Purge|Remove|Destroy|Reset|Wipe|Truncate|Terminate)\w*$/;

/** Mail, messages, uploads. */
function judgeSender(call: CommandCall): void {
  call.effects.network = true;
  call.effects.sends = true;
  call.effects.executes = true;
  judgeTails(call, call.args);
  judgeGuardedOperands(call);
  let orders = call.input.text ?? fileText(call, call.input.file) ?? "";
  if (call.name === "sftp") {
    const read = readArguments(call.args, "b i o P F");
    addTargets(call, "overwrites", read.operands.slice(1));
    const [batch] = valuesOf(read, "b");
    const file = batch?.text === "-" ? call.input.file : (batch ?? call.input.file);
    if (file) orders = fileText(call, file) ?? orders;
    if ((batch || call.input.isPresent) && orders === "")
      call.effects.unknown.push("what it does on the other machine is in a file");
  }
  if (/^(?:lftp|ftp)$/.test(call.name) && hasAny(readArguments(call.args, "b f e c"), "b f"))
    call.effects.unknown.push("its orders are in a file");
  if (
    /^(?:ngrok|cloudflared|lt|localtunnel)$/.test(call.name) &&
    !hasAny(readArguments(call.args), "version help")
  )
    call.effects.critical.push("lets another machine into this one");
  const methods = call.args.filter(({ text }) => CALLED.test(text ?? ""));
  const isOwn = call.args.some(({ text }) => isOwnMachine(text ?? ""));
  if (call.name === "grpcurl" && methods.length > 0 && !isOwn)
    call.effects.critical.push("deletes on another machine");
  const isTold = /^(?:lftp|ftp)$/.test(call.name);
  if (isTold && call.input.isPresent && call.input.text === undefined)
    call.effects.unknown.push("its orders come from elsewhere");
  const spoken = isTold ? call.args.filter(({ text }) => /\s/.test(text ?? "")) : [];
  orders = [orders, ...spoken.map(({ text }) => text)].join("\n");
  if (/^(?:sftp|ftp|lftp|tftp|ncftp)$/.test(call.name)) judgeTransferOrders(call, orders);
  if (/^\s*-?(?:rm|rmdir|rename|delete|mdelete|mrm|chmod)\b/m.test(orders))
    call.effects.critical.push("deletes on another machine");
  const told = call.args.filter(({ text }) => /\s/.test(text ?? "")).map(({ text }) => text);
  // `lftp -c '!rm x'`, `sftp -D 'rm x'`: some of what they are told runs here.
  for (const line of told) judgeCommandsIn(call, line!);
  addReads(
    call,
    [orders, ...told]
      .join(" ")
      .split(/[\s;]+/)
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
  "mail mailx mutt sendmail msmtp swaks s-nail ftp lftp tftp sftp pastebinit wormhole croc ngrok cloudflared lt localtunnel slackcat telegram-send transfer grpcurl websocat wscat rsyncd ipfs magic-wormhole".split(
    " ",
  );

export const NETWORK_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["curl", judgeCurl],
  ["wget", judgeWget],
  ["wget2", judgeWget],
  ...REMOTE_PROGRAMS,
  ["http", judgeFetching],
  ["https", judgeFetching],
  ["xh", judgeFetching],
  ["xhs", judgeFetching],
  ["httpie", judgeFetching],
  ["curlie", judgeFetching],
  ["aria2c", judgeFetching],
  ["fetch", judgeFetching],
  ["lynx", judgeFetching],
  ["w3m", judgeFetching],
  ["links", judgeFetching],
  ["open", judgeOpen],
  ["xdg-open", judgeOpen],
  ["explorer.exe", judgeOpen],
  ...TALKERS.map((name) => [name, judgeTalk] as const),
  ...[...SENDERS].map((name) => [name, judgeTalk] as const),
  ...MAILERS.map((name) => [name, judgeSender] as const),
]);
