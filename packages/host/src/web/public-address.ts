// Whether an address is one of the public Internet. Pages and redirects must not lead into
// this machine, its network or a cloud's metadata service.

/** First address and length of the prefix; from the registries of special-purpose addresses. */
const SPECIAL_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Only these are given out for the public Internet. */
const GLOBAL_V6 = 0x2000;
const GLOBAL_V6_MASK = 0xe000;
/** Documentation, benchmarks and identifiers within them, by the first two groups. */
const SPECIAL_V6: readonly [number, number, number][] = [
  [0x2001, 0x0db8, 0xffff],
  [0x2001, 0x0002, 0xffff],
  [0x2001, 0x0010, 0xfff0],
  [0x2001, 0x0020, 0xfff0],
  [0x3fff, 0x0000, 0xf000],
];

/** False for what is no address at all. */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const four = parseV4(text);
  if (four !== undefined) return isPublicV4(four);
  const groups = parseV6(text);
  return groups !== undefined && isPublicV6(groups);
}

export function isAddress(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  return parseV4(text) !== undefined || parseV6(text) !== undefined;
}

function isPublicV4(address: number): boolean {
  return !SPECIAL_V4.some(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(parseV4(base)! / size);
  });
}

function isPublicV6(groups: readonly number[]): boolean {
  const [a, b, c] = groups as [number, number, number];
  const four = (high: number, low: number) => isPublicV4(groups[high]! * 0x10000 + groups[low]!);
  const zeros = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  // An IPv4 address in IPv6 clothes is judged by what is inside: mapped, translated, 6to4.
  if (zeros(0, 5) && groups[5] === 0xffff) return four(6, 7);
  if (a === 0x64 && b === 0xff9b && zeros(2, 6)) return four(6, 7);
  if (a === 0x2002) return isPublicV4(b * 0x10000 + c);
  // Teredo hides the client's address in the last two groups, inverted, and is gone by now.
  if (a === 0x2001 && b === 0) return false;
  if (SPECIAL_V6.some(([first, second, mask]) => a === first && (b & mask) === second))
    return false;
  return (a & GLOBAL_V6_MASK) === GLOBAL_V6;
}

function parseV4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return undefined;
  const parts = match.slice(1).map(Number);
  if (parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

function parseV6(text: string): number[] | undefined {
  // The last two groups may be written as an IPv4 address.
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const four = dotted ? parseV4(dotted[2]!) : undefined;
  if (dotted && four === undefined) return undefined;
  const plain = dotted
    ? `${dotted[1]}${Math.floor(four! / 0x10000).toString(16)}:${(four! % 0x10000).toString(16)}`
    : text;
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const [left, right] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const written = [...left!, ...(right ?? [])];
  if (!written.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  const missing = 8 - written.length;
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  const zeros = Array.from({ length: right === undefined ? 0 : missing }, () => "0");
  return [...left!, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}
