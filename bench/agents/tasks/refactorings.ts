// Changes over several files in which nothing may be forgotten and nothing else may change.

import { edit, read, say, search, sh, write, type AgentTask } from "../task.ts";

const MODULES = ["cart", "order", "invoice", "refund", "search", "profile", "admin", "export"];

const callers = Object.fromEntries(
  MODULES.map((name, at) => [
    `src/${name}.js`,
    `import { getUser } from "./users.js";

// getUser is asked once for each ${name}.
export function ${name}Title(id) {
  const user = getUser(id);
  return \`${name} ${at} of \${user.name}\`;
}
`,
  ]),
);

export const REFACTORINGS: readonly AgentTask[] = [
  {
    name: "rename-everywhere",
    kind: "refactoring",
    prompt:
      'Rename the function getUser to findUser everywhere, comments included. The text "getUser" in users.json must stay.',
    files: {
      ...callers,
      "src/users.js": `import { readFileSync } from "node:fs";

const users = JSON.parse(readFileSync(new URL("./users.json", import.meta.url), "utf8"));

export function getUser(id) {
  return users.find((user) => user.id === id) ?? { name: "nobody" };
}
`,
      "src/users.json": `[{ "id": 1, "name": "getUser" }]\n`,
    },
    solve: [
      search("getUser"),
      sh("sed -i 's/getUser/findUser/g' src/*.js && grep -rn getUser src"),
      sh(`bun -e 'import {cartTitle} from "./src/cart.js"; console.log(cartTitle(1))'`),
      say("Renamed in nine files of src; src/users.json is as it was."),
    ],
    grade: {
      command: `set -e; if grep -rn getUser src/*.js; then exit 1; fi; grep -q getUser src/users.json
for f in ${MODULES.join(" ")}; do bun -e "import * as m from './src/$f.js'; if (!m.${"${f}"}Title(1).endsWith('of getUser')) process.exit(1)"; grep -q "findUser is asked once" src/$f.js; done`,
    },
  },
  {
    name: "one-check",
    kind: "refactoring",
    prompt:
      "The check of e-mail addresses is written three times (signup.py, invite.py, contact.py). Put it into one function is_email in emails.py and use it in all three. Behaviour must not change.",
    files: {
      "signup.py": `import re


def signup(address):
    if not re.fullmatch(r"[^@\\s]+@[^@\\s]+\\.[a-z]{2,}", address):
        raise ValueError("no address")
    return {"signup": address}
`,
      "invite.py": `import re


def invite(addresses):
    return [a for a in addresses if re.fullmatch(r"[^@\\s]+@[^@\\s]+\\.[a-z]{2,}", a)]
`,
      "contact.py": `import re


def contact(address, text):
    ok = bool(re.fullmatch(r"[^@\\s]+@[^@\\s]+\\.[a-z]{2,}", address)) and text != ""
    return ok
`,
    },
    solve: [
      read("signup.py", "invite.py", "contact.py"),
      write(
        "emails.py",
        `import re


def is_email(address):
    return bool(re.fullmatch(r"[^@\\s]+@[^@\\s]+\\.[a-z]{2,}", address))
`,
      ),
      edit({
        "signup.py":
          "replace 1..1:\n+from emails import is_email\nreplace 5..5:\n+    if not is_email(address):",
        "invite.py":
          "replace 1..1:\n+from emails import is_email\nreplace 5..5:\n+    return [a for a in addresses if is_email(a)]",
        "contact.py":
          'replace 1..1:\n+from emails import is_email\nreplace 5..5:\n+    ok = is_email(address) and text != ""',
      }),
      sh(`python3 -c 'import signup, invite, contact; print(invite.invite(["a@b.de", "x"]))'`),
      say("The check is in emails.py and used by all three."),
    ],
    grade: {
      command: `set -e; python3 -c '
import signup, invite, contact, emails
assert emails.is_email("a@b.de") is True and emails.is_email("a@b") is False
assert signup.signup("a@b.de") == {"signup": "a@b.de"}
try:
    signup.signup("x"); raise SystemExit(1)
except ValueError as e:
    assert str(e) == "no address"
assert invite.invite(["a@b.de", "x", "c@d.org"]) == ["a@b.de", "c@d.org"]
assert contact.contact("a@b.de", "t") is True and contact.contact("a@b.de", "") is False
'
[ "$(grep -l fullmatch *.py)" = emails.py ]`,
    },
  },
  {
    name: "promises",
    kind: "refactoring",
    prompt:
      "Turn load(path, callback) in lib/load.js into an async function load(path) and adapt all who call it.",
    files: {
      "lib/load.js": `import { readFile } from "node:fs";

export function load(path, callback) {
  readFile(path, "utf8", (error, text) => {
    if (error) callback(error);
    else callback(null, JSON.parse(text));
  });
}
`,
      "lib/title.js": `import { load } from "./load.js";

export function title(path) {
  return new Promise((resolve, reject) => {
    load(path, (error, value) => (error ? reject(error) : resolve(value.title)));
  });
}
`,
      "lib/both.js": `import { load } from "./load.js";

export function both(a, b, callback) {
  load(a, (error, one) => {
    if (error) return callback(error);
    load(b, (failure, two) => callback(failure, [one, two]));
  });
}
`,
      "data.json": `{ "title": "T" }\n`,
    },
    solve: [
      search("load\\(", "lib"),
      read("lib/load.js", "lib/title.js", "lib/both.js"),
      edit({
        "lib/load.js": `replace 1..8:
+import { readFile } from "node:fs/promises";
+
+export async function load(path) {
+  return JSON.parse(await readFile(path, "utf8"));
+}`,
        "lib/title.js": `replace 3..7:
+export async function title(path) {
+  return (await load(path)).title;
+}`,
        "lib/both.js": `replace 3..8:
+export function both(a, b, callback) {
+  Promise.all([load(a), load(b)]).then(
+    (values) => callback(null, values),
+    (error) => callback(error),
+  );
+}`,
      }),
      sh(`bun -e 'import {title} from "./lib/title.js"; console.log(await title("data.json"))'`),
      say(
        "`load` is async; title.js and both.js follow. `both` keeps its callback, which nobody asked to change.",
      ),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { load } from "./lib/load.js";
import { title } from "./lib/title.js";
import { both } from "./lib/both.js";
test("all of them", async () => {
  expect(load.length).toBe(1);
  expect(await load("data.json")).toEqual({ title: "T" });
  await expect(load("none.json")).rejects.toThrow();
  expect(await title("data.json")).toBe("T");
  const pair = both.length >= 3
    ? await new Promise((resolve, reject) => both("data.json", "data.json", (e, v) => (e ? reject(e) : resolve(v))))
    : await both("data.json", "data.json");
  expect(pair).toEqual([{ title: "T" }, { title: "T" }]);
});
`,
      },
      command: "bun test grade",
    },
  },
  {
    name: "move-a-module",
    kind: "refactoring",
    prompt:
      "Move src/util/money.js to src/money.js and adapt every import. Nothing of the old place may be left.",
    files: {
      "src/util/money.js": `import { round } from "./round.js";

export const euros = (cents) => \`\${round(cents / 100)} €\`;
`,
      "src/util/round.js": `export const round = (value) => value.toFixed(2);\n`,
      "src/shop/cart.js": `import { euros } from "../util/money.js";

export const cart = (cents) => "Cart: " + euros(cents);
`,
      "src/main.js": `import { euros } from "./util/money.js";
import { cart } from "./shop/cart.js";

export const main = () => [euros(100), cart(250)].join("; ");
`,
    },
    solve: [
      search("money", "src"),
      sh(
        "mv src/util/money.js src/money.js && sed -i 's#./round.js#./util/round.js#' src/money.js && sed -i 's#../util/money.js#../money.js#' src/shop/cart.js && sed -i 's#./util/money.js#./money.js#' src/main.js && grep -rn money src",
      ),
      sh(`bun -e 'import {main} from "./src/main.js"; console.log(main())'`),
      say("Moved; main.js, shop/cart.js and its own import of round.js follow."),
    ],
    grade: {
      command: `set -e; [ ! -e src/util/money.js ]; [ "$(bun -e 'import {main} from "./src/main.js"; console.log(main())')" = "1.00 €; Cart: 2.50 €" ]; ! grep -rn 'util/money' src`,
    },
  },
  {
    name: "logger-in-src",
    kind: "refactoring",
    prompt:
      "In src, replace every console.log(...) by log.info(...), imported from src/log.js (relative import, default export). The scripts keep console.log.",
    files: {
      "src/log.js": `const log = { lines: [], info: (...parts) => log.lines.push(parts.join(" ")) };

export default log;
`,
      "src/a.js": `export function a(x) {
  console.log("a", x);
  return x;
}
`,
      "src/deep/b.js": `import { a } from "../a.js";

export function b(x) {
  console.log(
    "b",
    a(x),
  );
  // console.log is not for production.
}
`,
      "scripts/run.js": `console.log("run");\n`,
    },
    solve: [
      search("console\\.log"),
      read("src/a.js", "src/deep/b.js"),
      edit({
        "src/a.js": `insert head:
+import log from "./log.js";
+
replace 2..2:
+  log.info("a", x);`,
        "src/deep/b.js": `replace 1..1:
+import { a } from "../a.js";
+import log from "../log.js";
replace 4..4:
+  log.info(`,
      }),
      sh(
        `bun -e 'import {b} from "./src/deep/b.js"; import log from "./src/log.js"; b(1); console.log(log.lines)'`,
      ),
      say("Both calls in src log through src/log.js; scripts/run.js is as it was."),
    ],
    grade: {
      command: `set -e; grep -q 'console.log' scripts/run.js; if grep -n 'console.log(' -r src; then exit 1; fi
[ "$(bun -e 'import {b} from "./src/deep/b.js"; import log from "./src/log.js"; b(1); process.stdout.write(log.lines.join("|"))')" = "a 1|b 1" ]`,
    },
  },
  {
    name: "new-parameter",
    kind: "refactoring",
    prompt:
      'Give price() in shop/price.py a parameter currency (default "EUR") that it puts behind the amount, and hand it through from receipt() and from the command line (--currency).',
    files: {
      "shop/__init__.py": "",
      "shop/price.py": `def price(cents):
    return f"{cents / 100:.2f}"
`,
      "shop/receipt.py": `from shop.price import price


def receipt(items):
    return [f"{name}: {price(cents)}" for name, cents in items]
`,
      "main.py": `import argparse
from shop.receipt import receipt

parser = argparse.ArgumentParser()
parser.add_argument("name")
parser.add_argument("cents", type=int)
args = parser.parse_args()
print("\\n".join(receipt([(args.name, args.cents)])))
`,
    },
    solve: [
      read("shop/price.py", "shop/receipt.py", "main.py"),
      edit({
        "shop/price.py": `replace 1..2:
+def price(cents, currency="EUR"):
+    return f"{cents / 100:.2f} {currency}"`,
        "shop/receipt.py": `replace 4..5:
+def receipt(items, currency="EUR"):
+    return [f"{name}: {price(cents, currency)}" for name, cents in items]`,
        "main.py": `insert after 6:
+parser.add_argument("--currency", default="EUR")
replace 8..8:
+print("\\n".join(receipt([(args.name, args.cents)], args.currency)))`,
      }),
      sh("python3 main.py tea 350 && python3 main.py tea 350 --currency CHF"),
      say("The currency goes from the command line through receipt() to price()."),
    ],
    grade: {
      command: `set -e; [ "$(python3 main.py tea 350)" = "tea: 3.50 EUR" ]; [ "$(python3 main.py tea 350 --currency CHF)" = "tea: 3.50 CHF" ]
python3 -c 'from shop.price import price; assert price(100) == "1.00 EUR" and price(100, currency="USD") == "1.00 USD"'`,
    },
  },
  {
    name: "settings-from-environment",
    kind: "refactoring",
    prompt:
      "config.js reads config.json. Let the variables PORT and HOST outweigh the file, and make both work if the file is missing (8080 and localhost). PORT must stay a number.",
    files: {
      "config.js": `import { readFileSync } from "node:fs";

export function config() {
  return JSON.parse(readFileSync("config.json", "utf8"));
}
`,
      "config.json": `{ "port": 3000, "host": "example.org" }\n`,
    },
    solve: [
      read("config.js", "config.json"),
      edit({
        "config.js": `replace 1..5:
+import { existsSync, readFileSync } from "node:fs";
+
+export function config(env = process.env) {
+  const file = existsSync("config.json") ? JSON.parse(readFileSync("config.json", "utf8")) : {};
+  const { port = 8080, host = "localhost", ...rest } = file;
+  return { ...rest, port: env.PORT ? Number(env.PORT) : port, host: env.HOST || host };
+}`,
      }),
      sh(`PORT=1 bun -e 'import {config} from "./config.js"; console.log(config())'`),
      say("The variables come first, then the file, then the defaults."),
    ],
    grade: {
      command: `set -e; t() { bun -e 'import {config} from "./config.js"; const c = config(); process.stdout.write(c.port + " " + typeof c.port + " " + c.host)'; }
unset PORT HOST; [ "$(t)" = "3000 number example.org" ]; [ "$(PORT=99 HOST=h t)" = "99 number h" ]; rm config.json; [ "$(t)" = "8080 number localhost" ]`,
    },
  },
];
