// Which commands are turned away to a tool, and which only look like it.

import { describe, expect, test } from "bun:test";
import { Interceptor } from "./interceptor.ts";

const ALL = ["read", "search", "find", "edit", "write", "bash"];
const defaults = new Interceptor([], () => {});
const toolFor = (command: string) => defaults.check(command, ALL)?.tool;

describe.each([
  [
    "read",
    [
      "cat a.txt",
      "head -n 20 a.ts",
      "tail a.log",
      "cat a b",
      "less a",
      "cat a | head -5",
      "cat -n a",
      "cd src && cat a",
      "cat a 2>/dev/null",
      "cat a; cat b",
      "sed -n 5p a && x".replace("sed -n 5p a && x", "nl a"),
    ],
  ],
  [
    "search",
    [
      "grep -rn foo src",
      "rg foo src",
      "grep foo a.txt",
      "rg -i 'a|b' src | head -20",
      "grep -R foo . 2>/dev/null",
    ],
  ],
  [
    "find",
    [
      "find . -name '*.ts'",
      "find src -type f",
      "fd foo",
      "rg --files src",
      "find . -name x | head",
    ],
  ],
  [
    "edit",
    [
      "sed -i 's/a/b/' f",
      "sed -i.bak s/a/b/ f",
      "perl -pi -e 's/a/b/' f",
      "awk -i inplace '{print}' f",
    ],
  ],
  [
    "write",
    ["echo hi > f", "printf 'a\\n' > f", "cat <<'EOF' > f\n$x\nEOF", "cat > f <<EOF\nplain\nEOF"],
  ],
] as const)("%s", (tool, commands) => {
  test.each(commands.map((command) => [command]))("%j", (command) => {
    expect(toolFor(command)).toBe(tool);
    const others = ALL.filter((name) => name !== tool);
    expect(defaults.check(command, others)).toBeUndefined();
  });
});

test.each([
  "git log | grep x",
  "ls | head",
  "cat",
  "cat -",
  "cat a | wc -l",
  "cat a > b",
  "cat a >> b",
  'cat "$f"',
  "cat $(ls)",
  "cat /proc/cpuinfo",
  "cat a && npm test",
  "x=$(cat a)",
  "tail -f log",
  "head -c 10 f",
  "npm test | grep fail",
  "grep -c foo f",
  "grep -q foo f && echo yes",
  "grep foo",
  "find . -name x -delete",
  "find . -mtime -1",
  "find . -name x | xargs rm",
  "find . -exec cat {} +",
  "sed 's/a/b/' f",
  "sed -n 1,5p f",
  "rg -l a | xargs sed -i s/a/b/",
  "echo hi",
  "echo $x > f",
  "echo hi > /dev/null",
  "echo hi > /tmp/x",
  "echo hi >> f",
  "cat <<EOF > f\n$(date)\nEOF",
  "cat <<EOF | sh\nls\nEOF",
  "for f in a b; do cat $f; done",
  "cat 'unclosed",
  "echo 'cat a'",
  "cat a &",
])("is left: %j", (command) => {
  expect(toolFor(command)).toBeUndefined();
});

describe("rules of the user's", () => {
  test("come first, and only while their tool is active", () => {
    const rule = { pattern: "^curl\\b", tool: "fetch", message: "Use fetch." };
    const interceptor = new Interceptor([rule], () => {});
    expect(interceptor.check("curl x", ["fetch"])).toEqual({
      tool: "fetch",
      message: "Use fetch.",
    });
    expect(interceptor.check("curl x", ALL)).toBeUndefined();
  });

  test("that are no patterns are reported once, and the others hold", () => {
    const problems: string[] = [];
    const rules = [
      { pattern: "(", tool: "read", message: "" },
      { pattern: "^x", tool: "read", message: "No x." },
    ];
    const interceptor = new Interceptor(rules, (problem) => problems.push(problem));
    expect(interceptor.check("x", ALL)?.message).toBe("No x.");
    expect(interceptor.check("y", ALL)).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("(");
  });
});
