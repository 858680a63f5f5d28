import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { truncate } from "node:fs/promises";
import { UserError } from "../user-error.ts";
import { imageType, promptMessage } from "./prompt-message.ts";

test("nothing said is no message", async () => {
  expect(await promptMessage({ positionals: [], cwd: "/" })).toBeUndefined();
  expect(await promptMessage({ positionals: ["  "], piped: "\n", cwd: "/" })).toBeUndefined();
});

test("an image is known by its bytes and travels as one", async () => {
  await using scratch = await createScratchDirectory();
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==",
    "base64",
  );
  await scratch.write("picture.txt", png);
  const message = await promptMessage({ positionals: ["see", "@picture.txt"], cwd: scratch.root });
  expect(message!.content).toEqual([
    { type: "image", mimeType: "image/png", data: png.toString("base64"), name: "picture.txt" },
    { type: "text", text: "see" },
  ]);
});

test("types by signature", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(imageType(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe("image/jpeg");
  expect(imageType(bytes("GIF89a..."))).toBe("image/gif");
  expect(imageType(bytes("RIFF1234WEBPVP8 "))).toBe("image/webp");
  expect(imageType(bytes("hello"))).toBeUndefined();
  expect(imageType(new Uint8Array())).toBeUndefined();
});

test("what cannot be sent says what to do instead", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("data.bin", new Uint8Array([1, 2, 0, 3]));
  await truncate(await scratch.write("huge.log", "x"), 1_500_000_000);
  await scratch.write("large.log", "y".repeat(1024 * 1024 + 1));
  const ask = (word: string) => promptMessage({ positionals: [word], cwd: scratch.root });
  for (const [word, sentence] of [
    ["@data.bin", "is neither text nor a PNG"],
    ["@huge.log", "is too large to attach (1430.5 MB); mention the path without @"],
    ["@large.log", "is too large to attach (1.0 MB)"],
    ["@nope", "does not exist"],
  ] as const) {
    const error = await ask(word).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toContain(sentence);
    expect((error as UserError).exitCode).toBe(2);
  }
});
