import { expect, test } from "bun:test";
import { nearestWord } from "./nearest-word.ts";

test("finds the word that was meant, however it is put together", () => {
  expect(nearestWord("filePath", ["path", "file_path"])).toBe("file_path");
  expect(nearestWord("FILE-path", ["file_path"])).toBe("file_path");
  expect(nearestWord("file path", ["file_path"])).toBe("file_path");
});

test("the nearest counts, and the first of equally near ones", () => {
  expect(nearestWord("timeot", ["timer", "timeout"])).toBe("timeout");
  expect(nearestWord("bat", ["cat", "hat"])).toBe("cat");
});

test("a third of a word may be wrong, and one letter in any case; more is a guess", () => {
  expect(nearestWord("pth", ["path"])).toBe("path");
  expect(nearestWord("a", ["b"])).toBe("b");
  expect(nearestWord("pat", ["bath"])).toBeUndefined();
  expect(nearestWord("timout_s", ["timeout"])).toBe("timeout");
  expect(nearestWord("timexyz", ["timeout"])).toBeUndefined();
  expect(nearestWord("command", [])).toBeUndefined();
});
