// Nothing can be written or reached through a query or a condition, however it is asked.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { answerDatabase } from "./answer-database.ts";
import { DatabaseError } from "./database-error.ts";
import { parseDatabaseSelector } from "./database-selector.ts";

const ATTACKS = (root: string): string[] => [
  `ATTACH '${root}/evil.db' AS e`,
  `ATTACH '${root}/evil.db' AS e; CREATE TABLE e.t(a)`,
  `SELECT 1; ATTACH '${root}/evil.db' AS e`,
  `/* x */ ATTACH '${root}/evil.db' AS e`,
  `-- x\nATTACH '${root}/evil.db' AS e`,
  `EXPLAIN ATTACH '${root}/evil.db' AS e`,
  `VACUUM INTO '${root}/evil.db'`,
  "VACUUM",
  "INSERT INTO t VALUES (9)",
  "UPDATE t SET a = 9",
  "DELETE FROM t",
  "DELETE FROM t RETURNING a",
  "REPLACE INTO t VALUES (9)",
  "WITH x AS (SELECT 9) INSERT INTO t SELECT * FROM x",
  "WITH x AS (SELECT 9) DELETE FROM t WHERE a IN x",
  "CREATE TABLE u (a)",
  "CREATE TEMP TABLE u (a)",
  "CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
  "DROP TABLE t",
  "ALTER TABLE t RENAME TO u",
  "REINDEX",
  "ANALYZE",
  "BEGIN IMMEDIATE",
  "COMMIT",
  "SAVEPOINT s",
  "DETACH main",
  "PRAGMA query_only = OFF",
  "PRAGMA query_only(0)",
  "EXPLAIN PRAGMA query_only = OFF",
  "PRAGMA main.query_only = 0",
  "PRAGMA user_version = 7",
  "PRAGMA user_version(7)",
  "PRAGMA main.user_version = 7",
  "PRAGMA writable_schema = ON",
  "PRAGMA journal_mode = WAL",
  "PRAGMA wal_checkpoint",
  "PRAGMA incremental_vacuum",
  "PRAGMA temp_store_directory = '/'",
  "PRAGMA application_id = 1",
  "SELECT load_extension('x')",
  "SELECT load_extension('x', 'y')",
  "SELECT fts3_tokenizer('x', x'00')",
  "SELECT writefile('x', 'y')",
  "SELECT readfile('/etc/passwd')",
  "SELECT edit('x')",
  "SELECT ?",
  "SELECT :a",
  "SELECT @a",
  "SELECT $a",
  "",
  ";",
  "\0",
  "SELECT 1\0; DROP TABLE t",
];

interface Place {
  path: string;
  fingerprint(): Promise<string>;
}

async function place(root: string): Promise<Place> {
  const path = `${root}/app.db`;
  using database = new Database(path);
  database.run("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)");
  return {
    path,
    async fingerprint() {
      const hash = Bun.hash(await Bun.file(path).bytes());
      return `${hash} ${(await readdir(root)).sort().join()}`;
    },
  };
}

async function outcome(path: string, selector: string): Promise<"read" | "refused"> {
  try {
    await answerDatabase({ action: "read", path, selector: parseDatabaseSelector(selector) });
    return "read";
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseError);
    return "refused";
  }
}

test("no attack gets through a query, and none leaves a trace", async () => {
  await using dir = await createScratchDirectory();
  const { path, fingerprint } = await place(dir.root);
  const before = await fingerprint();
  for (const sql of ATTACKS(dir.root)) {
    expect([sql, await outcome(path, `?q=${sql}`)]).toEqual([sql, "refused"]);
    expect([sql, await fingerprint()]).toEqual([sql, before]);
  }
});

test("no attack gets through a condition", async () => {
  await using dir = await createScratchDirectory();
  const { path, fingerprint } = await place(dir.root);
  const before = await fingerprint();
  const wraps = [
    (sql: string) => sql,
    (sql: string) => `1; ${sql}`,
    (sql: string) => `1); ${sql}; SELECT (1`,
    (sql: string) => `a IN (${sql})`,
    (sql: string) => `1 ) -- ${sql}`,
    (sql: string) => `1 UNION SELECT 1 WHERE (${sql})`,
  ];
  for (const sql of ATTACKS(dir.root)) {
    for (const wrap of wraps) await outcome(path, `:t?where=${wrap(sql)}`);
    expect([sql, await fingerprint()]).toEqual([sql, before]);
  }
  expect(await outcome(path, ":t?where=1;drop")).toBe("refused");
  expect(await outcome(path, ":t?where=1) UNION SELECT (1")).toBe("refused");
  expect(await outcome(path, ":t?where=1/**/")).toBe("refused");
  expect(await outcome(path, ":t?where=1 LIMIT 900000")).toBe("refused");
});

test("whatever is put together from words of SQL, it is read or refused, and nothing changes", async () => {
  await using dir = await createScratchDirectory();
  const { path, fingerprint } = await place(dir.root);
  const before = await fingerprint();
  const word = fc.constantFrom(
    "SELECT",
    "WITH",
    "x",
    "AS",
    "(",
    ")",
    "INSERT",
    "INTO",
    "t",
    "VALUES",
    "1",
    ",",
    ";",
    "DELETE",
    "FROM",
    "PRAGMA",
    "query_only",
    "=",
    "OFF",
    "EXPLAIN",
    "ATTACH",
    "'e.db'",
    "a",
    "--",
    "\n",
    "/*",
    "*/",
    "*",
    "VACUUM",
    "[",
    "]",
    '"',
    "'",
    "`",
    "user_version",
    ".",
    "main",
  );
  const sql = fc.array(word, { maxLength: 9 }).map((words) => words.join(" "));
  await fc.assert(
    fc.asyncProperty(sql, sql, async (query, condition) => {
      await outcome(path, `?q=${query}`);
      await outcome(path, `:t?where=${condition}`);
    }),
    { numRuns: 300 },
  );
  expect(await fingerprint()).toBe(before);
});
