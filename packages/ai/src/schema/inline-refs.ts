// References inside a schema, replaced by what they refer to: vendors differ in which references
// they follow. What is shared is written out at each place, so there is a budget; a reference that
// is over it, that leads back to itself or leads nowhere becomes a stand-in, which allows at least
// as much.

import { isSchema, type Schema } from "./json-schema.ts";
import { legalNode } from "./legal-node.ts";

/** A stand-in tells what it stands for, not the whole story. */
const MAX_TOLD_CHARS = 160;
/** A chain of references that only lead to the next one. */
const MAX_HOPS = 32;

export class References {
  readonly #root: Schema;
  readonly #sizes = new Map<string, number>();
  /** Characters that may still be written out. */
  #left: number;

  constructor(root: Schema, budgetChars: number) {
    this.#root = root;
    this.#left = budgetChars;
  }

  /** `open`: the references that this node is inside of. What stands beside a reference wins. */
  resolve(node: Schema, open: readonly string[]): { node: Schema; open: readonly string[] } {
    let at = node;
    let inside = open;
    for (let hops = 0; typeof at.$ref === "string"; hops++) {
      const { $ref, ...beside } = at as Schema & { $ref: string };
      const target = lookUp(this.#root, $ref);
      if (target === undefined) return { node: { ...beside }, open };
      const size = this.#size($ref, target);
      if (inside.includes($ref) || hops === MAX_HOPS || size > this.#left) {
        return { node: { ...standIn($ref, target), ...beside }, open };
      }
      this.#left -= size;
      inside = [...inside, $ref];
      at = { ...target, ...beside };
    }
    return { node: at, open: inside };
  }

  #size(ref: string, target: Schema): number {
    const known = this.#sizes.get(ref) ?? JSON.stringify(target).length;
    this.#sizes.set(ref, known);
    return known;
  }
}

function standIn(ref: string, target: Schema): Schema {
  const { type, description, title } = legalNode(target);
  const name = ref.split("/").at(-1) || "the whole";
  const about = typeof description === "string" ? description : title;
  const told = typeof about === "string" ? `: ${about.slice(0, MAX_TOLD_CHARS)}` : "";
  const stand: Schema = { description: `(${name}${told})` };
  if (type !== undefined) stand.type = type;
  return stand;
}

function lookUp(root: Schema, ref: string): Schema | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const raw of ref.slice(2).split("/")) {
    const name = decoded(raw).replaceAll("~1", "/").replaceAll("~0", "~");
    if (isSchema(at)) at = Object.hasOwn(at, name) ? at[name] : undefined;
    else at = Array.isArray(at) ? at[Number(name)] : undefined;
  }
  if (at === true) return {};
  return isSchema(at) ? at : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    // A name with a bare percent sign is itself.
    if (error instanceof URIError) return part;
    throw error;
  }
}
