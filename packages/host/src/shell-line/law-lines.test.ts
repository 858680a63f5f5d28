// The laws of the judge: what no table knows asks, what is given outside paths asks, what is lost
// elsewhere asks, the project's own life asks; and work of every kind does not.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classifyShellLine } from "./classify-shell-line.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";
import { LAW_HOSTILE_LINES } from "./fixtures/law-hostile-lines.ts";
import { LAW_ORDINARY_LINES } from "./fixtures/law-ordinary-lines.ts";
import { LOADING_HOSTILE_LINES, LOADING_ORDINARY_LINES } from "./fixtures/loading-lines.ts";
import { FAMILIAR_PROGRAMS } from "./programs/familiar-programs.ts";
import { PROGRAMS } from "./programs/program-table.ts";
import type { ShellContext } from "./shell-context.ts";

const judge = (line: string, more: Partial<ShellContext> = {}) =>
  classifyShellLine(line, { ...JUDGED_CONTEXT, ...more });
const isAsked = (line: string, more: Partial<ShellContext> = {}) =>
  ["guarded", "unknown"].includes(judge(line, more).class);
const rate = (part: number, whole: number) =>
  `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;

describe("lines that hurt", () => {
  test.each(Object.entries({ ...LAW_HOSTILE_LINES, ...LOADING_HOSTILE_LINES }))(
    "%s ask",
    (_law, lines) => {
      expect(lines.length).toBeGreaterThanOrEqual(20);
      expect(lines.filter((line) => !isAsked(line))).toEqual([]);
    },
  );
});

test("work of every kind is hardly ever asked about", () => {
  const MOST = 0.01;
  const asked = LAW_ORDINARY_LINES.filter((line) => isAsked(line));
  console.log(
    `ordinary lines of the laws asked about: ${rate(asked.length, LAW_ORDINARY_LINES.length)}`,
  );
  expect(asked.length / LAW_ORDINARY_LINES.length).toBeLessThanOrEqual(MOST);
});

test("variables, files, settings and stores of every day do not ask", () => {
  expect(LOADING_ORDINARY_LINES.filter((line) => isAsked(line))).toEqual([]);
});

describe("variables by which programs load code", () => {
  const names = fc.constantFrom(
    "LD_PRELOAD",
    "PYTHONPATH",
    "NODE_PATH",
    "RUBYLIB",
    "PHPRC",
    "MAKEFILES",
  );
  // The name of a program is another matter: `./rm` in a variable may be meant to run.
  const file = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => !PROGRAMS.has(word));

  test("ask outside the project, also in a temporary directory, however they are set", () => {
    fc.assert(
      fc.property(names, file, (name, path) => {
        for (const place of ["/tmp", "/home/me/other", "~", "../x"])
          for (const line of [
            `${name}=${place}/${path} ls`,
            `export ${name}=${place}/${path}; ls`,
            `env ${name}=${place}/${path} ls`,
          ])
            expect({ line, isAsked: isAsked(line) }).toEqual({ line, isAsked: true });
      }),
    );
  });

  test("do not ask in the project, but are never only reading", () => {
    fc.assert(
      fc.property(names, file, (name, path) => {
        expect(judge(`${name}=./${path} ls --version`).class).toBe("other");
        expect(judge(`${name}=/home/me/project/${path} ls`).class).toBe("other");
      }),
    );
  });
});

test("a flag for help beside anything else counts for nothing", () => {
  const lines = [
    "bash -c 'rm -rf ~/docs'",
    "terraform destroy -auto-approve",
    "kubectl delete ns x",
  ];
  fc.assert(
    fc.property(fc.constantFrom(...lines), fc.constantFrom("--help", "--version"), (line, flag) => {
      expect(isAsked(line)).toBe(true);
      expect(isAsked(`${line} ${flag}`)).toBe(true);
      expect(isAsked(line.replace(" ", ` ${flag} `))).toBe(true);
    }),
  );
});

describe("programs that no table knows", () => {
  const isKnown = (word: string): boolean =>
    PROGRAMS.has(word) || PROGRAMS.has(word.replace(/-?\d+$/, "")) || word.startsWith("g");
  const words = fc.stringMatching(/^[a-z][a-z0-9-]{2,12}$/).filter((word) => !isKnown(word));

  test("ask, and are named", () => {
    fc.assert(
      fc.property(words, words, (name, argument) => {
        const { class: found, reasons } = judge(`${name} ${argument}`);
        expect(found === "unknown" || found === "guarded").toBe(true);
        expect(reasons).toContain(`it is not known what ${name} does`);
      }),
    );
  });

  test("do not ask if they are files of the project", () => {
    fc.assert(
      fc.property(words, (name) => {
        for (const path of [`./${name}`, `bin/${name}`, `/home/me/project/${name}`, `/tmp/${name}`])
          expect({ path, class: judge(`${path} x`).class }).toEqual({ path, class: "other" });
        for (const path of [`../${name}`, `~/${name}`, `/srv/${name}`])
          expect({ path, class: judge(`${path} x`).class }).toEqual({ path, class: "unknown" });
      }),
    );
  });

  test("there are many hundreds that are familiar", () => {
    expect(FAMILIAR_PROGRAMS.size).toBeGreaterThan(1200);
  });

  test("a package that is installed in the project is the project's", () => {
    expect(isAsked("npx frobnicate")).toBe(true);
    const exists = (path: string) => path === "/home/me/project/node_modules/.bin/frobnicate";
    expect(isAsked("npx frobnicate", { exists })).toBe(false);
    expect(isAsked("npx other", { exists })).toBe(true);
  });

  test("names of the user's own shell are judged by what they stand for", () => {
    const definitions = new Map([
      ["gst", { kind: "alias", text: "git status" } as const],
      ["nuke", { kind: "alias", text: "rm -rf" } as const],
      [
        "mkcd",
        { kind: "function", text: 'mkcd () \n{ \n    mkdir -p "$1" && cd "$1"\n}' } as const,
      ],
      ["wipe-docs", { kind: "function", text: "wipe-docs () \n{ \n    rm -rf ~/docs\n}" } as const],
      ["odd", { kind: "alias", text: "frobnicate" } as const],
    ]);
    expect(isAsked("gst", { definitions })).toBe(false);
    expect(isAsked("nuke build", { definitions })).toBe(false);
    expect(judge("nuke ~/docs", { definitions }).reasons).toEqual(["deletes /home/me/docs"]);
    expect(isAsked("mkcd build && rm -rf x", { definitions })).toBe(false);
    expect(judge("wipe-docs", { definitions }).reasons).toEqual(["deletes /home/me/docs"]);
    expect(judge("odd", { definitions }).reasons).toEqual(["it is not known what frobnicate does"]);
  });
});

describe("outside paths", () => {
  const outside = fc.constantFrom("~/docs", "/home/me/docs", "../docs", "/srv/x/y");
  const spellings = [
    (path: string) => `--out-put=${path}`,
    (path: string) => `--where ${path}`,
    (path: string) => `-o ${path}`,
    (path: string) => `-C${path}`,
    (path: string) => path,
  ];

  test("given to a program that works on files ask in every spelling", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("tox", "webpack", "rollup", "hugo", "latexmk", "ninja", "rspec", "dune"),
        outside,
        fc.constantFrom(...spellings),
        (name, path, spelled) => {
          expect(isAsked(`${name} ${spelled(path)}`)).toBe(true);
          expect(isAsked(`${name} ${spelled("docs/x")}`)).toBe(false);
          expect(isAsked(`${name} ${spelled("/tmp/x")}`)).toBe(false);
        },
      ),
    );
  });

  test("that are only read do not", () => {
    for (const line of [
      "mypy ../lib",
      "shellcheck ~/x.sh",
      "flake8 --config ~/setup.cfg .",
      "ldd /opt/x/y",
    ])
      expect({ line, asked: isAsked(line) }).toEqual({ line, asked: false });
    for (const line of ["mypy --junit-xml ~/x .", "markdownlint --fix ~/x.md"])
      expect({ line, asked: isAsked(line) }).toEqual({ line, asked: true });
  });
});

describe("a link or a copy of a program", () => {
  test.each([
    ["ln -s /bin/rm ls && ./ls -rf ~/docs"],
    ["ln /bin/rm x; ./x -rf ~/docs"],
    ["cp /usr/bin/rm tidy && ./tidy -rf ~/docs"],
    ["mkdir -p bin && cp /bin/rm bin && bin/rm -rf ~/docs"],
    ["ln -s $(which rm) x && ./x -rf ~/docs"],
    ["ln -s /bin/rm ls; PATH=.:$PATH ls -rf ~/docs"],
  ])("%j is that program", (line) => {
    expect(judge(line).reasons).toContain("deletes /home/me/docs");
  });
});
