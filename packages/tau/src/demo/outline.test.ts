import { expect, test } from "bun:test";
import { languageOf, languageOfScript } from "./languages.ts";
import { outlineOf } from "./outline.ts";

function outline(path: string, text: string): ReturnType<typeof outlineOf> {
  const lines = text.split("\n").map((each, at) => ({ number: at + 1, text: each }));
  return outlineOf(lines, languageOf(path) ?? languageOfScript(lines[0]!.text));
}

test.each<[string, string, string[]]>([
  [
    "a.ts",
    "export default class A {\ninterface B {}\n  const no = 1;\nexport async function* c() {",
    ["A", "B", "c"],
  ],
  ["a.js", "const fs = require('fs');\nexports.go = 1;\nvar x = 1", ["go", "x"]],
  [
    "a.py",
    "import os\nclass A:\n  def no(self): pass\nasync def f():\nMAX: int = 3",
    ["A", "f", "MAX"],
  ],
  [
    "a.rs",
    "pub(crate) async fn go() {\npub struct P;\nimpl<T> Show for P {\nmacro_rules! m {",
    ["go", "P", "Show", "m"],
  ],
  ["a.go", "func (s *S) Go() {\ntype S struct {\nvar x = 1", ["Go", "S", "x"]],
  [
    "a.c",
    "#define MAX 3\nstatic int *go(int a)\n{\n  return f(a);\nstruct p {",
    ["MAX", "go", "p"],
  ],
  ["a.cpp", "namespace n {\nvoid A::run(int x) {\nreturn f(x)", ["n", "A::run"]],
  [
    "A.java",
    "public final class A {\n    public static void main(String[] a) {\n        return x;",
    ["A", "main"],
  ],
  ["a.sh", "go() {\nfunction run {\nexport PATH_X=1", ["go", "run", "PATH_X"]],
  ["a.md", "# One\n```\n# not\n```\n## Two", ["One", "Two"]],
  ["a.json", '{\n  "a": {\n    "no": 1\n  },\n  "b": 2\n}', ["a", "b"]],
  ["a.yaml", "on: push\njobs:\n  no: 1", ["on", "jobs"]],
  ["a.toml", 'top = 1\n[package]\nname = "x"\n[[bin]]', ["package", "bin"]],
  ["b.toml", "x = 1\ny = 2", ["x", "y"]],
  ["tool", "#!/usr/bin/env bash\ngo() {", ["go"]],
])("%s", (path, text, names) => {
  expect(outline(path, text).definitions.map((each) => each.name)).toEqual(names);
});

test.each([
  ["a.ts", "/**\n * Says it\n * all.\n */\nx", "Says it all."],
  ["a.py", '#!/usr/bin/env python3\n"""Says it all."""\nx', "Says it all."],
  ["a.sh", "#!/bin/sh\n# Says it\n# all.\nx", "Says it all."],
  ["a.md", "Title\n=====\n\nSays **it** [all](x).\n\nNo.", "Says it all."],
  ["a.ts", "const x = 1;", ""],
])("header of %s", (path, text, header) => {
  expect(outline(path, text).header).toBe(header);
});

test("imports, each once", () => {
  const text = 'import { a } from "./a.ts";\nimport {\n  b,\n} from "./b.ts";\nimport "./a.ts";';
  expect(outline("x.ts", text).imports).toEqual(["./a.ts", "./b.ts"]);
});
