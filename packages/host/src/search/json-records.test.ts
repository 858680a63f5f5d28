import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JsonRecords, type JsonRecord } from "./json-records.ts";
import { MatchCollector } from "./match-collector.ts";
import { MatchReader } from "./rg-matches.ts";

function recordsOf(chunks: readonly Uint8Array[]): JsonRecord[] {
  const records: JsonRecord[] = [];
  const parser = new JsonRecords((record) => records.push(record) > 0);
  for (const chunk of chunks) expect(parser.push(chunk)).toBe(true);
  return records;
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return [...chunks, bytes.slice(at)];
}

function matchRecord(text: string, line: number, start: number, end: number): string {
  return JSON.stringify({
    type: "match",
    data: {
      path: { text: "f" },
      lines: { text },
      line_number: line,
      absolute_offset: 0,
      submatches: [{ match: { text: text.slice(start, end) }, start, end }],
    },
  });
}

function read(bytes: Uint8Array, sizes: readonly number[] = []): MatchCollector {
  const collector = new MatchCollector({
    maxMatches: 10,
    maxColumns: 80,
    contextBefore: 1,
    contextAfter: 1,
  });
  const reader = new MatchReader(() => collector);
  const parser = new JsonRecords((record) => reader.record(record));
  for (const chunk of cut(bytes, sizes)) parser.push(chunk);
  return collector;
}

const BEGIN = JSON.stringify({ type: "begin", data: { path: { text: "f" } } });

test("any chunking gives the same records", () => {
  const lines = fc.array(fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)));
  fc.assert(
    fc.property(lines, fc.array(fc.nat(9)), (texts, sizes) => {
      const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
      expect(recordsOf(cut(bytes, sizes))).toEqual(recordsOf([bytes]));
      expect(recordsOf([bytes]).map((record) => record.kind === "whole")).toEqual(
        texts.map(() => true),
      );
    }),
  );
});

describe("a line longer than is held", () => {
  const LONG = 600_000;
  const texts = {
    plain: `needle ${"x".repeat(LONG)}`,
    quotes: `needle ${'"\\'.repeat(LONG / 2)}`,
    backslashes: `needle ${"\\".repeat(LONG)}`,
    escapes: `needle ${"\u0001".repeat(LONG)}`,
    wide: `needle ${"日😀".repeat(LONG / 6)}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    test(`${name}: keeps its beginning, its number and its first match`, () => {
      const after = matchRecord("needle again\n", 9, 0, 6);
      const bytes = Buffer.from(`${BEGIN}\n${matchRecord(`${text}\n`, 7, 0, 6)}\n${after}\n`);
      for (const size of [bytes.length, 65_536, 1021]) {
        const { lines, shown } = read(bytes, Array(Math.ceil(bytes.length / size)).fill(size));
        expect(shown).toBe(2);
        expect(lines.map(({ line, column, truncated }) => ({ line, column, truncated }))).toEqual([
          { line: 7, column: 1, truncated: true },
          { line: 9, column: 1, truncated: false },
        ]);
        expect(text.startsWith(lines[0]!.text)).toBe(true);
        expect(lines[0]!.ranges).toEqual([[0, 6]]);
      }
    });
  }

  test("a match far into it keeps its column", () => {
    const text = `${"x".repeat(LONG)}needle\n`;
    const record = matchRecord(text, 3, LONG, LONG + 6);
    const { lines } = read(Buffer.from(`${BEGIN}\n${record}\n`));
    expect(lines).toMatchObject([{ line: 3, column: LONG + 1, truncated: true, ranges: [] }]);
  });

  test("its match may be as long as itself", () => {
    const text = "x".repeat(LONG);
    const record = matchRecord(text, 3, 0, LONG);
    const { lines } = read(Buffer.from(`${BEGIN}\n${record}\n`), Array(100).fill(9999));
    expect(lines).toMatchObject([{ line: 3, truncated: true, text: "x".repeat(80) }]);
  });
});
