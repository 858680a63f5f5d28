// Tars as nobody should make them: any name, any kind, any link.

export interface TarEntry {
  name: string;
  content?: string;
  /** `0` file, `1` hard link, `2` link, `5` directory. */
  type?: "0" | "1" | "2" | "5" | typeof LONG_NAME;
  linkName?: string;
  mode?: number;
  /** What the header claims; the content's own without. */
  size?: number;
}

const BLOCK = 512;
const NAME_BYTES = 100;
/** GNU's: the name of the next member, as long as it is. */
const LONG_NAME = "L";

export function makeTar(given: readonly TarEntry[]): Uint8Array {
  const blocks: Buffer[] = [];
  const entries = given.flatMap((entry): TarEntry[] => {
    if (Buffer.byteLength(entry.name) <= NAME_BYTES) return [entry];
    return [{ name: "long", type: LONG_NAME, content: `${entry.name}\0` }, entry];
  });
  for (const { name, content = "", type = "0", linkName = "", mode = 0o644, size } of entries) {
    const body = Buffer.from(content);
    const header = Buffer.alloc(BLOCK);
    header.write(name, 0, NAME_BYTES);
    header.write(octal(mode, 7), 100);
    header.write(octal(0, 7), 108);
    header.write(octal(0, 7), 116);
    header.write(octal(size ?? body.length, 11), 124);
    header.write(octal(0, 11), 136);
    header.fill(" ", 148, 156);
    header.write(type, 156);
    header.write(linkName, 157, 100);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${octal(sum, 6)}\0 `, 148);
    const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
    blocks.push(header, body, padding);
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

export function makeTgz(entries: readonly TarEntry[]): Uint8Array {
  return Bun.gzipSync(Uint8Array.from(makeTar(entries)));
}

/** As npm packs it. */
export function makePackage(files: Readonly<Record<string, string>>): Uint8Array {
  return makeTgz(
    Object.entries(files).map(([name, content]) => ({ name: `package/${name}`, content })),
  );
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
