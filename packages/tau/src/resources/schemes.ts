// What only exists inside Tau and has addresses of its own: `artifact://3`, `local://notes.md`,
// `tau://sessions`. Each scheme is an object that whoever owns it registers with the session.

import { ToolError } from "@tau/agent/tool";
import { suggest } from "../base/suggest.ts";
import type { Resource, ResourceKind, ResourceRequest, WrittenResource } from "./resource.ts";

export interface SchemeAddress {
  scheme: string;
  /** What follows `://`, without the query. */
  path: string;
  query: URLSearchParams;
}

export interface Scheme {
  readonly name: string;
  /** For messages about what there is. */
  readonly example: string;
  /** A `ToolError` where there is no such thing. */
  open(address: SchemeAddress, request: ResourceRequest): Promise<Resource>;
  write?(
    address: SchemeAddress,
    content: string,
    request: ResourceRequest,
  ): Promise<WrittenResource>;
  /** Its addresses are files, and are written like files. */
  readonly isFiles?: true;
  /** Everything it has, for searching through all of it. */
  list?(signal: AbortSignal): Promise<string[]>;
}

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^?]*)(?:\?(.*))?$/is;

export function parseAddress(path: string): SchemeAddress | undefined {
  const match = ADDRESS.exec(path);
  if (!match) return undefined;
  const [, scheme, rest, query] = match;
  return {
    scheme: scheme!.toLowerCase(),
    path: rest!,
    query: new URLSearchParams(query ?? ""),
  };
}

export class SchemeTable implements ResourceKind {
  readonly name = "internal";
  readonly #schemes = new Map<string, Scheme>();

  /** Returns the way to take it away again. */
  register(scheme: Scheme): () => void {
    this.#schemes.set(scheme.name, scheme);
    return () => this.#schemes.delete(scheme.name);
  }

  get names(): readonly string[] {
    return [...this.#schemes.keys()];
  }

  get(name: string): Scheme | undefined {
    return this.#schemes.get(name);
  }

  async open(request: ResourceRequest): Promise<Resource | undefined> {
    const address = parseAddress(request.path);
    return address && this.#find(address).open(address, request);
  }

  async write(request: ResourceRequest, content: string): Promise<WrittenResource | undefined> {
    const address = parseAddress(request.path);
    if (!address) return undefined;
    const scheme = this.#find(address);
    if (scheme.isFiles) return undefined;
    if (!scheme.write) throw new ToolError(`${scheme.name}:// can be read, not written.`);
    return scheme.write(address, content, request);
  }

  #find({ scheme: name }: SchemeAddress): Scheme {
    const scheme = this.#schemes.get(name);
    if (scheme) return scheme;
    const near = suggest(name, this.names);
    const examples = [...this.#schemes.values()].map(({ example }) => example).join(", ");
    const hint = near === undefined ? `There are ${examples}.` : `Did you mean ${near}://?`;
    throw new ToolError(`There is no ${name}:// here. ${hint}`);
  }
}
