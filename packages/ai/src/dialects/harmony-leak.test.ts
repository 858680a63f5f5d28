// Leaks are found where they begin, and nothing else is: the sources of this repository,
// which talk about harmony a lot, are the counter-examples.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import fc from "fast-check";
import { detectHarmonyLeak } from "./harmony-leak.ts";

// Put together here, so that this file is no leak itself.
const to = (tool: string): string => `to=${"functions"}.${tool}`;

const CODE = `add_function(iso, ctx, "install",\n  os_install);`;

/** Shapes seen in the wild, each behind code that was meant. */
const LEAKS: [name: string, leak: string][] = [
  [
    "brackets and spam",
    `】【"】【analysis ${to("edit")} code above เงินไทยฟรีuser ${to("edit")} code x`,
  ],
  ["a channel word", `analysis ${to("edit")} code {"path"`],
  ["an author", `assistant ${to("eval")}\nprint(1)`],
  ["a glitch token", `Japgolly ${to("edit")} {}`],
  ["two glitch tokens", `changedFiles RTLU ${to("edit")}`],
  ["a glitched channel", `Jsii_commentary ${to("bash")} code ls`],
  ["a run of another script", `大发时时彩 ${to("search")} x`],
  ["spam behind it", `${to("read")} 天天中彩票`],
  ["only the body", `${to("edit")} code\n*** Begin Patch`],
];

test.each(LEAKS)("finds where a leak begins: %s", (_name, leak) => {
  for (const gap of ["", " ", "\n"]) {
    const finding = detectHarmonyLeak(CODE + gap + leak);
    const at = finding?.at ?? -1;
    expect(at).toBeGreaterThanOrEqual(CODE.length);
    expect(at).toBeLessThanOrEqual(CODE.length + gap.length);
  }
});

test("names the signs it went by", () => {
  const leak = `analysis ${to("edit")} code 大发 ${to("edit")} code`;
  expect(detectHarmonyLeak(leak)).toEqual({
    at: 0,
    signs: ["channel", "body", "script", "cascade"],
  });
});

test.each([
  `docs say ${to("edit")} routes a call`,
  `url?${to("edit")}&code=1`,
  `<|start|>assistant<|channel|>commentary ${to("edit")}<|message|>{}<|call|>`,
  `assistant ${to("edit")}<|channel|>commentary`,
  "The commentary and the analysis to=functions are words.",
  "дополнительный анализ кода, 大发时时彩",
  "changedFiles.map(Japgolly)",
  `const header = \`${to("edit")}\`;`,
])("takes this for what it is: %s", (text) => {
  expect(detectHarmonyLeak(text)).toBeUndefined();
});

test("finds nothing in the sources and documents of this repository", async () => {
  const root = join(import.meta.dir, "../../../..");
  const found: string[] = [];
  let count = 0;
  for await (const path of new Glob("{packages,docs,scripts,test}/**/*.{ts,md,mjs}").scan(root)) {
    if (path.includes("node_modules/")) continue;
    count++;
    const text = await Bun.file(join(root, path)).text();
    if (detectHarmonyLeak(text) || detectHarmonyLeak(JSON.stringify({ text }))) found.push(path);
  }
  expect(count).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test("no text without the header is ever suspected", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      fc.pre(!text.includes("to="));
      expect(detectHarmonyLeak(text)).toBeUndefined();
    }),
    { seed: 7 },
  );
});
