// The parts of a summary that do not depend on a model.

import { describe, expect, test } from "bun:test";
import { mergeConstraints, parseAnswer } from "./constraints.ts";
import { FileOperations } from "./file-operations.ts";
import { cutMiddle } from "./serialise-conversation.ts";
import { call, long, reply, sessionOf, user } from "./test/scenario.ts";
import { collectWords, renderWords } from "./user-words.ts";

describe("the user's words", () => {
  test("the first and the newest stay, what is left out is counted, also over compactions", () => {
    const session = sessionOf(user("the task"), user(long(60)), user("newer"), user("newest"));
    const words = collectWords(session.branch(), undefined, 25);
    expect(words).toEqual({ messages: ["the task", "newer", "newest"], omitted: 1 });
    expect(renderWords(words)).toContain(
      "</message>\n(1 messages left out here)\n<message>\nnewer",
    );
    const next = sessionOf(user(long(20)), user("last"));
    const again = collectWords(next.branch(), { userWords: words }, 30);
    expect(again.messages[0]).toBe("the task");
    expect(again.messages.at(-1)).toBe("last");
    expect(again.omitted).toBe(2);
  });

  test("one long message does not crowd out the others", () => {
    const words = collectWords(sessionOf(user(long(5000)), user("short")).branch(), undefined, 100);
    expect(words.messages[0]).toContain("characters left out");
    expect(words.messages[1]).toBe("short");
  });
});

describe("constraints", () => {
  test("an answer without tags is all narrative", () => {
    expect(parseAnswer("just words")).toEqual({
      narrative: "just words",
      constraints: [],
      withdrawn: [],
    });
  });

  test("what is forgotten stays; only what is withdrawn goes", () => {
    const answer = parseAnswer(
      "n <constraints>\n1. c\n* (none)\n</constraints><withdrawn>1</withdrawn>",
    );
    expect(mergeConstraints(["a", "b"], answer)).toEqual(["b", "c"]);
    expect(mergeConstraints(["a", "b"], parseAnswer("n"))).toEqual(["a", "b"]);
    expect(mergeConstraints(["a"], parseAnswer("n <constraints>- a</constraints>"))).toEqual(["a"]);
  });
});

describe("files", () => {
  test("at most twenty are listed, changed ones first", () => {
    const files = new FileOperations();
    const reads = Array.from({ length: 30 }, (_, at) =>
      call(`${at}`, "read", { path: `src/${at}.ts` }),
    );
    const others = [
      call("w", "write", { path: "src/0.ts" }),
      call("u", "read", { path: "https://example.com/a" }),
      call("x", "read", { path: 7 }),
      call("y", "bash", { path: "b.ts" }),
    ];
    files.addEntries(sessionOf(reply([...reads, ...others])).branch());
    const text = files.render();
    expect(text.match(/\((Read|Write|RW)\)/g)).toHaveLength(20);
    expect(text).toContain("0.ts (RW)");
    expect(text).toContain("29.ts (Read)");
    expect(text).toContain("… (10 more files omitted)");
    const again = new FileOperations();
    again.addDetails(files.details());
    expect(again.details()).toEqual(files.details());
    expect(files.details().readFiles).not.toContain("src/0.ts");
  });

  test("paths of Windows keep their directories", () => {
    const files = new FileOperations();
    files.addEntries(sessionOf(reply([call("1", "write", { path: "src\\a.ts" })])).branch());
    expect(files.render()).toBe("<files>\n# src\\\na.ts (Write)\n</files>");
  });
});

test("a cut never leaves half a character", () => {
  for (let max = 1; max < 12; max++) {
    expect(cutMiddle("😀".repeat(20), max).isWellFormed()).toBe(true);
  }
});
