// What a function of a library does, as a row of marks:
//   `r0` reads the file that its first argument names, `R0` all that is in a directory;
//   `w0` may create it, `o0` changes it, `d0` deletes it; `@` is what the method belongs to;
//   `o1:dst,target` is the second argument, or one of these by name;
//   `f0/1:mode=r` opens the first as the second says; `n0:path` only by name or if it is a text;
//   `s0` is SQL, `x0` a command, `net` reaches another machine, `net0` the one in the first;
//   `past` gets past the language, `load0` makes objects of bytes; `=0` gives the first argument;
//   `lost` is lost elsewhere; `m1` is, from now on, what the first or the receiver was.

import { isOwnMachine } from "../shell-line/own-machine.ts";
import type { CodeReader } from "./code-reader.ts";
import { exactly, optionsOf, pathOf, sourceOf, type Args, type Value } from "./code-value.ts";
import { runCommand, settingOf } from "./run-command.ts";
import { noteCodeText } from "./text-code.ts";
import { noteVerb } from "./judge-verb.ts";
import { judgeSql } from "./judge-sql.ts";

export interface RowPlace {
  name: string;
  receiver?: Value;
}

const MARK = /^([a-zA-Z]+?)(\d|@)?(?:\/(\d):(\w+)=(\w*))?(?::([\w,]+))?$/;

export function applyRow(reader: CodeReader, row: string, given: Args, place: RowPlace): Value {
  let target: Value | undefined;
  let isWeb = false;
  for (const mark of row.split(" ")) {
    if (mark.startsWith("=")) {
      const [at, names = ""] = mark.slice(1).split(":");
      target = argumentAt(given, place, at, names);
      continue;
    }
    const [, verb = "", at, modeAt, modeName = "", byDefault = "", names = ""] =
      MARK.exec(mark) ?? [];
    const value = argumentAt(given, place, at, names);
    isWeb ||= verb === "net";
    if (modeAt !== undefined)
      openFile(reader, value, modeOf(given, Number(modeAt), modeName, byDefault));
    else act(reader, verb, value, given, place);
  }
  return { kind: "made", by: isWeb ? `web:${place.name}` : place.name, target };
}

function targetOf(receiver: Value | undefined): Value | undefined {
  return receiver?.kind === "made" ? (receiver.target ?? receiver) : receiver;
}

function argumentAt(
  given: Args,
  { receiver }: RowPlace,
  at: string | undefined,
  names: string,
): Value | undefined {
  if (at === "@") return targetOf(receiver);
  for (const name of names.split(",")) {
    const named = given.named.get(name);
    if (named) return named;
  }
  if (at === undefined) return undefined;
  const value = given.positional[Number(at)];
  return value ?? (given.isOpen ? { kind: "unknown", source: "data" } : undefined);
}

function firstOf({ positional, named }: Args): Value | undefined {
  return positional[0] ?? named.get("src");
}

function act(
  reader: CodeReader,
  verb: string,
  value: Value | undefined,
  given: Args,
  place: RowPlace,
): void {
  const { name } = place;
  const { acts } = reader;
  switch (verb) {
    case "net":
      if (isElsewhere(value, given)) acts.network();
      return noteVerb(reader, given);
    case "past":
      return acts.unknown(`${name} gets past the language`);
    case "lost":
      return acts.critical("deletes something that may not come back");
    case "mail":
      acts.network();
      return acts.critical("sends a message");
    case "x":
      return runCommand(reader, value, settingOf(given));
    default:
      break;
  }
  if (value === undefined) return;
  switch (verb) {
    case "r":
      return acts.read(value);
    case "R":
      return acts.readBelow(value);
    case "w":
      return acts.write(value);
    case "o":
      return acts.overwrite(value);
    case "d":
      return acts.delete(value);
    case "n":
      // It may be an open file, which is nothing to ask about.
      if (optionsOf(value).some(isTextual)) acts.overwrite(value);
      return;
    case "m":
      return acts.moved(place.receiver ? targetOf(place.receiver) : firstOf(given), value);
    case "s":
      return judgeSql(reader, value);
    case "load":
      noteCodeText(reader, value);
      if (isForeign(value, name))
        acts.unknown(`${name} makes objects of bytes, which may run anything`);
      return;
    case "dl":
      return acts.download(value);
    default:
      return;
  }
}

/** Bytes from the network or from the code itself, as opposed to a file of the project. */
function isForeign(value: Value, name: string): boolean {
  return optionsOf(value).some((each) => {
    const source = sourceOf(each);
    const isBytes =
      /loads$|decode$/.test(name) && (each.kind === "text" || each.kind === "unknown");
    const isAddress = /^https?:/.test(exactly(each) ?? "");
    return source === "web" || isAddress || (isBytes && source === "hidden");
  });
}

/** A text, or a path that is made of one. */
export function isTextual(value: Value): boolean {
  return value.kind === "text" || pathOf(value) !== undefined;
}

/** Whether it may be another machine. */
function isElsewhere(address: Value | undefined, given: Args): boolean {
  const candidates = [address, given.positional[0], given.named.get("url"), given.positional[1]];
  const known = candidates.flatMap((each) => {
    const value = each?.kind === "list" ? each.items[0] : each;
    if (value?.kind !== "text") return [];
    const [first] = value.parts;
    return typeof first === "string" ? [first] : [];
  });
  return known.length === 0 || !known.some(isOwnMachine);
}

function modeOf(given: Args, at: number, name: string, byDefault: string): Value | string {
  return given.named.get(name) ?? given.positional[at] ?? (given.isOpen ? "w" : byDefault);
}

/** As the mode says; one that is not known may be any. */
export function openFile(reader: CodeReader, path: Value | undefined, mode: Value | string): void {
  if (path === undefined) return;
  const modes =
    typeof mode === "string" ? [mode] : optionsOf(mode).map((each) => exactly(each) ?? "?");
  for (const each of modes) {
    // Flags of `fs.open` may be numbers.
    const isReading = /^(?:r[bsU]?[bt]?|rt|br|U|0|rs|r:\w*)$/.test(each);
    const isReader = isReading && !each.includes("+");
    if (isReader) reader.acts.read(path);
    else if (each.startsWith("x")) reader.acts.write(path);
    else reader.acts.overwrite(path);
  }
}
