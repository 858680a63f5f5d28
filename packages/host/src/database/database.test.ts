// Databases as files with real content: what each selector shows, what a write does, and how
// every refusal reads.

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { DatabaseError, type DatabaseErrorCode } from "./database-error.ts";
import { isDatabaseFile, splitDatabasePath } from "./database-path.ts";
import { readDatabase, writeDatabase } from "./database.ts";
import { pieceQuery, renderAnswer } from "./render-answer.ts";

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born REAL, face BLOB);
  INSERT INTO users VALUES (1, 'Ada', 1815.5, x'0102ff'), (2, 'Grace', NULL, NULL),
    (9007199254740993, 'big', 0, NULL);
  CREATE TABLE notes (text);
  INSERT INTO notes VALUES ('line one' || char(10) || 'line two'), ('tab' || char(9) || char(27) || '[31m');
  CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
  INSERT INTO pairs VALUES (1, 2);
  CREATE TABLE codes (code TEXT PRIMARY KEY, n) WITHOUT ROWID;
  INSERT INTO codes VALUES ('x:y', 7), ('what?', 8);
  CREATE TABLE loose (k PRIMARY KEY);
  INSERT INTO loose VALUES (5), ('five');
  CREATE TABLE "od""d name" ("a b", rowid);
  INSERT INTO "od""d name" VALUES (1, 2);
  CREATE VIEW adults AS SELECT name FROM users;
  CREATE TABLE posts (id INTEGER PRIMARY KEY, author REFERENCES users);
  CREATE TABLE filled (id INTEGER PRIMARY KEY, word DEFAULT 'none');
`;

async function make(dir: ScratchDirectory, schema = SCHEMA, name = "app.sqlite"): Promise<string> {
  const path = dir.path(name);
  using database = new Database(path);
  database.run(schema);
  return path;
}

async function show(path: string, selector: string): Promise<string> {
  return renderAnswer(await readDatabase(path, selector));
}

async function refusal(run: Promise<unknown>): Promise<DatabaseErrorCode> {
  const outcome = await run.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (!(outcome instanceof DatabaseError))
    throw new Error(`no DatabaseError: ${JSON.stringify(outcome)} ${String(outcome)}`);
  expect(outcome.message).toMatch(/^[^\n]+\.$/);
  return outcome.code;
}

describe("a long cell", () => {
  const LONG = "CREATE TABLE logs (id TEXT PRIMARY KEY, short, body);";
  const body = Array.from({ length: 3000 }, (_, at) => `it's line ${at}`).join("\n");

  test("is cut in a table, which says how to see it; alone it comes whole", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir, LONG);
    using database = new Database(path);
    database.run("INSERT INTO logs VALUES ('a''b', 1, ?)", [body]);
    const hint = "[… is a cut cell: a row by its key, or a query for one cell, shows it]";
    expect(await show(path, ":logs?limit=5")).toEndWith(hint);
    expect(await show(path, ":logs?where=short = 2")).not.toContain(hint);
    expect(await show(path, "?q=SELECT body FROM logs")).toBe(body);
    expect(await show(path, "?q=SELECT short FROM logs")).toBe("short\n-----\n1");
  });

  test("is read to its end in pieces, by the query that is named", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir, LONG);
    using database = new Database(path);
    const wide = "0123456789".repeat(10_000);
    database.run("INSERT INTO logs VALUES ('a''b', 'x', ?)", [wide]);
    const query = pieceQuery(await readDatabase(path, ":logs:a'b"))!;
    expect(query).toBe(`SELECT substr("body", 1, 4000) FROM "logs" WHERE "id" = 'a''b'`);
    let read = "";
    for (let from = 1; from <= wide.length; from += 4000) {
      read += await show(path, `?q=${query.replace(", 1, ", `, ${from}, `)}`);
    }
    expect(read).toBe(wide);
  });
});

describe("reading", () => {
  test("lists tables with their rows", async () => {
    await using dir = await createScratchDirectory();
    const text = await show(await make(dir), "");
    expect(text.split("\n")).toEqual([
      "adults (view, rows not counted)",
      "codes (2 rows)",
      "filled (0 rows)",
      "loose (2 rows)",
      "notes (2 rows)",
      'od"d name (1 row)',
      "pairs (1 row)",
      "posts (0 rows)",
      "users (3 rows)",
    ]);
  });

  test("shows how a table was made and some of its rows", async () => {
    await using dir = await createScratchDirectory();
    const text = await show(await make(dir), ":users");
    expect(text).toBe(
      [
        "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born REAL, face BLOB);",
        "",
        "id               | name  | born   | face",
        "-----------------+-------+--------+----------",
        "1                | Ada   | 1815.5 | <3 bytes>",
        "2                | Grace | NULL   | NULL",
        "9007199254740993 | big   | 0      | NULL",
      ].join("\n"),
    );
  });

  test("writes out line ends and control characters", async () => {
    await using dir = await createScratchDirectory();
    const text = await show(await make(dir), ":notes?limit=5");
    expect(text.split("\n").slice(2)).toEqual(["line one\\nline two", "tab\\t\\x1b[31m"]);
  });

  test("finds a row by its key, by its number, and by a key without a type", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    expect(await show(path, ":users:2")).toBe("id: 2\nname: Grace\nborn: NULL\nface: NULL");
    expect(await show(path, ":users:9007199254740993")).toContain("id: 9007199254740993\n");
    expect(await show(path, ":notes:1")).toBe("text: line one\n  line two");
    expect(await show(path, ":codes:x:y")).toBe("code: x:y\nn: 7");
    expect(await show(path, ":codes:what?")).toBe("code: what?\nn: 8");
    expect(await show(path, ":loose:5")).toBe("k: 5");
    expect(await show(path, ":loose:five")).toBe("k: five");
    expect(await show(path, ':od"d name:1')).toBe("a b: 1\nrowid: 2");
    expect(await show(path, ":USERS:1")).toContain("name: Ada");
  });

  test("takes rows in an order, from a place, under a condition", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    const ids = async (selector: string): Promise<unknown[]> => {
      const answer = await readDatabase(path, selector);
      return answer.kind === "rows" ? answer.rows.rows.map((row) => row[0]) : [];
    };
    expect(await ids(":users?order=name:desc&limit=2")).toEqual([9007199254740993n, 2]);
    expect(await ids(":users?limit=1&offset=1")).toEqual([2]);
    expect(await ids(":users?where=name LIKE 'A%'")).toEqual([1]);
    expect(await ids(":users?where=name%20LIKE%20'G%25'")).toEqual([2]);
    expect(await ids(":users?where=id & 1 = 1 AND id < 5&limit=3")).toEqual([1]);
    expect(await ids(":users?where=id IN (SELECT max(id) FROM users WHERE id < 9)")).toEqual([2]);
    expect(await ids(":users?where=name = 'a;b--c' OR id=1")).toEqual([1]);
    expect(await show(path, ":users?limit=2")).toContain(
      "[more rows follow: the next one has offset 2]",
    );
  });

  test("runs a query, with columns of the same name and without any row", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    expect(await show(path, "?q=SELECT 1 AS a, 2 AS a -- why")).toBe("a | a\n--+--\n1 | 2");
    expect(await show(path, "?q=SELECT%201%20AS%20n;")).toBe("n\n-\n1");
    expect(await show(path, "?q=WITH x AS (SELECT 3 AS n) SELECT * FROM x")).toBe("n\n-\n3");
    expect(await show(path, "?q=VALUES (1)")).toContain("1");
    expect(await show(path, "?q=SELECT name FROM users WHERE 0")).toBe("name\n----\n(no rows)");
    expect(await show(path, "?q=PRAGMA table_info(users)")).toContain("INTEGER");
    expect(await show(path, "?q=EXPLAIN QUERY PLAN SELECT * FROM users")).toContain("SCAN users");
  });

  test("is bounded in rows", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    const numbers =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";
    const answer = await readDatabase(path, `?q=${numbers}`);
    expect(answer.kind === "rows" && answer.rows.rows).toHaveLength(500);
    expect(answer.kind === "rows" && answer.rows.hasMore).toBe(true);
    const wide = await readDatabase(
      path,
      "?q=SELECT hex(zeroblob(10000000)) AS x, zeroblob(9) AS y",
    );
    expect(wide.kind === "rows" && wide.rows.cutCells).toBe(1);
    expect(wide.kind === "rows" && wide.rows.rows[0]![1]).toEqual({ blobBytes: 9 });
  });

  test("ends at its deadline, with its signal, and where memory runs out", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    const endless =
      "?q=WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
    expect(await refusal(readDatabase(path, endless, { deadlineMs: 1500 }))).toBe("too_slow");
    const signal = AbortSignal.timeout(300);
    await expect(readDatabase(path, endless, { signal })).rejects.toThrow("timed out");
    await expect(readDatabase(path, endless, { signal })).rejects.toThrow("timed out");
    const greedy =
      "?q=WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000000000) SELECT length(group_concat(x || hex(zeroblob(5000)))) FROM c";
    expect(["too_large", "too_slow"]).toContain(await refusal(readDatabase(path, greedy)));
  });

  test("leaves nothing beside a database with a write-ahead log", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir, `PRAGMA journal_mode = WAL; ${SCHEMA}`);
    const before = await readdir(dir.root);
    expect(await show(path, ":users:1")).toContain("Ada");
    expect(await readdir(dir.root)).toEqual(before);
    // While somebody has it open, what is only in the log counts.
    using open = new Database(path);
    open.run("UPDATE users SET name = 'Augusta' WHERE id = 1");
    expect(await show(path, ":users:1")).toContain("Augusta");
  });

  test("says what is missing or wrong", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    expect(await refusal(readDatabase(path, ":nobody"))).toBe("not_found");
    await expect(readDatabase(path, ":nobody")).rejects.toThrow("use adults, codes");
    expect(await refusal(readDatabase(path, ":sqlite_master"))).toBe("not_found");
    expect(await refusal(readDatabase(path, ":users:99"))).toBe("not_found");
    expect(await refusal(readDatabase(path, ":notes:abc"))).toBe("bad_selector");
    expect(await refusal(readDatabase(path, ":pairs:1"))).toBe("bad_table");
    expect(await refusal(readDatabase(path, ":adults:1"))).toBe("bad_table");
    expect(await refusal(readDatabase(path, ":users?order=nope"))).toBe("not_found");
    expect(await refusal(readDatabase(path, ":users?where=nope = 1"))).toBe("sql");
    expect(await refusal(readDatabase(path, "?q=SELECT * FROM nowhere"))).toBe("sql");
    expect(await refusal(readDatabase(path, "?q=-- only a comment"))).toBe("bad_selector");
    expect(await refusal(readDatabase(dir.path("none.db"), ""))).toBe("not_found");
    const fake = await dir.write("fake.db", "not a database at all");
    expect(await refusal(readDatabase(fake, ""))).toBe("not_a_database");
    const whole = await Bun.file(path).bytes();
    const cut = await dir.write("cut.db", whole.subarray(0, 5000));
    expect(await refusal(readDatabase(cut, ""))).toBe("not_a_database");
  });

  test("says when another program holds the database", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    using other = new Database(path);
    other.run("BEGIN EXCLUSIVE");
    expect(await refusal(readDatabase(path, ":users"))).toBe("locked");
    expect(await refusal(writeDatabase(path, ":filled", "{}"))).toBe("locked");
  }, 60_000);
});

describe("writing", () => {
  test("inserts, updates and deletes one row", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    expect(await writeDatabase(path, ":users", "{id: 3, name: 'Alan', born: 1912,}")).toEqual({
      action: "inserted",
      table: "users",
      found: true,
    });
    expect(await writeDatabase(path, ":users:3", '{"Name": "Turing", born: null}')).toMatchObject({
      action: "updated",
      found: true,
    });
    expect(await show(path, ":users:3")).toBe("id: 3\nname: Turing\nborn: NULL\nface: NULL");
    expect(await writeDatabase(path, ":users:3", " \n")).toMatchObject({
      action: "deleted",
      found: true,
    });
    expect(await writeDatabase(path, ":users:3", "")).toMatchObject({ found: false });
    expect(await writeDatabase(path, ":users:3", "{name: 'x'}")).toMatchObject({ found: false });
    await writeDatabase(path, ":filled", "{}");
    expect(await show(path, ":filled:1")).toBe("id: 1\nword: none");
    await writeDatabase(path, ":notes:1", "{text: true}");
    expect(await show(path, ":notes:1")).toBe("text: 1");
    await writeDatabase(path, ":loose:5", "{k: 6}");
    expect(await show(path, ":loose?limit=5")).toContain("6");
    await writeDatabase(path, ":codes:x:y", "{n: 1}");
    expect(await show(path, ":codes:x:y")).toContain("n: 1");
  });

  test("refuses what is no row", async () => {
    await using dir = await createScratchDirectory();
    const path = await make(dir);
    const wrong: [string, string, DatabaseErrorCode][] = [
      [":users", "not json", "bad_row"],
      [":users", "[1]", "bad_row"],
      [":users", "", "bad_row"],
      [":users", "{nope: 1}", "bad_row"],
      [":users", "{name: {a: 1}}", "bad_row"],
      [":users", "{name: NaN}", "bad_row"],
      [":users", "{}", "bad_row"],
      [":users:1", "{}", "bad_row"],
      [":posts", "{author: 77}", "bad_row"],
      [":pairs:1", "{a: 2}", "bad_table"],
      [":pairs:1", "", "bad_table"],
      [":adults", "{name: 'x'}", "bad_table"],
      [":sqlite_master", "{name: 'x'}", "not_found"],
      [":nobody", "{}", "not_found"],
      [":users?limit=1", "{}", "bad_selector"],
      ["?q=SELECT 1", "{}", "bad_selector"],
      ["", "{}", "bad_selector"],
      [":users:", "{}", "bad_selector"],
    ];
    for (const [selector, content, code] of wrong) {
      expect([selector, content, await refusal(writeDatabase(path, selector, content))]).toEqual([
        selector,
        content,
        code,
      ]);
    }
    expect(await refusal(writeDatabase(dir.path("new.db"), ":t", "{}"))).toBe("not_found");
    expect(await Bun.file(dir.path("new.db")).exists()).toBe(false);
    expect(await show(path, "")).toContain("users (3 rows)");
  }, 60_000);
});

describe("paths", () => {
  test.each<[string, [string, string][]]>([
    ["a.db", [["a.db", ""]]],
    ["a.SQLITE3:t", [["a.SQLITE3", ":t"]]],
    ["d/a.sqlite:t:1", [["d/a.sqlite", ":t:1"]]],
    ["a.db3?q=SELECT 1", [["a.db3", "?q=SELECT 1"]]],
    [
      "a.db:b.db:c",
      [
        ["a.db:b.db", ":c"],
        ["a.db", ":b.db:c"],
      ],
    ],
    ["a.dbx:t", []],
    [".db:t", []],
    ["a.ts", []],
  ])("%s", (path, wanted) => {
    expect(splitDatabasePath(path).map(({ database, selector }) => [database, selector])).toEqual(
      wanted,
    );
  });

  test("are databases by their content", async () => {
    await using dir = await createScratchDirectory();
    expect(await isDatabaseFile(await make(dir))).toBe(true);
    expect(await isDatabaseFile(await dir.write("t.db", "text"))).toBe(false);
    expect(await isDatabaseFile(dir.root)).toBe(false);
    expect(await isDatabaseFile(dir.path("none.db"))).toBeUndefined();
  });
});
