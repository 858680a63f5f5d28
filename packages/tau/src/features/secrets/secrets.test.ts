// Secrets become placeholders and come back; no cut, no chunk and no neighbour lets one through.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RedactingStream } from "../../base/redacting-stream.ts";
import { environmentSecrets, parseSecrets } from "../../config/secret-entry.ts";
import { SecretVault } from "./secret-vault.ts";

const KEY = "a key of the user";

describe("what is secret", () => {
  test("long values of telling names in the environment", () => {
    const env = {
      API_KEY: "abcdefgh",
      SHORT_TOKEN: "1234567",
      PATH: "/usr/bin:/bin",
      DB_PASSWORD: "correct horse",
      CI_TOKEN: "from-a-file-1\n",
      SSH_AUTH_SOCK: "/run/user/1000/agent",
    };
    expect(environmentSecrets(env).map(({ value }) => value)).toEqual([
      "abcdefgh",
      "correct horse",
      "from-a-file-1",
    ]);
  });

  test("entries of a file", async () => {
    const { entries, problem } = await parseSecrets(
      [
        "- type: plain\n  content: hunter2",
        '- type: regex\n  content: "/akia[0-9]+/i"',
        "- type: plain\n  content: |\n    two\n    lines",
        '- type: plain\n  content: x\n  mode: replace\n  replacement: "***"',
      ].join("\n"),
    );
    expect(problem).toBeUndefined();
    expect(entries).toHaveLength(4);
    expect(entries[2]!.value).toBe("two\nlines");
    expect(entries[1]!.pattern!.flags).toBe("gi");
  });

  const GOOD = "- type: plain\n  content: hunter2\n";
  test.each([
    ["a: 1", 1, "expected a list"],
    ["- type: plain\n  content: [", 2, "this is not YAML"],
    [`${GOOD}- type: regex\n  content: "(unclosed secretword"`, 3, "not a regular expression"],
    [`${GOOD}- type: plain`, 3, "content is missing"],
    [`${GOOD}${GOOD}- type: plain\n  content: "  "`, 5, "entry 3: content is missing"],
    [`${GOOD}- type: plain\n  content: 12345678`, 3, "put it in quotes"],
    [`${GOOD}- type: plian\n  content: secretword`, 3, "type must be plain or regex"],
    [`${GOOD}- type: regex\n  content: secretword\n  flgs: i`, 3, "unknown key"],
    [`${GOOD}- type: regex\n  content: secretword\n  flags: 1`, 3, "flags must be letters"],
    ["- type: plain\n  content: one\n  content: secretword", 3, "there is a duplicate key"],
    [`${GOOD}- secretword`, 3, "content is missing"],
    [`${GOOD}- secretword: x`, 3, "unknown key"],
  ])("%p is named with its line, and nothing secret repeated", async (text, line, message) => {
    const { problem } = await parseSecrets(text);
    expect(problem!.line).toBe(line);
    expect(problem!.message).toContain(message);
    expect(problem!.message).not.toContain("secretword");
  });
});

describe("placeholders", () => {
  const vault = new SecretVault(
    [
      { value: "hunter2hunter2" },
      { value: "hunter2" },
      { value: "one-way-secret", replacement: { text: undefined } },
      { pattern: /AKIA[0-9A-Z]{16}/g },
    ],
    KEY,
  );

  test("the same for the same user, another for another, and back again", () => {
    const hidden = vault.hide("say hunter2 and AKIAABCDEFGHIJKLMNOP");
    expect(hidden).toMatch(/^say #[A-Z2-9]{8}# and #[A-Z2-9]{8}#$/);
    expect(vault.restore(hidden)).toBe("say hunter2 and AKIAABCDEFGHIJKLMNOP");
    const again = new SecretVault([{ value: "hunter2" }], KEY);
    expect(hidden).toContain(again.hide("hunter2"));
    expect(new SecretVault([{ value: "hunter2" }], "other").hide("hunter2")).not.toBe(
      again.hide("hunter2"),
    );
  });

  test("the longer of two that overlap, one way where it is wanted, unknown ones left alone", () => {
    expect(vault.restore(vault.hide("hunter2hunter2"))).toBe("hunter2hunter2");
    expect(vault.hide("hunter2hunter2")).toHaveLength(10);
    const gone = vault.hide("one-way-secret");
    expect(gone).toHaveLength("one-way-secret".length);
    expect(vault.restore(gone)).toBe(gone);
    expect(vault.restore("#ABCDEFGH# #x#")).toBe("#ABCDEFGH# #x#");
  });

  test("deep inside of values, which stay themselves where nothing was hidden", () => {
    const given = { a: ["x hunter2", 7, { b: null }], c: true };
    const hidden = vault.hideIn(given);
    expect(JSON.stringify(hidden)).not.toContain("hunter2");
    expect(vault.restoreIn(hidden)).toEqual(given);
    const plain = { a: [1, "two"] };
    expect(vault.hideIn(plain)).toBe(plain);
  });
});

test("in any pieces, a stream hides the same as the whole text", () => {
  const vault = new SecretVault(
    [{ value: "sécret-válue" }, { value: "abcabc" }, { pattern: /k=[0-9]{3,9}/g }],
    KEY,
  );
  const piece = fc.constantFrom(
    "sécret-válue",
    "sécret-",
    "válue",
    "abc",
    "abcabc",
    "k=12345",
    "k=",
    "1",
    "\n",
    "😀",
    "x",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (words, sizes) => {
        const text = words.join("");
        const bytes = Buffer.from(text);
        const stream = new RedactingStream(vault);
        const parts: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          parts.push(stream.push(bytes.subarray(at, at + size)));
          at += size;
        }
        parts.push(stream.end());
        const out = Buffer.concat(parts).toString();
        expect(out).not.toContain("sécret-válue");
        expect(out).not.toContain("abcabc");
        expect(out).toBe(vault.hide(text));
      },
    ),
    { numRuns: 500 },
  );
});
