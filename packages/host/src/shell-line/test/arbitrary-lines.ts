// Command lines at random that put dangerous words where options, their values, variables and
// wrappers stand: the places where a judge with short tables is wrong.

import fc from "fast-check";

const INSIDE = ["a", "b", "src", "src/c.ts", "new", "./a", "*.ts", "/tmp/t", "/home/me/project/b"];
const OUTSIDE = [
  "~/docs",
  "~/docs/a",
  "~/.bashrc",
  "~/.bash_login",
  "$HOME/docs/a",
  '"$HOME"/docs',
  "../docs/a",
  "..",
  "/outside/o",
  "/home/me/docs/../docs/a",
  "/dev/fd/../../outside/o",
  "/proc/self/root/outside/o",
  "file:///outside/o",
  "link/a",
  ".git/hooks/pre-commit",
  ".git/config",
];
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...INSIDE) },
  fc.constantFrom(...OUTSIDE),
);
const OPTIONS =
  `-o -O -f -t -C -d -D -i -b -s -r -R -n -e -p -v -u -x -k -w -a -T -I -L -P -S -c -m --output --target-directory --directory
  --suffix --backup --in-place --exec --to-command --files-from --log-file --output-dir --no-clobber --force --recursive --remove-files
  --signal --kill-after --chdir --prefix --delete --reference --parents --one-top-level --filter --compress-program -- -rf -fr -xfC -cf -xf -sb -sf -Rf -la`.split(
    /\s+/,
  );
const PROGRAMS =
  `rm cp mv ln tee touch mkdir truncate install chmod sort uniq split tar find xargs dd sed awk git cat ls head env timeout nice
  nohup setsid stdbuf flock busybox bash sh time command exec python3 perl gzip shred rmdir csplit`.split(
    /\s+/,
  );
const VARIABLES =
  `A=1 TMPDIR=~ HOME=/outside GIT_WORK_TREE=~ GIT_DIR=.git GIT_PAGER='rm -rf ~/docs' PAGER='tee ~/.bashrc' EDITOR='rm ~/docs/a'
  LC_ALL=C TAR_OPTIONS=--remove-files PATH=/tmp:$PATH`.split(/\s+(?=[A-Z])/);
const SCRIPTS = [
  "rm -rf ~/docs",
  "echo x > ~/.bashrc",
  "echo x > new",
  "ls",
  "cp a /outside/o",
  "1p",
  "s/a/b/",
  "w /outside/o",
  "1e rm ~/docs/a",
  "s/one/rm ~\\/docs\\/a/e",
  "{print}",
  '{print > "/outside/o"}',
  'BEGIN{system("rm ~/docs/a")}',
  'BEGIN{"rm ~/docs/a" | getline}',
  '/"/{print};{print "x",\n"y" > "/outside/o"}',
  "unlink glob q(~/docs/*)",
  'import os; os.remove("/outside/o")',
  'open("/outside/o","w").write("x")',
];
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const { line } = fc.letrec<{ word: string; command: string; line: string }>((tie) => ({
  word: fc.oneof(
    { weight: 4, arbitrary: path },
    { weight: 4, arbitrary: fc.constantFrom(...OPTIONS) },
    { weight: 1, arbitrary: fc.constantFrom(...SCRIPTS).map(quote) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("--output", "--directory", "of", "-o", "--suffix"), path)
        .map(([name, value]) => `${name}=${value}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "5",
        "-5",
        "KILL",
        "{}",
        "\\;",
        "+",
        "-delete",
        "-exec",
        "-name",
        "HEAD",
        "clean",
        "checkout",
        "add",
        "config",
        "archive",
        "-fd",
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...PROGRAMS) },
  ),
  command: fc
    .tuple(
      fc.array(fc.constantFrom(...VARIABLES), { maxLength: 1 }),
      fc.constantFrom(
        ...PROGRAMS,
        "git clean",
        "git -C",
        "git config",
        "tar xf",
        "tar cf",
        "find",
        "awk",
        "sed -n",
        "bash -c",
        "ln -s",
      ),
      fc.array(tie("word"), { maxLength: 5 }),
      fc.oneof(
        { weight: 6, arbitrary: fc.constant("") },
        path.map((target) => ` > ${target}`),
        fc.constantFrom(...SCRIPTS).map((text) => ` <<< ${quote(text)}`),
      ),
    )
    .map(
      ([variables, name, words, redirect]) => [...variables, name, ...words].join(" ") + redirect,
    ),
  line: fc.oneof(
    { weight: 4, arbitrary: tie("command") },
    fc
      .tuple(tie("command"), fc.constantFrom(" | ", "; ", " && "), tie("command"))
      .map((parts) => parts.join("")),
    tie("command").map((inner) => `ln -s ~/docs link; ${inner}`),
    tie("command").map((inner) => `bash -c ${quote(inner)}`),
    tie("command").map((inner) => `cd ..; ${inner}`),
    tie("command").map((inner) => `alias ls=${quote(inner)}; ${inner}`),
  ),
}));

export const optionLines = line;
