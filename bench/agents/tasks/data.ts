// Questions that data, logs, history and archives answer; and data that is changed without harm.

import { edit, read, say, search, sh, type AgentTask } from "../task.ts";

const orders = (): string => {
  const rows = Array.from({ length: 400 }, (_, at) => {
    const month = String((at % 12) + 1).padStart(2, "0");
    return `${at},2025-${month}-1${at % 9},${(at * 37) % 500},${at % 5 === 0 ? "open" : "paid"}`;
  });
  return `id,day,amount,state\n${rows.join("\n")}\n`;
};

const accessLog = (): string => {
  const paths = ["/home", "/cart", "/search", "/login"];
  const rows = Array.from({ length: 2000 }, (_, at) => {
    const path = paths[at % 4]!;
    const slow = path === "/cart" && at % 40 < 4 ? 900 : 0;
    return `2026-01-05T10:00:00Z GET ${path} ${200 + (at % 50 === 3 ? 300 : 0)} ${20 + ((at * 7) % 60) + slow}ms`;
  });
  return `${rows.join("\n")}\n`;
};

const catalogue = (): string => {
  const items = Array.from({ length: 1500 }, (_, at) => ({
    sku: `A${1000 + at}`,
    price: (at * 13) % 700,
    tags: ["x", `t${at % 9}`],
  }));
  return `${JSON.stringify({ version: 3, items })}\n`;
};

export const DATA: readonly AgentTask[] = [
  {
    name: "paid-in-march",
    kind: "data",
    prompt: "How much was paid in March 2025 according to orders.csv? Answer with the number.",
    files: { "orders.csv": orders() },
    solve: [
      read("orders.csv:1-5"),
      sh(`awk -F, '$2 ~ /^2025-03/ && $4 == "paid" {s += $3} END {print s}' orders.csv`),
      (seen) => `Paid in March 2025: ${seen.last.trim()}.`,
    ],
    grade: {
      answer: new RegExp(`\\b${paidInMarch()}\\b|${paidInMarch().toLocaleString("en-US")}`),
    },
  },
  {
    name: "slowest-path",
    kind: "data",
    prompt:
      "Which path has the highest 95th percentile of response times in access.log? Answer with the path.",
    files: { "access.log": accessLog() },
    solve: [
      read("access.log:1-5"),
      sh(
        `python3 -c '
import re, collections
t = collections.defaultdict(list)
for l in open("access.log"):
    p = l.split(); t[p[2]].append(int(p[4][:-2]))
for k, v in t.items():
    v.sort(); print(k, v[int(len(v) * 0.95)])'`,
      ),
      say("`/cart` has the highest 95th percentile."),
    ],
    grade: { answer: /\/cart/, notAnswer: /\/(?:home|login) has the highest/ },
  },
  {
    name: "best-customer",
    kind: "data",
    prompt: "Who has spent most in shop.db, and how much? Refunded orders do not count.",
    files: {},
    setUp: `python3 -c '
import sqlite3
db = sqlite3.connect("shop.db")
db.execute("create table customers (id integer primary key, name text)")
db.execute("create table orders (id integer primary key, customer integer, cents integer, refunded integer)")
db.executemany("insert into customers values (?, ?)", [(1, "Ada"), (2, "Grace"), (3, "Edsger")])
db.executemany("insert into orders (customer, cents, refunded) values (?, ?, ?)", [(1, 5000, 0), (1, 2500, 0), (2, 9900, 1), (2, 1000, 0), (3, 7400, 0)])
db.commit()'`,
    solve: [
      read("shop.db", "shop.db:orders"),
      read(
        "shop.db?q=SELECT c.name, sum(o.cents) FROM orders o JOIN customers c ON c.id = o.customer WHERE o.refunded = 0 GROUP BY c.id ORDER BY 2 DESC",
      ),
      say("Ada, with 75.00 (7,500 cents)."),
    ],
    grade: { answer: /Ada[^]*(?:75(?:\.00)?\b|7,?500)/, notAnswer: /^(?:\W*)(?:Grace|Edsger)/ },
  },
  {
    name: "who-broke-it",
    kind: "data",
    prompt:
      "area() in shape.js gives wrong results for circles since some commit. Which commit introduced it? Answer with its subject.",
    files: {},
    setUp: `set -e
c() { git -c user.name=A -c user.email=a@b.c commit -qam "$1"; }
printf 'export const area = (r) => Math.PI * r * r;\\n' > shape.js; git add shape.js; c "Add circles"
printf '// Shapes\\nexport const area = (r) => Math.PI * r * r;\\n' > shape.js; c "Say what it is"
printf '// Shapes\\nexport const area = (r) => Math.PI * 2 * r;\\n' > shape.js; c "Simplify the formula"
printf '// Shapes of all kinds\\nexport const area = (r) => Math.PI * 2 * r;\\n' > shape.js; c "Reword"`,
    solve: [
      sh("git log --oneline -- shape.js"),
      sh("git log -S'r * r' --format='%h %s' -- shape.js"),
      say("“Simplify the formula” turned the area into the circumference."),
    ],
    grade: { answer: /Simplify the formula/ },
  },
  {
    name: "in-which-member",
    kind: "data",
    prompt: 'One file in bundle.zip has the text "launch code". Which one, and on which line?',
    files: {},
    setUp: `python3 -c '
import zipfile
with zipfile.ZipFile("bundle.zip", "w") as z:
    for n in range(30):
        z.writestr(f"docs/part{n}.txt", "\\n".join(f"line {i}" for i in range(20)) + ("\\nthe launch code is here" if n == 17 else "") + "\\n")'`,
    solve: [search("launch code", "bundle.zip"), say("docs/part17.txt, line 21.")],
    grade: { answer: /part17\.txt[^]*\b21\b/ },
  },
  {
    name: "one-value-in-one-line",
    kind: "data",
    prompt:
      "In catalogue.json (one long line) set the price of A1777 to 5. Nothing else may change.",
    files: { "catalogue.json": catalogue() },
    solve: [
      search('"A1777","price":\\d+', "catalogue.json"),
      sh(
        `sed -i 's/\\("sku":"A1777","price":\\)[0-9]*/\\15/' catalogue.json && grep -o '"A1777","price":[0-9]*' catalogue.json`,
      ),
      say("The price of A1777 is 5."),
    ],
    grade: {
      files: { "expected.json": catalogue().replace(/("sku":"A1777","price":)\d+/, "$15") },
      command: "cmp catalogue.json expected.json",
    },
  },
  {
    name: "different-settings",
    kind: "data",
    prompt:
      "Which settings differ between staging.json and production.json? Name the full keys only.",
    files: {
      "staging.json": `${JSON.stringify({ db: { host: "a", pool: { min: 1, max: 5 } }, cache: { ttl: 60 }, flags: ["x"] }, null, 2)}\n`,
      "production.json": `${JSON.stringify({ db: { host: "b", pool: { min: 1, max: 50 } }, cache: { ttl: 60 }, flags: ["x"] }, null, 2)}\n`,
    },
    solve: [sh("diff staging.json production.json"), say("db.host and db.pool.max.")],
    grade: {
      answer: /db\.host[^]*db\.pool\.max|db\.pool\.max[^]*db\.host/,
      notAnswer: /cache\.ttl|pool\.min/,
    },
  },
  {
    name: "where-is-the-timeout",
    kind: "data",
    prompt:
      "Where is the timeout of requests set, and how long is it? Answer with path:line and the time.",
    files: {
      "src/http/client.js": `import { LIMITS } from "../limits.js";

export async function get(url) {
  return fetch(url, { signal: AbortSignal.timeout(LIMITS.request) });
}
`,
      "src/limits.js": `// All limits of the program.
const SECOND = 1000;

export const LIMITS = {
  upload: 5 * SECOND,
  request: 30 * SECOND,
};
`,
      "src/ui/timeout.js": `export const DIALOG_TIMEOUT = 10_000;\n`,
    },
    solve: [
      search("timeout|LIMITS", "src"),
      say("src/limits.js:6: 30 seconds (used in src/http/client.js:4)."),
    ],
    grade: { answer: /src\/limits\.js:6[^]*30/ },
  },
  {
    name: "key-in-a-long-file",
    kind: "data",
    prompt: "In services.yml set the replicas of the service svc-0777 to 4. Leave all others.",
    files: {
      "services.yml": Array.from(
        { length: 900 },
        (_, at) =>
          `svc-${String(at).padStart(4, "0")}:\n  image: app:${at}\n  replicas: ${(at % 3) + 1}\n`,
      ).join(""),
    },
    solve: [
      search("^svc-0777:", "services.yml"),
      edit({ "services.yml": "replace 2334..2334:\n+  replicas: 4" }),
      say("services.yml:2334: four replicas."),
    ],
    grade: {
      command: `python3 -c '
rows = open("services.yml").read().split("\\n")
assert rows[2331] == "svc-0777:" and rows[2333] == "  replicas: 4", rows[2331:2334]
assert sum(r == "  replicas: 4" for r in rows) == 1 and len(rows) == 2701'`,
    },
  },
];

function paidInMarch(): number {
  return orders()
    .split("\n")
    .map((row) => row.split(","))
    .filter(([, day, , state]) => day?.startsWith("2025-03") && state === "paid")
    .reduce((sum, [, , amount]) => sum + Number(amount), 0);
}
