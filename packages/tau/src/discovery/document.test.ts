import { expect, test } from "bun:test";
import { parseDocument } from "./document.ts";

test("a TOML file of a hundred thousand tables is named and left alone, not read for ever", async () => {
  const tables = Array.from({ length: 100_000 }, (_, at) => `[a${at}.b.c]\nx = 1\n`).join("");
  const since = performance.now();
  expect(await parseDocument("config.toml", tables)).toEqual({
    ok: false,
    message: "is longer than 128 KB",
  });
  expect(performance.now() - since).toBeLessThan(1_000);
  expect(await parseDocument("config.toml", "[a.b]\nx = 1\n")).toMatchObject({ ok: true });
});
