// Members of archives: `a.zip:dir/file`. An archive by itself is a directory of its members.

import { ToolError } from "@tau/agent/tool";
import { splitArchivePath } from "@tau/host/archive/archive-path";
import type { LocalPlace } from "./local-kind.ts";
import { refuseByteName, resolvePath, shownPath } from "./local-path.ts";
import { printableName } from "./printable-name.ts";
import type {
  Resource,
  ResourceContents,
  ResourceKind,
  ResourceRequest,
  WrittenResource,
} from "./resource.ts";
import { statIfThere } from "./stat-if-there.ts";

const MAX_LISTED = 500;

export function createArchiveKind(place: LocalPlace): ResourceKind {
  return {
    name: "archive",
    open: async (request) => {
      const found = await locate(request.path, place);
      return found && explained(() => openInside(found, request, place));
    },
    write: async (request, content) => {
      const found = (await locate(request.path, place)) ?? newArchive(request.path, place);
      return found && explained(() => writeInside(found, request, content, place));
    },
  };
}

interface Located {
  /** Absolute. */
  archive: string;
  member: string;
}

/** The longest beginning of the path that is an archive on disk. */
async function locate(path: string, place: LocalPlace): Promise<Located | undefined> {
  for (const { archive, member } of splitArchivePath(path)) {
    const absolute = resolvePath(archive, place);
    const found = await statIfThere(absolute);
    if (!found?.isFile()) continue;
    refuseByteName(absolute, place);
    return { archive: absolute, member };
  }
  return undefined;
}

/** One that is yet to be made needs a member to be made of. */
function newArchive(path: string, place: LocalPlace): Located | undefined {
  const candidate = splitArchivePath(path).find(({ member }) => member !== "");
  if (!candidate) return undefined;
  const archive = resolvePath(candidate.archive, place);
  refuseByteName(archive, place);
  return { archive, member: candidate.member };
}

async function openInside(
  { archive, member }: Located,
  { signal }: ResourceRequest,
  place: LocalPlace,
): Promise<Resource> {
  const { openMember } = await import("@tau/host/archive/archive");
  const name = shownPath(archive, place.cwd);
  const shown = member === "" ? name : `${name}:${member}`;
  const opened = await openMember(archive, member, { signal, limit: MAX_LISTED });
  if (opened.type === "directory") {
    const { children, omitted, unsafe } = opened.listing;
    const rows = children.map(({ name: child, kind, size }) =>
      kind === "directory"
        ? `${printableName(child)}/`
        : `${printableName(child)}  ${size ?? 0} bytes`,
    );
    if (omitted > 0) rows.push(`… ${omitted} more`);
    const notes =
      unsafe > 0 ? [`[${unsafe} members whose names lead out of the archive are left out]`] : [];
    const text = rows.join("\n") || "(empty directory)";
    const contents = (inner: AbortSignal): Promise<ResourceContents> =>
      explained(() => contentsOf({ archive, member }, name, inner));
    return { type: "text", shown, text, notes, lines: rows.length || 1, contents };
  }
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(opened.bytes);
  if (text.includes("\ufffd") || opened.bytes.includes(0)) {
    const note = `[${shown} is not text (${opened.bytes.length} bytes); unpack it to look at it]`;
    return { type: "text", shown, text: note, notes: [] };
  }
  return { type: "text", shown, text, notes: [] };
}

async function contentsOf(
  { archive, member }: Located,
  name: string,
  signal: AbortSignal,
): Promise<ResourceContents> {
  const { textsBelow } = await import("@tau/host/archive/archive-texts");
  const { texts, skipped, isCut } = await textsBelow(archive, member, signal);
  const notes: string[] = [];
  if (isCut) notes.push(`[${name} is too large to be searched whole: name a directory in it]`);
  else if (skipped > 0) notes.push(`[${skipped} members of ${name} are not text, or too large]`);
  return {
    texts: texts.map((each) => ({ shown: `${name}:${each.name}`, text: each.text })),
    notes,
  };
}

async function writeInside(
  { archive, member }: Located,
  { signal }: ResourceRequest,
  content: string,
  place: LocalPlace,
): Promise<WrittenResource> {
  if (member === "") {
    throw new ToolError(`Name a file inside it: ${shownPath(archive, place.cwd)}:name.`);
  }
  const { writeMember } = await import("@tau/host/archive/archive");
  const bytes = Buffer.from(content);
  const { created } = await writeMember(archive, member, bytes, { signal });
  const shown = `${shownPath(archive, place.cwd)}:${member}`;
  const where = created ? " in a new archive" : "";
  return { text: `Wrote ${shown} (${bytes.length} bytes)${where}.`, path: archive };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // By name: the engine is loaded only where an archive was met.
    const isOurs =
      error instanceof Error && (error.name === "ArchiveError" || error.name === "StorageError");
    if (isOurs) throw new ToolError(error.message);
    throw error;
  }
}
