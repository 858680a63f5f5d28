// Bugs that a user reports by what they see.

import { edit, read, say, search, sh, type AgentTask } from "../task.ts";

const TEST = "bun test 2>&1";

export const BUGS: readonly AgentTask[] = [
  {
    name: "last-page",
    kind: "bug",
    prompt:
      "The last page of results is missing when the number of items is not a multiple of the page size. Find out why and fix it.",
    files: {
      "src/paginate.js": `export function pageCount(items, size) {
  return Math.floor(items / size);
}

export function page(list, number, size) {
  if (number < 1 || number > pageCount(list.length, size)) return [];
  return list.slice((number - 1) * size, number * size);
}
`,
      "src/paginate.test.js": `import { expect, test } from "bun:test";
import { page } from "./paginate.js";

test("the first page", () => expect(page([1, 2, 3, 4], 1, 2)).toEqual([1, 2]));
`,
    },
    solve: [
      read("src/paginate.js"),
      edit({ "src/paginate.js": "replace 2..2:\n+  return Math.ceil(items / size);" }),
      sh(TEST),
      say("`pageCount` rounded down (src/paginate.js:2); it rounds up now. The tests pass."),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { page, pageCount } from "./src/paginate.js";
test("all pages", () => {
  expect(pageCount(5, 2)).toBe(3);
  expect(pageCount(4, 2)).toBe(2);
  expect(pageCount(0, 2)).toBe(0);
  expect(page([1, 2, 3, 4, 5], 3, 2)).toEqual([5]);
  expect(page([1, 2], 2, 2)).toEqual([]);
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "lost-cents",
    kind: "bug",
    prompt:
      'invoice.js: three items of 0.10 with a total of 0.30 are refused as "does not add up". Fix the check, for any amounts with two decimals.',
    files: {
      "invoice.js": `export function addsUp(items, total) {
  let sum = 0;
  for (const { price, count } of items) sum += price * count;
  return sum === total;
}
`,
    },
    solve: [
      read("invoice.js"),
      edit({
        "invoice.js": `replace 2..4:
+  const cents = (amount) => Math.round(amount * 100);
+  let sum = 0;
+  for (const { price, count } of items) sum += cents(price) * count;
+  return sum === cents(total);`,
      }),
      sh(
        `bun -e 'import {addsUp} from "./invoice.js"; console.log(addsUp([{price:0.1,count:3}], 0.3))'`,
      ),
      say(
        "The sum was compared in binary fractions; it is counted in cents now. Checked with the reported case.",
      ),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { addsUp } from "./invoice.js";
test("cents", () => {
  expect(addsUp([{ price: 0.1, count: 3 }], 0.3)).toBe(true);
  expect(addsUp([{ price: 19.99, count: 3 }, { price: 0.01, count: 7 }], 60.04)).toBe(true);
  expect(addsUp([{ price: 0.1, count: 3 }], 0.31)).toBe(false);
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "forgotten-await",
    kind: "bug",
    prompt:
      "Saving sometimes reports success although the disk was full. Nothing catches the error. Look into src and fix it.",
    files: {
      "src/save.js": `import { store } from "./store.js";

export async function save(documents) {
  const failed = [];
  for (const document of documents) {
    try {
      store(document);
    } catch (error) {
      failed.push(document.id);
    }
  }
  return failed;
}
`,
      "src/store.js": `export let disk = { free: 1 };

export async function store(document) {
  await Promise.resolve();
  if (disk.free <= 0) throw new Error("disk is full");
  disk.free--;
}
`,
    },
    solve: [
      search("store\\(", "src"),
      read("src/save.js"),
      edit({ "src/save.js": "replace 7..7:\n+      await store(document);" }),
      sh(`bun -e 'import {save} from "./src/save.js"; console.log(await save([{id:1},{id:2}]))'`),
      say("`store` is asynchronous and was not awaited in src/save.js:7, so its failure was lost."),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { save } from "./src/save.js";
test("failures are told", async () => {
  expect(await save([{ id: 1 }, { id: 2 }, { id: 3 }])).toEqual([2, 3]);
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "quoted-commas",
    kind: "bug",
    prompt:
      "read_rows in table.py breaks rows in which a quoted field has a comma or a doubled quote. Fix it. Rows without quotes must stay as they are.",
    files: {
      "table.py": `def read_rows(text):
    return [line.split(",") for line in text.splitlines() if line]
`,
    },
    solve: [
      read("table.py"),
      edit({
        "table.py": `replace 1..2:
+import csv
+import io
+
+
+def read_rows(text):
+    return [row for row in csv.reader(io.StringIO(text)) if row]`,
      }),
      sh(`python3 -c 'from table import read_rows; print(read_rows("a,\\"b,c\\"\\n"))'`),
      say(
        "Fields were split at every comma; the csv module of the standard library reads them now.",
      ),
    ],
    grade: {
      command: `python3 -c '
from table import read_rows
assert read_rows("a,b\\n\\nc,d\\n") == [["a","b"],["c","d"]]
assert read_rows("1,\\"x, y\\",3") == [["1","x, y","3"]]
assert read_rows("\\"say \\"\\"hi\\"\\"\\",2") == [["say \\"hi\\"","2"]]
'`,
    },
  },
  {
    name: "names-with-blanks",
    kind: "bug",
    prompt:
      "backup.sh fails for files that have blanks in their names, and it must not touch anything else. Fix it.",
    files: {
      "backup.sh": `#!/bin/bash
# usage: backup.sh FROM TO
for file in $(ls $1); do
  cp $1/$file $2/$file.bak
done
`,
    },
    solve: [
      read("backup.sh"),
      edit({
        "backup.sh": `replace 3..5:
+for file in "$1"/*; do
+  [ -f "$file" ] || continue
+  cp -- "$file" "$2/$(basename -- "$file").bak"
+done`,
      }),
      sh("mkdir -p a b && touch 'a/x y.txt' && bash backup.sh a b && ls b && rm -r a b"),
      say("The list was split at blanks; it is a glob in quotes now."),
    ],
    grade: {
      command: `set -e; mkdir -p "in put/sub" out; echo 1 > "in put/a b.txt"; echo 2 > "in put/-n"; echo 3 > "in put/c.txt"
bash backup.sh "in put" out; [ "$(cat "out/a b.txt.bak")" = 1 ]; [ "$(cat "out/-n.bak")" = 2 ]; [ "$(cat out/c.txt.bak)" = 3 ]; [ "$(ls out | wc -l)" = 3 ]`,
    },
  },
  {
    name: "colliding-cache",
    kind: "bug",
    prompt:
      "Users sometimes see the prices of another shop. The cache is suspected. Find the cause and fix it.",
    files: {
      "src/cache.js": `const cache = new Map();

export function cached(shop, product, load) {
  const key = shop + product;
  if (!cache.has(key)) cache.set(key, load());
  return cache.get(key);
}
`,
      "src/prices.js": `import { cached } from "./cache.js";

export const priceOf = (shop, product, table) =>
  cached(shop, product, () => table[shop][product]);
`,
    },
    solve: [
      search("cached", "src"),
      read("src/cache.js"),
      edit({ "src/cache.js": "replace 4..4:\n+  const key = JSON.stringify([shop, product]);" }),
      sh(
        `bun -e 'import {priceOf} from "./src/prices.js"; const t={a:{bc:1},ab:{c:2}}; console.log(priceOf("a","bc",t), priceOf("ab","c",t))'`,
      ),
      say(
        "The key joined both names without a separator, so (a, bc) and (ab, c) were one entry: src/cache.js:4.",
      ),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { priceOf } from "./src/prices.js";
test("no two are one", () => {
  const table = { a: { bc: 1, "b/c": 5 }, ab: { c: 2 }, "a/b": { c: 3 }, "1": { "23": 7 }, "12": { "3": 8 } };
  expect(priceOf("a", "bc", table)).toBe(1);
  expect(priceOf("ab", "c", table)).toBe(2);
  expect(priceOf("a", "b/c", table)).toBe(5);
  expect(priceOf("a/b", "c", table)).toBe(3);
  expect(priceOf("1", "23", table)).toBe(7);
  expect(priceOf("12", "3", table)).toBe(8);
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "half-a-character",
    kind: "bug",
    prompt:
      "shorten() in text.js leaves broken characters at the end of titles with emoji. Fix it; the length counts characters as JavaScript does, so a title may come out one shorter.",
    files: {
      "text.js": `export function shorten(text, length) {
  return text.length <= length ? text : text.slice(0, length);
}
`,
    },
    solve: [
      read("text.js"),
      edit({
        "text.js": `replace 2..2:
+  if (text.length <= length) return text;
+  const code = text.charCodeAt(length - 1);
+  const isHalf = code >= 0xd800 && code <= 0xdbff;
+  return text.slice(0, isHalf ? length - 1 : length);`,
      }),
      sh(
        `bun -e 'import {shorten} from "./text.js"; console.log(shorten("ab\\u{1F600}", 3).isWellFormed())'`,
      ),
      say("The cut fell between the halves of a pair; it stops before one now."),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { shorten } from "./text.js";
test("whole characters", () => {
  expect(shorten("ab😀cd", 3)).toBe("ab");
  expect(shorten("ab😀cd", 4)).toBe("ab😀");
  expect(shorten("abc", 3)).toBe("abc");
  expect(shorten("abcd", 2)).toBe("ab");
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "day-too-few",
    kind: "bug",
    prompt: "Reports for a range of days leave out the last day. Fix report.py.",
    files: {
      "report.py": `from datetime import date, timedelta


def days(first: date, last: date) -> list[date]:
    return [first + timedelta(n) for n in range((last - first).days)]


def total(orders, first, last):
    wanted = set(days(first, last))
    return sum(o["amount"] for o in orders if o["day"] in wanted)
`,
    },
    solve: [
      read("report.py"),
      edit({
        "report.py":
          "replace 5..5:\n+    return [first + timedelta(n) for n in range((last - first).days + 1)]",
      }),
      sh(
        `python3 -c 'from report import days; from datetime import date; print(len(days(date(2026,1,1), date(2026,1,31))))'`,
      ),
      say("`days` ended before its last day (report.py:5)."),
    ],
    grade: {
      command: `python3 -c '
from report import days, total
from datetime import date
assert len(days(date(2026,2,1), date(2026,2,28))) == 28
assert days(date(2026,1,1), date(2026,1,1)) == [date(2026,1,1)]
assert total([{"day": date(2026,1,2), "amount": 5}], date(2026,1,1), date(2026,1,2)) == 5
'`,
    },
  },
];
