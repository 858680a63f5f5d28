// Programs that put data into files without making anything of it: what they have written is whatever
// they were given. Of compilers, formatters and the like the result is the project's own.

import { posix } from "node:path";
import { targetsOf, type CommandCall } from "./command-call.ts";
import type { OutputFile } from "./note-written.ts";

const MOVERS =
  /^(?:dd|sort|uniq|split|csplit|xxd|base64|base32|basenc|openssl|uudecode|rsync|scp|script|awk|gawk|mawk|nawk|gunzip|unxz|unzstd|bunzip2|xz|zstd|gzip|lz4|iconv|install|cp|mv|envsubst|m4|cpp|xmlstarlet|objcopy|ffmpeg|ex|ed|shuf|tac)$/;
const UNPACKERS = /^(?:tar|bsdtar|unzip|7z|7za|cpio|pax|ar)$/;
const COPIERS = /^(?:cp|mv|install|rsync|dd)$/;

/** After a command: files that hold something which nobody has read. */
export function noteMoved(call: CommandCall, outputs: readonly OutputFile[]): void {
  const { walk, effects, input } = call;
  const { written } = walk;
  const name = effects.program ?? "";
  if (/^(?:patch|git)$/.test(name) && input.text !== undefined) notePatch(call, input.text);
  if (UNPACKERS.test(name)) noteUnpacked(call);
  if (!MOVERS.test(name)) return;
  // Copies of the project's own files are the project's own; what the line wrote is followed elsewhere.
  if (COPIERS.test(name) && !isFromElsewhere(call) && !input.isPresent) return;
  for (const { path } of [...effects.overwrites, ...effects.writes]) {
    if (path === undefined || outputs.some((output) => output.path === path)) continue;
    const isKnown = COPIERS.test(name) && typeof written.get(path) === "object";
    if (isKnown) continue;
    if (name === "split" || name === "csplit")
      for (const end of ["aa", "ab", "00", "01"])
        written.set(path.replace(/[*?]+$/, "") + end, "unknown");
    written.set(path, "unknown");
    if (/^(?:cp|rsync|install|mv|scp)$/.test(name))
      for (const { text } of call.args)
        if (text !== undefined && !text.startsWith("-"))
          written.set(posix.join(path, posix.basename(text)), "unknown");
  }
}

/** One of its files is neither the project's nor temporary. */
export function isFromElsewhere(call: CommandCall): boolean {
  return call.args.some((field) => {
    const text = (field.text ?? field.prefix).replace(/^if=/, "");
    if (!/^[/~]|^\.\.(?:\/|$)/.test(text) || text.startsWith("/dev/")) return false;
    return targetsOf(call, { ...field, text, prefix: text }).some(
      ({ place }) => place === "outside",
    );
  });
}

/** What a patch adds is known. */
function notePatch(call: CommandCall, patch: string): void {
  let path: string | undefined;
  const added = new Map<string, string>();
  for (const line of patch.split("\n")) {
    const name = /^\+\+\+ (?:[a-z]\/)?(\S+)/.exec(line)?.[1];
    if (name !== undefined) path = name;
    else if (path !== undefined && line.startsWith("+"))
      added.set(path, `${added.get(path) ?? ""}${line.slice(1)}\n`);
  }
  for (const [name, text] of added)
    for (const directory of call.state.directories ?? [])
      call.walk.written.set(posix.join(directory, name), { text, isPart: true });
}

/** An archive that the line itself has made gives back what it has written. */
function noteUnpacked({ walk, args, effects }: CommandCall): void {
  const { written } = walk;
  if (
    written.size === 0 ||
    !args.some(({ text }) => /^-?\w*x\w*$|^--extract$|\.zip$/.test(text ?? ""))
  )
    return;
  const own = [...written];
  for (const { path } of [...effects.overwrites, ...effects.writes]) {
    if (path === undefined) continue;
    const root = path.replace(/\/[*?]+$/, "");
    for (const [file, content] of own) written.set(posix.join(root, posix.basename(file)), content);
  }
}
