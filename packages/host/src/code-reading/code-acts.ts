// Notes what the code does. Paths are taken as far as they are known: a name from a listing or a
// number in the middle of a path does not lead elsewhere; what the code hides may.

import { posix } from "node:path";
import { noCodeEffects, type CodeEffects, type CodePath } from "./code-effects.ts";
import {
  exactly,
  optionsOf,
  partsOf,
  pathOf,
  sourceOf,
  type Hole,
  type Value,
} from "./code-value.ts";

/** Stands for a part of a path that is not known but stays where it is. */
const SOME_NAME = "tau-some-name";
/** What reports and pictures end in: whoever names one after data means a file beside it. */
const ORDINARY_END =
  /\.(?:csv|tsv|json|jsonl|ndjson|txt|md|html|png|jpe?g|svg|pdf|gif|webp|parquet|feather|npy|npz|xlsx|log|out|xml|ya?ml|tex|wav|mp4|geojson|ipynb)$/i;
/** What `os.open` gives: of a directory, relative paths can begin there. */
export const OPEN_FILE = "os.open";
/** More is a sign that something is wrong; what was noted by then asks. */
const MAX_NOTED = 400;

export class CodeActs {
  readonly effects: CodeEffects = noCodeEffects();
  /** Where relative paths begin, if the code has gone there; null if nobody knows. */
  directory: string | null | undefined;

  constructor(directory: string | null | undefined) {
    this.directory = directory;
  }

  read(value: Value): void {
    for (const option of optionsOf(value)) {
      if (isNoPath(option)) continue;
      const path = this.#path(option);
      if (path) this.#readSome(path);
      // A path that the code hides is hidden for a reason.
      else if (sourceOf(option) === "hidden") this.secret("a file that is only known when it runs");
    }
  }

  /** A file from a listing may be any file there. */
  #readSome(path: CodePath): void {
    const parts = path.text?.split("/") ?? [];
    const at = parts.findIndex((part) => part.includes(SOME_NAME));
    if (at < 0) this.#add(this.effects.reads, path);
    else if (
      parts.at(-1) === SOME_NAME ||
      (parts[at] === SOME_NAME && !parts.at(-1)!.includes("."))
    ) {
      const directory = parts.slice(0, at).join("/");
      this.#add(this.effects.deepReads, {
        text: directory === "" ? (parts[0] === "" ? "/" : ".") : directory,
        prefix: "",
      });
    } else
      this.#add(this.effects.reads, {
        text: path.text!.replaceAll(SOME_NAME, "*"),
        prefix: "",
        isPattern: true,
      });
  }

  readBelow(value: Value): void {
    for (const option of optionsOf(value)) {
      const path = this.#path(option);
      if (path) this.#add(this.effects.deepReads, path);
    }
  }

  /** May come to be. */
  write(value: Value): void {
    for (const option of optionsOf(value)) {
      if (isNoPath(option)) continue;
      const path = this.#path(option);
      if (path) this.#add(this.effects.writes, path);
      else if (sourceOf(option) === "hidden") this.unknown("where it writes cannot be determined");
    }
  }

  overwrite(value: Value): void {
    for (const option of optionsOf(value)) {
      if (isNoPath(option)) continue;
      const path = this.#path(option);
      if (path) this.#add(this.effects.overwrites, path);
      else this.unknown("where it writes cannot be determined");
    }
  }

  /** By a helper that is judged again when it runs: what is not known is not asked about now. */
  touch(value: Value): void {
    for (const option of optionsOf(value)) {
      const path = this.#path(option);
      if (path) this.#add(this.effects.overwrites, path);
    }
  }

  /** What a file that it writes holds then. */
  fill(file: Value, content: Value | undefined): void {
    const { written } = this.effects;
    for (const option of optionsOf(file)) {
      const path = this.#path(option);
      if (path && written.length < MAX_NOTED) written.push({ path, text: exactly(content) });
    }
  }

  delete(value: Value): void {
    for (const option of optionsOf(value)) {
      if (option.kind === "number") continue;
      const path = this.#path(option);
      if (path) this.#add(this.effects.deletes, path);
      else this.unknown("what it deletes cannot be determined");
    }
  }

  /** A link: what is done through it is done where it leads, from where the link is. */
  link(target: Value, path: Value): void {
    for (const [from, to] of pairs(target, path)) {
      const [link, raw] = [this.#path(to)?.text, exactly(from)];
      if (link === undefined || raw === undefined) continue;
      this.#linked(link, /^[/~]/.test(raw) ? raw : posix.join(posix.dirname(link), raw));
    }
  }

  /** The same thing under another name, or in a directory of that name. */
  moved(from: Value | undefined, to: Value): void {
    for (const [source, target] of from ? pairs(from, to) : []) {
      const [old, link] = [this.#path(source)?.text, this.#path(target)?.text];
      if (old !== undefined && link !== undefined) this.#linked(link, old);
    }
  }

  #linked(path: string, target: string): void {
    const { links } = this.effects;
    if (links.length >= MAX_NOTED) return;
    links.push({ path, target }, { path: posix.join(path, posix.basename(target)), target });
  }

  load(path: string): void {
    this.#add(this.effects.loads, { text: this.resolve(path), prefix: "" });
  }

  /** Relative paths begin there for a while. */
  within<T>(directory: Value, read: () => T): T {
    const before = this.directory;
    this.move(directory);
    try {
      return read();
    } finally {
      this.directory = before;
    }
  }

  move(value: Value): void {
    // An open directory, or the path of one.
    const given = value.kind === "made" && value.by === OPEN_FILE ? (value.target ?? value) : value;
    const path = this.#path(given)?.text;
    const isAbsolute = path !== undefined && /^[/~]/.test(path);
    this.directory = path === undefined || (this.directory === null && !isAbsolute) ? null : path;
  }

  command(line: string): void {
    const at = this.directory;
    const start = at === undefined ? "" : `cd ${at === null ? '"$tau_open"' : quote(at)}; `;
    if (this.effects.commands.length < MAX_NOTED) this.effects.commands.push(start + line);
    else this.unknown("it has too many commands to judge");
  }

  network(): void {
    this.effects.network = true;
    this.effects.sends = true;
  }

  download(value?: Value): void {
    this.network();
    this.effects.downloads = true;
    if (!value) return;
    this.fetched(value);
    this.touch(value);
  }

  /** What is in the file came from the network. */
  fetched(value: Value): void {
    for (const option of optionsOf(value)) {
      const path = this.#path(option);
      if (path) this.#add(this.effects.downloaded, path);
    }
  }

  secret(what: string): void {
    const { readsSecrets } = this.effects;
    if (!readsSecrets.includes(what)) readsSecrets.push(what);
  }

  unknown(why: string): void {
    if (!this.effects.unknown.includes(why)) this.effects.unknown.push(why);
  }

  critical(why: string): void {
    if (!this.effects.critical.includes(why)) this.effects.critical.push(why);
  }

  /** As it leads from where the code has gone. */
  resolve(path: string): string {
    const { directory } = this;
    if (typeof directory !== "string" || /^(?:[/~]|[a-z][a-z0-9+.-]*:\/\/)/i.test(path))
      return path;
    return posix.join(directory, path);
  }

  #add(list: CodePath[], path: CodePath): void {
    // A loop meets the same file again and again.
    if (list.some(({ text, isPattern }) => text === path.text && isPattern === path.isPattern))
      return;
    if (list.length < MAX_NOTED) list.push(path);
    else this.unknown("it has too many files to judge");
  }

  /** Nothing if not even its beginning can be relied on. */
  #path(value: Value): CodePath | undefined {
    if (value.kind === "number") return undefined;
    if (value.kind === "known" || value.kind === "function" || value.kind === "record")
      return undefined;
    const parts = partsOf(value);
    if (parts.length === 0) return undefined;
    let path = "";
    for (const [at, part] of parts.entries()) {
      if (typeof part === "string") path += part;
      else if (part.source === "number" || part.source === "entry") path += SOME_NAME;
      else if (part.source === "hidden") return undefined;
      // Data may be a whole path, but what has an ordinary end is meant for a report.
      else if (at > 0 && path !== "") path += SOME_NAME;
      else if (isReportName(parts.slice(at + 1))) path += SOME_NAME;
      else return undefined;
    }
    if (path.includes("\0")) return undefined;
    const isOpen = this.directory === null && !/^[/~]/.test(path);
    return isOpen ? { text: undefined, prefix: "" } : { text: this.resolve(path), prefix: "" };
  }
}

/** An open file, a buffer, a number of one, or nothing at all. */
function isNoPath(value: Value): boolean {
  if (value.kind === "number" || value.kind === "record") return true;
  if (value.kind === "known") return /^(?:None|False|True|null|undefined)$/.test(value.name);
  return value.kind === "made" && pathOf(value) === undefined && !value.by.startsWith("web:");
}

/** `.csv`, `_2024.csv`: what comes after data in the name of a report; it names no directory. */
function isReportName(rest: readonly (string | Hole)[]): boolean {
  const tail = rest.at(-1);
  if (typeof tail !== "string" || !ORDINARY_END.test(tail)) return false;
  return rest.every((part) => typeof part !== "string" || !part.includes("/"));
}

function pairs(left: Value, right: Value): [Value, Value][] {
  return optionsOf(left).flatMap((one) =>
    optionsOf(right).map((other): [Value, Value] => [one, other]),
  );
}

export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
