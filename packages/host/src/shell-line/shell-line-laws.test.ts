// The laws of reading command lines, held against bash itself: nothing crashes or hangs, and what
// bash refuses is never taken for something harmless.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classifyShellLine } from "./classify-shell-line.ts";
import { parseShellLine } from "./parse-shell-line.ts";
import type { ShellContext } from "./shell-context.ts";

const CONTEXT: ShellContext = {
  cwd: "/work/p",
  home: "/home/me",
  workspace: "/work/p",
  temporary: ["/tmp"],
};

const TOKENS =
  `ls cat rm echo -x a b 'q q' "d $x" $x \${x} \${x:-a} \${x%.*} $( \` ) ( (( )) $(( { } [[ ]] [ ] if then else
elif fi for in do done while until case esac function select time ! | || && & |& ; ;; ;& > < >> << <<< <<E E 2>&1
&> <( >( # \\ = a= a=( a[0]= x=1 -eq == =~ * {a,b} ~ $'a\\n' f() 1 2 $ $1 $@ ' " -f declare export coproc x)`
    .split(/\s+/)
    .concat([
      " ",
      "\t",
      "\n",
      "\nE\n",
      "#c\n",
      "\\\n",
      "\u00a0",
      "\r",
      "f () ",
      '$"a"',
      "; fi",
      "; done",
      "; }",
    ]);

const { list } = fc.letrec<{ command: string; list: string }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      "ls",
      "echo a",
      "a=1",
      "[ a ]",
      "echo 'x y'",
      "x=$(ls) y",
      "echo ${x:-$(ls)}",
      "cat <<E\nhi $(ls)\nE\n",
      "cat <(ls)",
      "[[ a == b ]]",
      "((1+2))",
      "ls 2>&1 >f",
    ),
    tie("list").map((inner) => `( ${inner})`),
    tie("list").map((inner) => `{ ${inner}; }`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `if ${a}; then ${b}; fi`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `while ${a}; do ${b}; done`),
    tie("list").map((inner) => `for i in a b; do ${inner}; done`),
    tie("list").map((inner) => `case a in b) ${inner};; *) ls ;; esac`),
    tie("list").map((inner) => `f() { ${inner}; }`),
    tie("list").map((inner) => `echo "$( ${inner})"`),
  ),
  list: fc
    .array(fc.tuple(tie("command"), fc.constantFrom(" | ", " && ", "; ", "\n", " & ", " || ")), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) =>
      parts.map(([text, join], i) => (i === parts.length - 1 ? text : text + join)).join(""),
    ),
}));

const soup = fc
  .array(fc.tuple(fc.constantFrom(...TOKENS), fc.constantFrom(" ", " ", "")), { maxLength: 12 })
  .map((parts) => parts.flat().join(""));
/** A well-formed line with something cut out of it or put into it. */
const damaged = fc
  .tuple(list, fc.nat(), fc.constantFrom(...TOKENS, ""), fc.nat(3))
  .map(([text, at, token, cut]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + token + text.slice(from + cut);
  });
const lines = fc.oneof(soup, damaged, list, fc.string({ maxLength: 40, unit: "binary" }));

function isUnderstood(line: string): boolean {
  return parseShellLine(line).body.items.every(({ command }) => command.type !== "unknown");
}

async function bashAccepts(line: string): Promise<boolean> {
  const child = Bun.spawn(["bash", "-n", "-c", "--", line], { stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0;
}

test("what bash refuses is not understood and never harmless", async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (line) => {
      // No command line can carry a zero byte; it is unknown by another rule.
      if (line.includes("\0") || (await bashAccepts(line))) return;
      expect(isUnderstood(line)).toBe(false);
      expect(["unknown", "guarded"]).toContain(classifyShellLine(line, CONTEXT).class);
    }),
    { numRuns: 1500 },
  );
}, 120_000);

test("well-formed lines are understood", async () => {
  await fc.assert(
    fc.asyncProperty(list, async (line) => {
      if (await bashAccepts(line)) expect(isUnderstood(line)).toBe(true);
    }),
    { numRuns: 300 },
  );
}, 120_000);

test("a line that is not understood is unknown, whatever stands in it", () => {
  fc.assert(
    fc.property(lines, (line) => {
      const { class: found } = classifyShellLine(line, CONTEXT);
      if (!isUnderstood(line)) expect(["unknown", "guarded"]).toContain(found);
    }),
    { numRuns: 3000 },
  );
});

test("a line is no better than any of its parts", () => {
  const order = ["read-only", "writes-inside", "other", "unknown", "guarded"];
  const parts = fc.constantFrom("ls", "echo a > b", "npm test", "$x", "rm -rf /etc", "cat a | wc");
  const wrap = fc.constantFrom(
    (text: string) => text,
    (text: string) => `(${text})`,
    (text: string) => `{ ${text}; }`,
    (text: string) => `if ${text}; then ${text}; fi`,
    (text: string) => `while ${text}; do ${text}; done`,
    (text: string) => `echo "$(${text})"`,
    (text: string) => `for i in 1 2; do ${text}; done`,
    (text: string) => `cat <(${text})`,
    (text: string) => `echo \`${text}\``,
    (text: string) => `bash -c '${text}'`,
    (text: string) => `eval '${text}'`,
    (text: string) => `cat <<E\n$(${text})\nE`,
  );
  const rank = (text: string): number => order.indexOf(classifyShellLine(text, CONTEXT).class);
  fc.assert(
    fc.property(
      parts,
      parts,
      wrap,
      fc.constantFrom("; ", " && ", " || ", "\n", " | "),
      (a, b, inner, join) => {
        const whole = rank(`${inner(a)}${inner(a).includes("<<") ? "\n" : join}${b}`);
        expect(whole).toBeGreaterThanOrEqual(Math.max(rank(a), rank(b)));
      },
    ),
    { numRuns: 500 },
  );
});

describe("a line made to be slow or deep", () => {
  const MEGABYTE = 1024 * 1024;
  const fill = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));
  /** Very generous: without bounds these take minutes, or end in a full stack. */
  const LIMIT_MS = 15_000;
  test.each([
    ["words", fill("a ")],
    ["commands", fill("ls;")],
    ["assignments", fill("a=1;b=$a;")],
    ["parentheses", fill("(")],
    ["arithmetic", fill("((")],
    ["arithmetic and quotes", fill("(( # '\n")],
    ["substitutions", fill("$(")],
    ["double quotes and substitutions", fill('"$(')],
    ["backquotes", fill("`")],
    ["escaped backquotes", `\`${fill("\\`")}\``],
    ["braces", fill("{")],
    ["brace expansion", fill("{a,b}")],
    ["braced values", fill("${x:-")],
    ["pipes", fill("ls|")],
    ["here documents", fill("cat <<E\n")],
    ["one here document", `cat <<E\n${fill("x\n")}E\n`],
    ["functions", fill("f(){ f;};f;")],
    ["loops", fill("for i in a b c d e f g h;do ")],
    ["loops that close", `${"for i in a b c d e f g h;do ".repeat(20)}ls${";done".repeat(20)}`],
    ["wrappers", `${fill("env ")}ls`],
    ["shells in shells", "bash -c ".repeat(1000)],
    ["eval", fill("eval ")],
    ["if", fill("if ls;then ")],
    ["case", fill("case a in a) ")],
    ["negations", fill("! ")],
    ["conditions", `[[ ${fill("( ")}`],
    ["comments", fill("# x\n")],
    ["continuations", fill("\\\n")],
    ["quotes", fill("''")],
    ["globs", `rm ${fill("*")}`],
    ["sed scripts", `sed '${fill("s/a/b/;")}'`],
    ["awk programs", `awk '${fill("/x ")}'`],
  ])(
    "%s",
    (_name, line) => {
      const from = performance.now();
      expect(classifyShellLine(line, CONTEXT).class).toBeString();
      expect(performance.now() - from).toBeLessThan(LIMIT_MS);
    },
    60_000,
  );
});
