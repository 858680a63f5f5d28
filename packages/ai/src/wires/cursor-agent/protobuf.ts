// Protocol Buffers as far as one service needs them: a message is a table of names, numbers and
// kinds, and a plain object on our side. What a table does not name is skipped, as the format wants
// it; what breaks the format is a SyntaxError, like a broken JSON text.

type Scalar = "text" | "bytes" | "int" | "bool" | "double";

export interface Field<
  Kind extends Scalar | Table = Scalar | Table,
  Many extends boolean = boolean,
> {
  readonly no: number;
  readonly kind: Kind;
  readonly many: Many;
}

export interface Table {
  readonly [name: string]: Field;
}

interface ScalarValues {
  text: string;
  bytes: Uint8Array;
  int: number;
  bool: boolean;
  double: number;
}

type Plain<Kind> = Kind extends Scalar
  ? ScalarValues[Kind]
  : Kind extends Table
    ? Value<Kind>
    : never;

export type Value<T extends Table> = {
  -readonly [Name in keyof T]?: T[Name] extends Field<infer Kind, infer Many>
    ? Many extends true
      ? Plain<Kind>[]
      : Plain<Kind>
    : never;
};

export function field<Kind extends Scalar | Table>(no: number, kind: Kind): Field<Kind, false> {
  return { no, kind, many: false };
}

export function list<Kind extends Scalar | Table>(no: number, kind: Kind): Field<Kind, true> {
  return { no, kind, many: true };
}

/** A map is a list of such entries. */
export const BYTES_ENTRY = { key: field(1, "text"), value: field(2, "bytes") };

const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;
const FIXED_32 = 5;
/** Of a number with 64 bits, seven of them a byte. */
const MAX_VARINT_BYTES = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `undefined` is not written; an empty text is. */
export function encode<T extends Table>(table: T, value: Value<T>): Uint8Array {
  const out = new Writer();
  for (const [name, { no, kind, many }] of Object.entries(table)) {
    const given = (value as Record<string, unknown>)[name];
    if (given === undefined) continue;
    for (const one of many ? (given as unknown[]) : [given]) writeField(out, no, kind, one);
  }
  return out.bytes();
}

function writeField(out: Writer, no: number, kind: Scalar | Table, value: unknown): void {
  if (kind === "text") out.delimited(no, encoder.encode(value as string));
  else if (kind === "bytes") out.delimited(no, value as Uint8Array);
  else if (kind === "int") out.number(no, value as number);
  else if (kind === "bool") out.number(no, value === true ? 1 : 0);
  else if (kind === "double") out.double(no, value as number);
  else out.delimited(no, encode(kind, value as Value<Table>));
}

export function decode<T extends Table>(table: T, bytes: Uint8Array): Value<T> {
  const value: Record<string, unknown> = {};
  const names = namesOf(table);
  for (const { no, given } of rawFields(bytes)) {
    const known = names.get(no);
    if (!known) continue;
    const [name, { kind, many }] = known;
    const read = readField(kind, given);
    if (!many) value[name] = read;
    else ((value[name] ??= []) as unknown[]).push(read);
  }
  return value as Value<T>;
}

const numbered = new WeakMap<Table, Map<number, [string, Field]>>();

function namesOf(table: Table): Map<number, [string, Field]> {
  let names = numbered.get(table);
  if (!names) {
    names = new Map(Object.entries(table).map((entry) => [entry[1].no, entry]));
    numbered.set(table, names);
  }
  return names;
}

function readField(kind: Scalar | Table, given: number | Uint8Array): unknown {
  if (kind === "int" || kind === "bool") {
    if (typeof given !== "number") throw new SyntaxError("a number is not one");
    return kind === "int" ? given : given !== 0;
  }
  if (typeof given === "number") throw new SyntaxError("a number stands in place of a text");
  if (kind === "text") return decoder.decode(given);
  if (kind === "bytes") return given;
  if (kind === "double") return doubleOf(given);
  return decode(kind, given);
}

function doubleOf(bytes: Uint8Array): number {
  if (bytes.length !== 8) throw new SyntaxError("a fraction is not one");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(0, true);
}

/** Whatever is there, in order; values of a fixed size come as their bytes. */
export function* rawFields(
  bytes: Uint8Array,
): Generator<{ no: number; given: number | Uint8Array }> {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const key = reader.varint();
    const no = Math.floor(key / 8);
    if (no === 0) throw new SyntaxError("a field has no number");
    yield { no, given: reader.value(key % 8) };
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let place = 0; place < MAX_VARINT_BYTES; place++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new SyntaxError("a number is cut off");
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte < 0x80) return value;
    }
    throw new SyntaxError("a number has too many digits");
  }

  value(type: number): number | Uint8Array {
    if (type === VARINT) return this.varint();
    if (type === DELIMITED) return this.#take(this.varint());
    if (type === FIXED_64) return this.#take(8);
    if (type === FIXED_32) return this.#take(4);
    throw new SyntaxError(`a field is of the unknown kind ${type}`);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new SyntaxError("a field is longer than its message");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}

class Writer {
  readonly #parts: Uint8Array[] = [];

  number(no: number, value: number): void {
    this.#key(no, VARINT);
    this.#varint(value);
  }

  double(no: number, value: number): void {
    this.#key(no, FIXED_64);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#parts.push(bytes);
  }

  delimited(no: number, bytes: Uint8Array): void {
    this.#key(no, DELIMITED);
    this.#varint(bytes.length);
    this.#parts.push(bytes);
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }

  #key(no: number, type: number): void {
    this.#varint(no * 8 + type);
  }

  #varint(value: number): void {
    const digits: number[] = [];
    let rest = value;
    do {
      const low = rest % 0x80;
      rest = Math.floor(rest / 0x80);
      digits.push(rest > 0 ? low + 0x80 : low);
    } while (rest > 0);
    this.#parts.push(Uint8Array.from(digits));
  }
}
