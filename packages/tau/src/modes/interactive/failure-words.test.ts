import { expect, test } from "bun:test";
import { StorageError } from "@tau/host/storage-error";
import { UserError } from "../../user-error.ts";
import { failureWords } from "./failure-words.ts";

test("a full disk and a user's mistake are no bugs, everything else is", () => {
  const full = new StorageError({ code: "ENOSPC", path: "/x", operation: "append" });
  expect(failureWords(full)).toBe(full.message);
  expect(failureWords(new UserError("no such editor; set EDITOR"))).toBe(
    "no such editor; set EDITOR",
  );
  expect(failureWords(new TypeError("x is undefined"))).toBe("A bug in Tau: x is undefined");
  expect(failureWords("thrown")).toBe("A bug in Tau: thrown");
});
