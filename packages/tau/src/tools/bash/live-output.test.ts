// What whoever watches gets to see of a program.

import { expect, test } from "bun:test";
import { LiveOutput } from "./live-output.ts";

function watch() {
  const shown: string[] = [];
  const live = new LiveOutput((text) => void shown.push(text));
  return { shown, push: (text: string) => live.push(Buffer.from(text)), end: () => live.end() };
}

test("the first words come at once, the next ones together, nothing is lost", async () => {
  const w = watch();
  w.push("one\n");
  expect(w.shown).toEqual(["one\n"]);
  for (const word of ["two\n", "three\n", "\x1b[31mfo"]) w.push(word);
  w.push("ur\x1b[0m\n");
  expect(w.shown).toEqual(["one\n"]);
  while (w.shown.length < 2) await Bun.sleep(5);
  expect(w.shown[1]).toBe("two\nthree\nfour\n");
  w.push("last\x1b[");
  w.end();
  expect(w.shown.join("")).toBe("one\ntwo\nthree\nfour\nlast");
});

test("of a flood the latest is shown, from a line's beginning, with a word on the rest", () => {
  const w = watch();
  const line = `${"x".repeat(99)}\n`;
  for (let at = 0; at < 100; at++) w.push(line.repeat(1000));
  w.push("over\n");
  w.end();
  const all = w.shown.join("");
  expect(all.length).toBeLessThan(100_000);
  expect(all).toEndWith(`${line}over\n`);
  const gaps = [...all.matchAll(/^\[… (\d+) bytes not shown …\]\n(.*)$/gm)];
  expect(gaps.length).toBeGreaterThan(0);
  for (const [, , next] of gaps) expect(next).toBe(line.trimEnd());
  const skipped = gaps.reduce((sum, [, count]) => sum + Number(count), 0);
  const shown = all.replaceAll(/\n\[… \d+ bytes not shown …\]\n/g, "").length;
  expect(skipped + shown).toBe(100 * 1000 * 100 + "over\n".length);
});
