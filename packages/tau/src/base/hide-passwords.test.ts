// What is hidden of an address, and what is not.

import { expect, test } from "bun:test";
import { hasPassword, hidePasswords } from "./hide-passwords.ts";

test.each([
  ["https://user:pass@host/a.git", "https://***@host/a.git"],
  ["git+https://token@host/a", "git+https://***@host/a"],
  ["http://u:p@ss@host:80/x", "http://***@host:80/x"],
  ["ssh://me:secret@host/a", "ssh://***@host/a"],
  ['from "HTTPS://u:p@h/x" and https://t@g/y', 'from "HTTPS://***@h/x" and https://***@g/y'],
])("%s", (text, shown) => {
  expect(hidePasswords(text)).toBe(shown);
  expect(hasPassword(text)).toBe(true);
});

test.each([
  "https://host/@scope/name@1.0.0",
  "ssh://git@host/a.git",
  "git@host:a/b.git",
  "https://host:8080/a",
  "npm:@scope/name@^1",
])("%s stays as it is", (text) => {
  expect(hidePasswords(text)).toBe(text);
});
