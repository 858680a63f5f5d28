// Functions that get at others under another name, end other processes, serve files, or write through a
// side door: what a row cannot say of them.

import { quote } from "./code-acts.ts";
import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  args,
  DATA,
  exactly,
  HIDDEN_CODE,
  list,
  optionsOf,
  sourceOf,
  text,
  type Args,
  type Value,
} from "./code-value.ts";
import { openFile } from "./library-row.ts";

function first({ positional }: Args): Value {
  return positional[0] ?? DATA;
}

/** Everything that a module has, in a form that is not followed. */
const members: Handler = (reader, given) => {
  const isModule = optionsOf(first(given)).some(
    ({ kind, ...each }) =>
      kind === "known" && reader.language.tables.powerful.has((each as { name: string }).name),
  );
  if (isModule) {
    reader.acts.unknown("it goes through all that a module has");
    return HIDDEN_CODE;
  }
  return undefined;
};

/** All processes, or the group of this one. */
const kill: Handler = (reader, given) => {
  const [target] = given.positional;
  if (target?.kind === "number" && target.value !== undefined && target.value <= 0)
    reader.acts.critical("ends processes that are not its own");
  return DATA;
};

/** `argparse.FileType("w")` opens what it is given, now or when the arguments are read. */
const fileType: Handler = (_, given) => ({
  kind: "made",
  by: "argparse.FileType",
  target: given.positional[0] ?? given.named.get("mode") ?? text("r"),
});

const parseArguments: Handler = (reader, given) => {
  const [, words] = given.positional;
  const items = words?.kind === "list" ? words.items : [];
  if (reader.top.names.has(FILE_TYPE)) for (const each of items) openFile(reader, each, "w");
  return undefined;
};
const FILE_TYPE = "\0FileType";

const addArgument: Handler = (reader, given) => {
  const type = given.named.get("type");
  const isWriting =
    type?.kind === "made" &&
    type.by === "argparse.FileType" &&
    !/^rb?$/.test(exactly(type.target) ?? "w");
  if (isWriting) reader.top.names.set(FILE_TYPE, type);
  return undefined;
};

/** The directory is there for everybody who can reach the port. */
const serve: Handler = (reader, given) => {
  const address = given.positional[0];
  const host = address?.kind === "list" ? exactly(address.items[0]) : undefined;
  if (/^(?:localhost|127\.|::1)/.test(host ?? "")) return undefined;
  const handler = [...given.positional, ...given.named.values()].some((each) =>
    optionsOf(each).some((one) => one.kind === "known" && one.name.startsWith("http.server.")),
  );
  if (!handler) return undefined;
  reader.acts.network();
  reader.acts.readBelow(text("."));
  return { kind: "made", by: "http.server.HTTPServer" };
};

/** `type("P", (subprocess.Popen,), {})` */
const makeType: Handler = (reader, given) => {
  const [, bases] = given.positional;
  if (given.positional.length < 3) return undefined;
  reader.handedOn({ ...given, positional: given.positional.slice(2) });
  return {
    kind: "class",
    name: "",
    bases: bases?.kind === "list" ? bases.items : [],
    members: new Map(),
  };
};

/** `git.Repo(".").git.push("--force")` */
const gitCommand =
  (name: string): Handler =>
  (reader, given) => {
    const [repository, ...rest] = given.positional;
    const place = repository?.kind === "made" ? exactly(repository.target) : undefined;
    const words = [...rest, ...(given.named.get("force") ? [text("--force")] : [])];
    const line = words.map((each) => quote(exactly(each) ?? "$tau_open")).join(" ");
    reader.acts.command(`git ${place === undefined ? "" : `-C ${quote(place)} `}${name} ${line}`);
    return DATA;
  };

const modulePath: Handler = (reader, given) => {
  for (const value of given.positional) {
    const path = exactly(value);
    if (path !== undefined && /^(?:\/tmp|\/var\/tmp|\/dev\/shm|~\/Downloads)(?:\/|$)/.test(path))
      reader.acts.unknown(`it loads modules from ${path}`);
  }
  return DATA;
};

const credentials: Handler = (reader, given) => {
  reader.acts.read(given.positional[0] ?? text(`${reader.home}/.netrc`));
  return DATA;
};

const terminal: Handler = (reader, given) => {
  const isTyping = given.positional.some((each) =>
    optionsOf(each).some((one) => one.kind === "known" && /TIOCSTI|TIOCLINUX/.test(one.name)),
  );
  if (isTyping) reader.acts.unknown("it types into a terminal");
  return DATA;
};

const remoteCode: Handler = (reader, given) => {
  const trust = given.named.get("trust_remote_code");
  if (trust?.kind === "known" && trust.name === "True")
    reader.acts.effects.downloadsAndExecutes = true;
  return undefined;
};

/** `.save()` of what was made of a path. */
const saved: Handler = (reader, given) => {
  const [object, path] = given.positional;
  const target = path ?? (object?.kind === "made" ? object.target : undefined);
  if (target) reader.acts.overwrite(target);
  return DATA;
};

const made =
  (name: string): Handler =>
  (_, given) => ({
    kind: "made",
    by: name,
    target: given.positional[0] ?? given.named.get("filename"),
  });

const COOKIE_JARS = ["http.cookiejar.LWPCookieJar", "http.cookiejar.MozillaCookieJar"];
const MAILBOXES = ["mbox", "Maildir", "MH", "Babyl", "MMDF"].map((name) => `mailbox.${name}`);
const GIT =
  "push pull clean reset checkout rm stash branch tag gc filter_branch rebase fetch clone merge commit".split(
    " ",
  );

export const PYTHON_REACHING: readonly (readonly [string, Handler])[] = [
  ["inspect.getmembers", members],
  ["inspect.getmembers_static", members],
  ["os.kill", kill],
  ["os.killpg", kill],
  ["argparse.FileType", fileType],
  [
    "argparse.FileType()",
    (reader, given) => {
      const [type, path] = given.positional;
      openFile(reader, path, (type?.kind === "made" ? type.target : undefined) ?? "w");
      return DATA;
    },
  ],
  ["argparse.ArgumentParser.add_argument", addArgument],
  ["argparse.ArgumentParser.parse_args", parseArguments],
  ["http.server.test", (reader) => (reader.acts.network(), reader.acts.readBelow(text(".")), DATA)],
  ["http.server.HTTPServer", serve],
  ["http.server.ThreadingHTTPServer", serve],
  ["socketserver.TCPServer", serve],
  ["builtins.type", makeType],
  ["git.Repo", made("git.Repo")],
  ...GIT.map((name) => [`git.Repo.${name}`, gitCommand(name.replaceAll("_", "-"))] as const),
  ["sys.path.insert", modulePath],
  ["sys.path.append", modulePath],
  ["sys.path.extend", modulePath],
  ["netrc.netrc", credentials],
  ["fcntl.ioctl", terminal],
  ...["AutoModel", "AutoTokenizer", "AutoConfig", "AutoModelForCausalLM"].map(
    (name) => [`transformers.${name}.from_pretrained`, remoteCode] as const,
  ),
  ["transformers.pipeline", remoteCode],
  ...COOKIE_JARS.flatMap((name) => [[name, made(name)] as const, [`${name}.save`, saved] as const]),
  ...MAILBOXES.flatMap((name): [string, Handler][] => [
    [name, made(name)],
    ...["clear", "remove", "discard", "pop", "popitem", "add", "flush"].map(
      (method): [string, Handler] => [
        `${name}.${method}`,
        (reader, given) => saved(reader, args(first(given)), ""),
      ],
    ),
  ]),
];

/** An address with data in it leaves with them. */
export function noteImport(reader: CodeReader, value: Value): void {
  for (const each of optionsOf(value)) {
    if (each.kind !== "text") continue;
    const [begin] = each.parts;
    if (typeof begin !== "string" || !/^https?:/i.test(begin)) continue;
    reader.acts.network();
    reader.acts.effects.downloadsAndExecutes = true;
  }
}

const machine: Handler = (reader, given) => {
  const code = given.positional[0] ?? DATA;
  for (const each of optionsOf(code)) {
    const exact = exactly(each);
    if (sourceOf(each) === "web") reader.acts.effects.downloadsAndExecutes = true;
    if (exact === undefined) reader.acts.unknown("it runs code that is only known when it runs");
    else reader.readText(exact);
  }
  // What the code is given under other names it may call.
  const context = given.positional[1];
  if (context?.kind === "record")
    for (const value of context.entries.values())
      if (value.kind === "known" || value.kind === "function")
        reader.acts.unknown("it gives functions to code in a text");
  return DATA;
};

export const JAVASCRIPT_REACHING: readonly (readonly [string, Handler])[] = [
  ["process.kill", kill],
  ["vm.Script", (reader) => (reader.acts.unknown("it makes a script of a text"), DATA)],
  ["vm.runInNewContext", machine],
  ["vm.runInContext", machine],
  ["Deno.env.toObject", (reader) => (reader.acts.secret("the environment"), DATA)],
  ["Bun.env.toJSON", (reader) => (reader.acts.secret("the environment"), DATA)],
  [
    "Map",
    (_, given) => {
      const pairs = first(given);
      if (pairs.kind !== "list") return undefined;
      const entries = pairs.items.flatMap((pair): [string, Value][] =>
        pair.kind === "list" && pair.items.length === 2
          ? [[exactly(pair.items[0]) ?? "\0", pair.items[1]!]]
          : [],
      );
      return { kind: "record", entries: new Map(entries), isOpen: true };
    },
  ],
  [
    "JSON.parse",
    (reader, given) => {
      const [source, reviver] = given.positional;
      if (reviver) reader.perhaps(() => reader.call(reviver, args(DATA, DATA)));
      return { kind: "unknown", source: sourceOf(source ?? DATA) === "web" ? "web" : "data" };
    },
  ],
  ["Bun.s3.delete", lost],
  ["Bun.s3.unlink", lost],
  ["Bun.redis.send", redis],
  ["Bun.redis.del", lost],
];

function lost(reader: CodeReader): Value {
  reader.acts.critical("deletes something that may not come back");
  return list([]);
}

function redis(reader: CodeReader, given: Args): Value {
  const order = exactly(first(given));
  if (
    order === undefined ||
    /^(?:flush\w*|del|unlink|shutdown|config|rename|eval\w*|script|restore|migrate)$/i.test(order)
  )
    lost(reader);
  return DATA;
}
