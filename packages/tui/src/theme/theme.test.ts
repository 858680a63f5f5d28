import { expect, test } from "bun:test";
import fc from "fast-check";
import { builtInTheme } from "./built-in-theme.ts";
import { detectColorDepth } from "./color-depth.ts";
import { rgbOfIndex, sgrOf, type Color } from "./color.ts";
import { withColorBlindPalette } from "./color-blind-palette.ts";
import { DEFAULT_THEMES } from "./default-themes.ts";
import { readTheme, type ThemeDocument } from "./theme-document.ts";
import { FOREGROUND_TOKENS, THEME_TOKENS } from "./tokens.ts";

const find = (name: string): unknown => DEFAULT_THEMES.get(name);
const dark = DEFAULT_THEMES.get("dark")!;

test("all built-in themes are sound and whole", () => {
  expect(THEME_TOKENS).toHaveLength(66);
  for (const theme of DEFAULT_THEMES.values()) {
    const reading = readTheme(theme, find);
    expect(reading).toMatchObject({ ok: true, warnings: [] });
  }
});

test("missing tokens are one mistake that names them all", () => {
  const { accent: _a, mdHr: _b, dim: _c, ...colors } = dark.colors!;
  const reading = readTheme({ ...dark, colors });
  expect(reading.ok).toBe(false);
  if (reading.ok) return;
  expect(reading.mistakes).toHaveLength(1);
  for (const token of ["accent", "mdHr", "dim"]) expect(reading.mistakes[0]).toContain(token);
});

test("a user's theme may extend another and bring only what differs", () => {
  const mine: ThemeDocument = {
    name: "mine",
    extends: "dark-colorblind",
    vars: { blue: "#010203" },
    colors: { dim: 7, oldToken: 1 },
    symbols: {
      preset: "ascii",
      overrides: { bullet: "*", noSuch: "x" },
      spinnerFrames: ["a", "b"],
    },
  };
  const reading = readTheme(mine, find);
  expect(reading.ok).toBe(true);
  if (!reading.ok) return;
  expect(reading.theme.colors.accent).toEqual({ kind: "rgb", red: 1, green: 2, blue: 3 });
  expect(reading.theme.colors.dim).toEqual({ kind: "index", index: 7 });
  expect(reading.theme.symbolOverrides).toEqual({ bullet: "*" });
  expect(reading.warnings).toHaveLength(2);
});

test("every kind of mistake is named with its place", () => {
  const broken = (changes: Partial<ThemeDocument>): string => {
    const reading = readTheme({ ...dark, ...changes }, find);
    return reading.ok ? "" : reading.mistakes.join("\n");
  };
  const vars = { ...dark.vars, a: "b", b: "a" };
  expect(broken({ vars, colors: { ...dark.colors, accent: "a" } })).toContain("a → b → a");
  expect(broken({ colors: { ...dark.colors, accent: "nope" } })).toContain("colors.accent");
  expect(broken({ colors: { ...dark.colors, accent: 256 } })).toContain("0 to 255");
  const a = { name: "a", extends: "b" };
  const b = { name: "b", extends: "a" };
  const circle = readTheme(a, (name) => (name === "a" ? a : b));
  expect(circle).toEqual({
    ok: false,
    mistakes: ['extends forms a loop at "a"; break it.'],
  });
  expect(broken({ extends: "gone" })).toContain('"gone"');
  expect(broken({ symbols: { overrides: { bullet: "\x1b[2J" } } })).toContain("bullet");
  expect(readTheme(3).ok).toBe(false);
  expect(readTheme({ colors: {} }).ok).toBe(false);
});

test("law: whatever stands in a file, it is a whole theme or a list of mistakes", () => {
  const colours = fc.dictionary(
    fc.oneof(fc.constantFrom(...THEME_TOKENS, "__proto__", "constructor"), fc.string()),
    fc.oneof(fc.jsonValue(), fc.constantFrom("#010203", "a", "b", "", 7)),
  );
  const anyDocument = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        name: fc.oneof(fc.constant("x"), fc.jsonValue()),
        extends: fc.oneof(fc.constantFrom("dark", "light", "x"), fc.jsonValue()),
        vars: fc.oneof(fc.constant({ a: "b", b: 3 }), fc.jsonValue()),
        colors: fc.oneof(colours, fc.jsonValue()),
        symbols: fc.oneof(
          fc.record({ overrides: fc.dictionary(fc.string(), fc.string()) }),
          fc.jsonValue(),
        ),
        export: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(anyDocument, (document) => {
      const reading = readTheme(document, find);
      if (!reading.ok) expect(reading.mistakes.length).toBeGreaterThan(0);
      else expect(Object.keys(reading.theme.colors).toSorted()).toEqual(THEME_TOKENS.toSorted());
    }),
  );
});

test("each ability gets only sequences it understands", () => {
  const red = (depth: "truecolor" | "256" | "16" | "none"): string =>
    builtInTheme("dark", { depth }).style("error")("x");
  expect(red("truecolor")).toBe("\x1b[38;2;240;113;120mx\x1b[39m");
  expect(red("256")).toMatch(/^\x1b\[38;5;\d+mx\x1b\[39m$/);
  expect(red("16")).toMatch(/^\x1b\[[39]\dmx\x1b\[39m$/);
  expect(red("none")).toBe("x");
  expect(builtInTheme("dark", { depth: "256" }).style("selectedBg")("x")).toContain("\x1b[48;5;");
  expect(builtInTheme("dark", { depth: "256" }).style("error")("")).toBe("");
});

test("law: a colour of the 256 stays itself when reduced to 256", () => {
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 255 }), (index) => {
      const [red, green, blue] = rgbOfIndex(index);
      const code = sgrOf({ kind: "rgb", red, green, blue }, "foreground", "256")!;
      expect(rgbOfIndex(Number(code.split(";")[2]))).toEqual([red, green, blue]);
    }),
  );
});

function contrast(token: Color, background: number): number {
  if (token.kind === "default") return 21;
  const rgb = token.kind === "rgb" ? [token.red, token.green, token.blue] : rgbOfIndex(token.index);
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return (Math.max(light, background) + 0.05) / (Math.min(light, background) + 0.05);
}

test("strong contrast is strong, and everything that dark and light say can be read", () => {
  const weakest = (name: string, background: number, skip: RegExp): number => {
    const reading = readTheme(DEFAULT_THEMES.get(name), find);
    if (!reading.ok) throw new Error(reading.mistakes.join(" "));
    const { colors } = reading.theme;
    const read = FOREGROUND_TOKENS.filter((token) => !skip.test(token));
    return Math.min(...read.map((token) => contrast(colors[token], background)));
  };
  // 7 and 4.5 are what the guidelines for accessible text ask for; frames are no text.
  expect(weakest("dark-high-contrast", 0, /border|Border/)).toBeGreaterThanOrEqual(7);
  expect(weakest("light-high-contrast", 1, /border|Border/)).toBeGreaterThanOrEqual(7);
  const faint = /border|Border|dim|Hr|syntaxComment|thinkingOff|statusLineSep/;
  expect(weakest("dark", 0, faint)).toBeGreaterThanOrEqual(4.5);
  expect(weakest("light", 1, faint)).toBeGreaterThanOrEqual(4.5);
});

test("colour-blind mode leaves no telling red or green in any theme", () => {
  for (const document of DEFAULT_THEMES.values()) {
    const reading = readTheme(document, find);
    if (!reading.ok) throw new Error(reading.mistakes.join(" "));
    const shown = withColorBlindPalette(reading.theme, "dark").colors;
    expect(shown.success).toEqual({ kind: "rgb", red: 0x5f, green: 0xa8, blue: 0xf5 });
    expect(shown.toolDiffRemoved).toEqual({ kind: "rgb", red: 0xf0, green: 0xa0, blue: 0x4b });
    expect(shown.accent).toEqual(reading.theme.colors.accent);
  }
});

test("what the environment says about colours", () => {
  expect(detectColorDepth({ TERM: "linux" })).toBe("256");
  expect(detectColorDepth({ TERM: "xterm-256color", COLORTERM: "truecolor" })).toBe("truecolor");
  expect(detectColorDepth({ TERM: "xterm", COLORTERM: "truecolor", NO_COLOR: "1" })).toBe("none");
  expect(detectColorDepth({ TERM: "screen-256color" })).toBe("256");
  expect(detectColorDepth({ TERM: "dumb" })).toBe("none");
});
