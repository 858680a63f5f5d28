// Tests that fail, are missing, or must be left alone.

import { edit, read, say, search, sh, write, type AgentTask } from "../task.ts";

export const TESTS: readonly AgentTask[] = [
  {
    name: "leave-the-other",
    kind: "test",
    prompt: "The test of slug.js fails. Fix the code, not the test.",
    files: {
      "slug.js": `export function slug(title) {
  return title.toLowerCase().replaceAll(" ", "-");
}
`,
      "slug.test.js": `import { expect, test } from "bun:test";
import { slug } from "./slug.js";

test("words and dashes", () => {
  expect(slug("Hello,  World!")).toBe("hello-world");
  expect(slug("  a b  ")).toBe("a-b");
});
`,
      "weather.test.js": `import { expect, test } from "bun:test";

// Needs the weather service, which is down.
test("weather", () => expect(globalThis.weather).toBe("sunny"));
`,
    },
    solve: [
      sh("bun test 2>&1 | tail -40"),
      read("slug.js"),
      edit({
        "slug.js": `replace 2..2:
+  return title
+    .toLowerCase()
+    .split(/[^a-z0-9]+/)
+    .filter(Boolean)
+    .join("-");`,
      }),
      sh("bun test slug"),
      say(
        "slug.test.js passes. weather.test.js fails as before, for a service that is down; I left it alone.",
      ),
    ],
    grade: {
      command: `set -e; bun test slug; grep -q 'toBe("hello-world")' slug.test.js; grep -q 'toBe("sunny")' weather.test.js; [ ! -e weather.js ]`,
      answer: /weather/i,
    },
  },
  {
    name: "order-of-keys",
    kind: "test",
    prompt:
      "summary.test.js fails on some machines. Make summary() give the same text whatever the order of the keys; names in alphabetical order.",
    files: {
      "summary.js": `export function summary(counts) {
  return Object.entries(counts)
    .map(([name, count]) => \`\${name}: \${count}\`)
    .join(", ");
}
`,
      "summary.test.js": `import { expect, test } from "bun:test";
import { summary } from "./summary.js";

test("by name", () => expect(summary({ pear: 1, apple: 2 })).toBe("apple: 2, pear: 1"));
`,
    },
    solve: [
      read("summary.js"),
      edit({ "summary.js": "insert after 2:\n+    .toSorted(([a], [b]) => (a < b ? -1 : 1))" }),
      sh("bun test summary"),
      say("Sorted by name."),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { summary } from "./summary.js";
test("sorted", () => {
  const given = { c: 1, a: 2, b: 3 };
  expect(summary(given)).toBe("a: 2, b: 3, c: 1");
  expect(Object.keys(given)).toEqual(["c", "a", "b"]);
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "what-the-test-wants",
    kind: "test",
    prompt: "duration.test.js describes a function that does not exist yet. Write it.",
    files: {
      "duration.test.js": `import { expect, test } from "bun:test";
import { duration } from "./duration.js";

test.each([
  [0, "0s"],
  [59, "59s"],
  [60, "1m"],
  [61, "1m 1s"],
  [3600, "1h"],
  [3661, "1h 1m 1s"],
  [7205, "2h 5s"],
])("%p seconds", (seconds, text) => expect(duration(seconds)).toBe(text));

test("nothing below zero", () => expect(() => duration(-1)).toThrow(RangeError));
`,
    },
    solve: [
      read("duration.test.js"),
      write(
        "duration.js",
        `export function duration(seconds) {
  if (seconds < 0) throw new RangeError("a duration is not below zero");
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ].filter(([count]) => count > 0);
  return parts.length === 0 ? "0s" : parts.map(([count, unit]) => count + unit).join(" ");
}
`,
      ),
      sh("bun test duration"),
      say("duration.js passes all of its tests."),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import { duration } from "./duration.js";
test("more", () => {
  expect(duration(86399)).toBe("23h 59m 59s");
  expect(duration(120)).toBe("2m");
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "regression-test",
    kind: "test",
    prompt:
      "max([]) in stats.js gives -Infinity; it should give undefined. Fix it, and add a test to stats.test.js that fails without the fix.",
    files: {
      "stats.js": `export function max(values) {
  return Math.max(...values);
}
`,
      "stats.test.js": `import { expect, test } from "bun:test";
import { max } from "./stats.js";

test("the largest", () => expect(max([1, 3, 2])).toBe(3));
`,
    },
    solve: [
      read("stats.js", "stats.test.js"),
      edit({
        "stats.js":
          "replace 2..2:\n+  return values.length === 0 ? undefined : Math.max(...values);",
        "stats.test.js":
          'insert tail:\n+\n+test("nothing of nothing", () => expect(max([])).toBeUndefined());',
      }),
      sh("bun test stats"),
      say("Fixed in stats.js:2, with a test."),
    ],
    grade: {
      command: `set -e; bun test stats; cp stats.js good.js
printf 'export function max(values) {\\n  return Math.max(...values);\\n}\\n' > stats.js; if bun test stats; then exit 1; fi; mv good.js stats.js`,
    },
  },
  {
    name: "usage-exit-code",
    kind: "test",
    prompt:
      './greet without a name prints a stack trace. It should print "usage: greet NAME" to standard error and end with 2.',
    files: {
      greet: `#!/usr/bin/env python3
import sys

print(f"Hello, {sys.argv[1]}!")
`,
    },
    setUp: "chmod +x greet",
    solve: [
      read("greet"),
      edit({
        greet: `insert after 3:
+if len(sys.argv) != 2:
+    print("usage: greet NAME", file=sys.stderr)
+    sys.exit(2)
+`,
      }),
      sh("./greet Ada; ./greet; echo $?"),
      say("Without a name it prints its usage and ends with 2."),
    ],
    grade: {
      command: `[ "$(./greet Ada)" = "Hello, Ada!" ] && { out=$(./greet 2>err); code=$?; [ $code = 2 ] && [ -z "$out" ] && [ "$(cat err)" = "usage: greet NAME" ]; }`,
    },
  },
  {
    name: "import-cycle",
    kind: "test",
    prompt:
      'bun test fails with "Cannot access … before initialization". Find the cycle and break it without changing what the modules export.',
    files: {
      "a.js": `import { LABEL } from "./b.js";

export const NAME = "a";
export const both = () => NAME + LABEL;
export const FULL = NAME + "/" + LABEL;
`,
      "b.js": `import { NAME } from "./a.js";

export const LABEL = "label of " + NAME;
`,
      "b.test.js": `import { expect, test } from "bun:test";
import { LABEL } from "./b.js";
import { FULL, NAME } from "./a.js";

test("labels", () => expect([LABEL, FULL, NAME]).toEqual(["label of a", "a/label of a", "a"]));
`,
    },
    solve: [
      search("import", "."),
      read("a.js", "b.js"),
      write("name.js", `export const NAME = "a";\n`),
      edit({
        "a.js": `replace 1..3:
+import { LABEL } from "./b.js";
+import { NAME } from "./name.js";
+
+export { NAME };`,
        "b.js": 'replace 1..1:\n+import { NAME } from "./name.js";',
      }),
      sh("bun test"),
      say("a.js and b.js imported each other; NAME is in name.js now, and a.js still exports it."),
    ],
    grade: {
      files: {
        "grade.test.js": `import { expect, test } from "bun:test";
import * as b from "./b.js";
import * as a from "./a.js";
test("exports", () => {
  expect(Object.keys(a).sort()).toEqual(["FULL", "NAME", "both"]);
  expect(Object.keys(b)).toEqual(["LABEL"]);
  expect(a.both()).toBe("alabel of a");
});
`,
      },
      command: "bun test",
    },
  },
  {
    name: "conflict",
    kind: "test",
    prompt:
      "rates.js has an unresolved merge conflict. Keep the new rate of theirs and the function of ours.",
    files: {
      "rates.js": `export const OLD = 0.16;
<<<<<<< ours
export const RATE = 0.16;

export function gross(net) {
  return net * (1 + RATE);
}
=======
export const RATE = 0.19;
>>>>>>> theirs
export const NAME = "VAT";
`,
    },
    solve: [
      read("rates.js:conflicts"),
      write(
        "conflict://1",
        `export const RATE = 0.19;

export function gross(net) {
  return net * (1 + RATE);
}
`,
      ),
      sh(`bun -e 'import {gross} from "./rates.js"; console.log(gross(100))'`),
      say("Resolved: their rate, our function."),
    ],
    grade: {
      command: `[ "$(bun -e 'import {gross, RATE, OLD, NAME} from "./rates.js"; console.log(gross(100), RATE, OLD, NAME)')" = "119 0.19 0.16 VAT" ] && ! grep -n '<<<<<<<\\|>>>>>>>\\|=======' rates.js`,
    },
  },
];
