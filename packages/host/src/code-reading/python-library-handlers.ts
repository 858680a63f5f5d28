// Functions of Python's libraries that run texts, drive other programs, or reach further than their
// names tell.

import { classOf } from "./define-value.ts";
import type { Handler } from "./code-language.ts";
import { PARENT, killed, killsAll } from "./kill-process.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  NUMBER,
  exactly,
  known,
  list,
  text,
  type Args,
  type Value,
  first,
} from "./code-value.ts";
import { isOwnMachine } from "../shell-line/own-machine.ts";
import { OWN_CONNECTION } from "./judge-verb.ts";
import { argumentsOf } from "./command-arguments.ts";
import { isAway } from "./judge-stranger.ts";
import { serves } from "./serve-files.ts";
import { runGit, GIT_METHODS } from "./run-git.ts";
import { runCommand, settingOf } from "./run-command.ts";
import { examplesIn, insertsIn, noteCodeText } from "./text-code.ts";

const examples: Handler = (reader, given) => {
  const own = first(given).kind === "text" ? exactly(first(given)) : undefined;
  const code = examplesIn(own ?? reader.source);
  if (code !== "") reader.readText(code);
  return DATA;
};

const template: Handler = (reader, given, name) => {
  for (const value of given.positional) noteCodeText(reader, value);
  if (name.startsWith("mako")) for (const code of insertsIn(first(given))) reader.readText(code);
  return { kind: "made", by: name };
};

const started: Handler = (reader, given) => {
  const command = given.positional[0] ?? given.named.get("args");
  runCommand(reader, command, settingOf(given));
  reader.handedOn({ ...given, positional: given.positional.slice(1) });
  return { kind: "made", by: "subprocess.Popen", target: command };
};

/** What a program that was started is told. */
const told: Handler = (reader, given) => {
  const [process, ...rest] = given.positional;
  const input = rest[0] ?? given.named.get("input");
  if (process?.kind === "made" && process.target && input)
    runCommand(reader, process.target, { input });
  return { kind: "made", by: "output of a program" };
};

const linked: Handler = (reader, given, name) => {
  const isPath = name.endsWith("symlink_to");
  const [one = DATA, other = DATA] = [
    given.positional[0] ?? given.named.get("src"),
    given.positional[1] ?? given.named.get(isPath ? "target" : "dst"),
  ];
  const [target, path] = isPath ? [other, one] : [one, other];
  reader.acts.link(target, path);
  runCommand(reader, list([text("ln"), text("-s"), target, path]));
  return DATA;
};

const typed: Handler = (reader, given) => {
  const [name, bases, members] = given.positional;
  if (name && bases) return classOf(name, bases, members);
  return reader.handedOn(given) ?? DATA;
};

/** Types characters for whoever sits there. */
const controlled: Handler = (reader, given) => {
  const isTyping = given.positional.some(
    (each) =>
      (each.kind === "known" && each.name.endsWith("TIOCSTI")) ||
      (each.kind === "number" && each.value === 0x54_12),
  );
  if (isTyping) reader.acts.unknown("it types into the terminal");
  return NUMBER;
};

const parsed: Handler = (reader, given) => {
  const [, words] = given.positional;
  if (words?.kind === "list")
    for (const each of words.items) if (isAway(each)) reader.acts.overwrite(each);
  return argumentsOf(reader, words);
};

const awaited: Handler = (reader, given) => {
  reader.handedOn({ ...given, positional: given.positional.slice(1) });
  return first(given);
};

/** `{ handlers: { file: { filename: "x" } } }` */
function writesNamed(reader: CodeReader, value: Value): void {
  if (value.kind !== "record") return;
  for (const [name, each] of value.entries)
    if (/^(?:filename|path)$/.test(name)) reader.acts.overwrite(each);
    else writesNamed(reader, each);
}

function netrc(reader: CodeReader, given: Args): Value {
  reader.acts.read(given.positional[0] ?? text(`${reader.home}/.netrc`));
  return DATA;
}

/** To this machine, or to another one. */
const connected: Handler = (reader, given, name) => {
  const host = exactly(given.positional[0] ?? given.named.get("host"));
  if (host !== undefined && isOwnMachine(host)) return { kind: "made", by: OWN_CONNECTION };
  reader.acts.network();
  return { kind: "made", by: `web:${name}` };
};

const asked: Handler = (reader, given, name) => {
  const value = given.named.get("default");
  if (value) reader.defaults.push(value);
  return { kind: "made", by: name.startsWith("click") ? name : "argparse.ArgumentParser" };
};

export const PYTHON_LIBRARY_HANDLERS: readonly (readonly [string, Handler])[] = [
  ["builtins.type", typed],
  ["os.kill", killed],
  ["os.killpg", killed],
  ["os.getppid", () => ({ kind: "made", by: PARENT })],
  ["psutil.process_iter.kill", killsAll],
  ["psutil.process_iter.terminate", killsAll],
  ["psutil.process_iter.suspend", killsAll],
  ["inspect.getmembers", (_, given) => first(given)],
  ["inspect.getattr_static", (reader, given) => reader.call(known("builtins.getattr"), given)],
  ["doctest.run_docstring_examples", examples],
  ["doctest.testmod", examples],
  ["doctest.testsource", examples],
  ["jinja2.Template", template],
  ["jinja2.Environment.from_string", template],
  ["mako.template.Template", template],
  ["http.server.test", serves],
  ["http.server.HTTPServer", serves],
  ["http.server.ThreadingHTTPServer", serves],
  ["socketserver.TCPServer", serves],
  ["subprocess.Popen", started],
  ["subprocess.Popen.communicate", told],
  ["subprocess.Popen.write", told],
  ["subprocess.Popen.writelines", told],
  ["os.symlink", linked],
  ["pathlib.Path.symlink_to", linked],
  ["fcntl.ioctl", controlled],
  ["logging.config.dictConfig", (reader, given) => (writesNamed(reader, first(given)), DATA)],
  [
    "argparse.FileType",
    (_, given) => ({
      kind: "made",
      by: "argparse.FileType",
      target: given.positional[0] ?? given.named.get("mode"),
    }),
  ],
  ["argparse.ArgumentParser.add_argument", asked],
  ["click.option", asked],
  ["click.argument", asked],
  ["argparse.ArgumentParser.parse_args", parsed],
  [
    "argparse.ArgumentParser.parse_known_args",
    (reader, given, name) => list([parsed(reader, given, name)!, DATA]),
  ],
  ["asyncio.run", awaited],
  ["asyncio.wait_for", awaited],
  ["netrc.netrc", (reader, given) => netrc(reader, given)],
  ["socket.HTTPConnection", connected],
  ["socket.HTTPSConnection", connected],
  ["redis.Redis", (reader, given) => store(reader, given)],
  ["redis.StrictRedis", (reader, given) => store(reader, given)],
  ["git.Repo.clone_from", (reader, given) => runGit(reader, undefined, "clone", given)],
  [
    "git.Repo",
    (_, given) => ({ kind: "made", by: "git.Repo", target: given.positional[0] ?? text(".") }),
  ],
  ...GIT_METHODS.map((name): [string, Handler] => [
    `git.Repo.${name}`,
    (reader, given) => {
      const [repository, ...positional] = given.positional;
      return runGit(reader, repository, name, { ...given, positional });
    },
  ]),
];

/** A store on this machine, unless it is said to be elsewhere. */
function store(reader: CodeReader, given: Args): Value {
  const host = exactly(given.positional[0] ?? given.named.get("host") ?? text("localhost"));
  const isOwn = host !== undefined && /^(?:localhost$|127\.|::1)/.test(host);
  if (isOwn) return { kind: "made", by: "web:redis.Redis" };
  reader.acts.network();
  return { kind: "made", by: "web:redis.Remote" };
}
