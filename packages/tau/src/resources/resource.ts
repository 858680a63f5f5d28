// What a path can lead to, for everything that reads: files, directories, members of archives,
// rows of databases, documents, images, web pages, and what only exists inside Tau. A kind of
// resource is one file that knows how to recognise its paths and how to open them.

import type { ImageBlock } from "@tau/ai/message";
import type { Selector } from "./selector.ts";

export interface ResourceRequest {
  /** As it was given, without quotes. */
  input: string;
  /** The same without its selector. */
  path: string;
  selector: Selector;
  signal: AbortSignal;
}

interface ResourceBase {
  /** As people and models see it: relative where it is inside the working directory. */
  shown: string;
  /** What there is to say above it. */
  notes: readonly string[];
  /** Where the kind read the end of the path in its own way. */
  selector?: Selector;
}

export type Resource = FileResource | DirectoryResource | TextResource | ImageResource;

/** A local file that is not loaded: it may be huge. */
export interface FileResource extends ResourceBase {
  type: "file";
  /** Absolute. */
  path: string;
}

export interface DirectoryResource extends ResourceBase {
  type: "directory";
  path: string;
}

/** Text that was made from something: it is here as a whole, bounded by whoever made it. */
export interface TextResource extends ResourceBase {
  type: "text";
  text: string;
  /** The file that an edit of this text would change; undefined where there is nothing to edit. */
  editable?: { path: string };
  /** A file with the same text, for engines that search files. */
  backing?: string;
  /** Above the text, not part of it: no selector counts its lines. */
  header?: string;
  /** Lines that are shown where none are named; the reader's own number where absent. */
  lines?: number;
  /** What to do to see more, where lines cannot be asked for. */
  moreHint?: string;
  /** Of a list of what is in it: the texts themselves, for whoever searches them. */
  contents?: (signal: AbortSignal) => Promise<ResourceContents>;
  /** For renderers and scripts. */
  details?: Record<string, unknown>;
}

export interface ResourceContents {
  texts: readonly { shown: string; text: string }[];
  /** What is to be said of those that are not there. */
  notes: readonly string[];
}

export interface ImageResource extends ResourceBase {
  type: "image";
  /** What it is, in words, for models that see nothing. */
  note: string;
  image: ImageBlock;
}

/** One kind of thing that a path can mean. */
export interface ResourceKind {
  readonly name: string;
  /** Undefined where the path is none of its own; a `ToolError` where it is, and cannot be opened. */
  open(request: ResourceRequest): Promise<Resource | undefined>;
  /** Undefined where the path is none of its own or cannot be written this way. */
  write?(request: ResourceRequest, content: string): Promise<WrittenResource | undefined>;
}

export interface WrittenResource {
  /** What was done, in a sentence. */
  text: string;
  /** The file that changed, where it is one. */
  path?: string;
  details?: Record<string, unknown>;
}
