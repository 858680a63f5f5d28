import { expect, test } from "bun:test";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import { ThemeSource, type ThemeSourceOptions } from "./theme-source.ts";

const SETTINGS = {
  theme: { dark: "dark", light: "light" },
  symbolPreset: "auto",
  colorBlindMode: false,
} as const;
const ENV = { TERM: "xterm-256color", COLORTERM: "truecolor" };

interface Watched extends Disposable {
  source: ThemeSource;
  problems: string[];
  /** Resolves at the next change of the colours. */
  changed(): Promise<void>;
  problem(): Promise<string>;
}

function openSource(scratch: ScratchDirectory, options: Partial<ThemeSourceOptions> = {}): Watched {
  const problems: string[] = [];
  let onChange = Promise.withResolvers<void>();
  let onProblem = Promise.withResolvers<string>();
  const source = new ThemeSource({
    env: ENV,
    settings: SETTINGS,
    directory: scratch.path("themes"),
    onChange: () => onChange.resolve(),
    onProblem: (message) => {
      problems.push(message);
      onProblem.resolve(message);
    },
    ...options,
  });
  return {
    source,
    problems,
    changed: () => (onChange = Promise.withResolvers<void>()).promise,
    problem: () => (onProblem = Promise.withResolvers<string>()).promise,
    [Symbol.dispose]: () => source[Symbol.dispose](),
  };
}

const accentOf = ({ source }: Watched): string => source.theme.style("accent")("x");
/** Waits until a token has a colour. It may change several times: an editor writes in steps. */
async function shown(opened: Watched, token: ThemeToken, rgb: string): Promise<void> {
  const code = `\x1b[38;2;${rgb}mx\x1b[39m`;
  while (opened.source.theme.style(token)("x") !== code) await opened.changed();
}

const mine = (accent: string, more: object = {}): string =>
  JSON.stringify({ name: "mine", extends: "dark", colors: { accent }, ...more });

test("a built-in theme is there at once, for the background that the environment tells", async () => {
  await using scratch = await createScratchDirectory();
  using dark = openSource(scratch);
  expect(dark.source.theme.name).toBe("dark");
  using light = openSource(scratch, { env: { ...ENV, COLORFGBG: "0;15" } });
  expect(light.source.theme.name).toBe("light");
  await light.source.load();
  await light.source.setAppearance("dark");
  expect(light.source.theme.name).toBe("dark");
  expect(light.problems).toEqual([]);
});

test("a theme of the user's is read after the start, and goes before a built-in one", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("themes/mine.json", mine("#010203"));
  await scratch.write(
    "themes/dark.json",
    JSON.stringify({ name: "dark", extends: "dark", colors: { accent: "#040506" } }),
  );
  const settings = { ...SETTINGS, theme: { dark: "mine", light: "light" } };
  using opened = openSource(scratch, { settings });
  expect(opened.source.theme.name).toBe("dark");
  await opened.source.load();
  expect(opened.source.theme.name).toBe("mine");
  expect(accentOf(opened)).toBe("\x1b[38;2;1;2;3mx\x1b[39m");
  await opened.source.setSettings(SETTINGS);
  expect(accentOf(opened)).toBe("\x1b[38;2;4;5;6mx\x1b[39m");
  // A built-in one that extends a name means the built-in one of that name.
  await opened.source.setAppearance("light");
  expect(accentOf(opened)).toBe("\x1b[38;2;47;95;179mx\x1b[39m");
  const names = (await opened.source.list()).filter(({ origin }) => origin === "yours");
  expect(names.map(({ name }) => name)).toEqual(["dark", "mine"]);
  expect(opened.problems).toEqual([]);
});

test("a theme that cannot be used is one sentence with all mistakes, and the built-in is used", async () => {
  await using scratch = await createScratchDirectory();
  const colors = { accent: "nope", dim: 300, border: true };
  await scratch.write("themes/bad.json", JSON.stringify({ name: "bad", extends: "dark", colors }));
  await scratch.write("themes/torn.json", '{"name": "torn", ');
  const odd = { name: "odd", extends: "dark", colors: { accent: "\x1b[2Jnope" } };
  await scratch.write("themes/odd.json", JSON.stringify(odd));
  await scratch.write("themes/huge.json", "x".repeat(300_000));
  await scratch.write("themes/pipe.json/is-a-directory", "");
  Bun.spawnSync(["mkfifo", scratch.path("themes/fifo.json")]);
  for (const [dark, words] of [
    ["bad", ["colors.accent", "colors.dim", "colors.border"]],
    ["torn", ["torn.json is not JSON"]],
    ["huge", ["300000 bytes"]],
    ["pipe", ["not a regular file"]],
    ["fifo", ["not a regular file"]],
    ["gone", ['no theme "gone"', "solarized-dark"]],
    ["../../secret", ['no theme "../../secret"']],
    ["", ['no theme ""']],
    ["\x1b]0;owned\x07evil\n", ['no theme "evil']],
    ["odd", ['"nope" is neither']],
  ] as const) {
    using opened = openSource(scratch, { settings: { ...SETTINGS, theme: { dark, light: "" } } });
    await opened.source.load();
    expect(opened.source.theme.name).toBe("dark");
    expect(opened.problems).toHaveLength(1);
    expect(opened.problems[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    for (const word of words) expect(opened.problems[0]).toContain(word);
    expect(opened.problems[0]).toEndWith("The built-in theme dark is used instead.");
  }
});

test("a preview shows for the time being; restoring wins over one that is still loading", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("themes/mine.json", mine("#010203"));
  await scratch.write("themes/torn.json", "{");
  using opened = openSource(scratch);
  await opened.source.load();
  expect(await opened.source.preview("mine")).toBeUndefined();
  expect(opened.source.theme.name).toBe("mine");
  expect(await opened.source.preview("torn")).toContain("not JSON");
  expect(opened.source.theme.name).toBe("mine");
  const late = opened.source.preview("solarized-dark");
  await opened.source.restore();
  await late;
  expect(opened.source.theme.name).toBe("dark");
  expect(opened.problems).toEqual([]);
});

test("a file that is saved shows at once; a broken one keeps the colours and is told", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("themes/base.json", JSON.stringify({ name: "base", extends: "dark" }));
  await scratch.write("themes/mine.json", mine("#010203", { extends: "base" }));
  const settings = { ...SETTINGS, theme: { dark: "mine", light: "light" } };
  using opened = openSource(scratch, { settings });
  await opened.source.load();
  await scratch.write("themes/mine.json", mine("#070809", { extends: "base" }));
  await shown(opened, "accent", "7;8;9");
  const problem = opened.problem();
  await scratch.write("themes/mine.json", '{"name": "mine", ');
  expect(await problem).toEndWith("The colours stay as they were.");
  expect(accentOf(opened)).toBe("\x1b[38;2;7;8;9mx\x1b[39m");
  // Half of it first, the rest a moment later: nobody is told of the half.
  await scratch.write("themes/mine.json", '{"name": ');
  await scratch.write("themes/mine.json", mine("#0a0b0c", { extends: "base" }));
  await shown(opened, "accent", "10;11;12");
  expect(opened.problems).toHaveLength(1);
  // What it extends counts, too.
  const base = { name: "base", extends: "dark", colors: { dim: "#111213" } };
  await scratch.write("themes/base.json", JSON.stringify(base));
  await shown(opened, "dim", "17;18;19");
});

test("settings decide about signs and colours, the environment about whether there are any", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("themes/mine.json", mine("#010203", { symbols: { preset: "ascii" } }));
  const theme = { dark: "mine", light: "light" };
  using auto = openSource(scratch, { settings: { ...SETTINGS, theme } });
  await auto.source.load();
  expect(auto.source.theme.symbols.success).toBe("+");
  await auto.source.setSettings({ ...SETTINGS, theme, symbolPreset: "unicode" });
  expect(auto.source.theme.symbols.success).toBe("✓");
  await auto.source.setSettings({ ...SETTINGS, theme, colorBlindMode: true });
  expect(auto.source.theme.style("success")("x")).toBe("\x1b[38;2;95;168;245mx\x1b[39m");
  expect(accentOf(auto)).toBe("\x1b[38;2;1;2;3mx\x1b[39m");
  using none = openSource(scratch, { env: { ...ENV, NO_COLOR: "1" } });
  expect(accentOf(none)).toBe("x");
  expect(none.source.theme.attribute("bold")("x")).toBe("\x1b[1mx\x1b[22m");
});
