// From a path to what it leads to. Kinds are asked in a fixed order; the first that knows the
// path as its own opens it. A path that exists as it stands, colons and all, is that file.

import { existsSync } from "node:fs";
import { ToolError } from "@tau/agent/tool";
import { onDisk } from "@tau/host/walk/byte-path";
import { resolvePath, tidyPath } from "./local-path.ts";
import type { Resource, ResourceKind, ResourceRequest, WrittenResource } from "./resource.ts";
import { splitSelector, WHOLE, type Selector } from "./selector.ts";

export interface Opened {
  resource: Resource;
  selector: Selector;
}

export class ResourceResolver {
  #kinds: readonly ResourceKind[];
  readonly #place: { cwd: string; home: string };

  /** `kinds` in the order in which they are asked; the last one takes what is left. */
  constructor(kinds: readonly ResourceKind[], place: { cwd: string; home: string }) {
    this.#kinds = kinds;
    this.#place = place;
  }

  /** It is asked before those that are there. */
  addKind(kind: ResourceKind): void {
    this.#kinds = [kind, ...this.#kinds];
  }

  /** A `ToolError` where it leads nowhere. */
  async open(input: string, signal: AbortSignal): Promise<Opened> {
    const request = this.#request(input, signal);
    for (const kind of this.#kinds) {
      const resource = await kind.open(request);
      if (resource) return { resource, selector: resource.selector ?? request.selector };
    }
    throw new ToolError(`${input} does not exist.`);
  }

  /** Undefined where the path is a plain file's. */
  async write(
    input: string,
    content: string,
    signal: AbortSignal,
  ): Promise<WrittenResource | undefined> {
    const path = tidyPath(input);
    const request: ResourceRequest = { input: path, path, selector: WHOLE, signal };
    for (const kind of this.#kinds) {
      const written = await kind.write?.(request, content);
      if (written) return written;
    }
    return undefined;
  }

  #request(given: string, signal: AbortSignal): ResourceRequest {
    const input = tidyPath(given);
    if (input === "") throw new ToolError("Name a path: it is empty.");
    if (input.includes("\0")) throw new ToolError("A path cannot contain a zero byte.");
    const isThere = existsSync(onDisk(resolvePath(input, this.#place)));
    const { path, selector } = isThere ? { path: input, selector: WHOLE } : splitSelector(input);
    return { input, path, selector, signal };
  }
}
