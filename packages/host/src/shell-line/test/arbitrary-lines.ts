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

/** Commands that do harm for certain, and what is put before and between their words. */
const HARMFUL: readonly string[][] = [
  ["rm", "-rf", "~/docs"],
  ["rm", "~/docs/a"],
  ["cp", "a", "/outside/o"],
  ["cp", "-t", "~/docs", "a"],
  ["mv", "a", "/outside/o"],
  ["mv", "~/docs/a", "new"],
  ["tee", "/outside/o"],
  ["sed", "-i", "s/m/x/", "~/docs/a"],
  ["sed", "-n", "'w /outside/o'", "a"],
  ["tar", "xf", "x.tar", "-C", "~/docs"],
  ["tar", "xfC", "x.tar", "/home/me/docs"],
  ["tar", "cf", "/outside/o", "a"],
  ["git", "-C", "~", "init"],
  ["git", "archive", "-o", "/outside/o", "HEAD"],
  ["git", "diff", "--output=/outside/o"],
  ["git", "-c", "alias.x='!rm ~/docs/a'", "x"],
  ["find", "~/docs", "-delete"],
  ["find", "a", "-exec", "cp", "{}", "/outside/o", "\\;"],
  ["find", ".", "-fprint", "/outside/o"],
  ["dd", "if=a", "of=/outside/o"],
  ["sort", "-o", "/outside/o", "a"],
  ["truncate", "-s0", "/outside/o"],
  ["ln", "-sf", "a", "~/.bashrc"],
  ["ln", "-s", "a", "~/.bash_login"],
  ["split", "a", "~/docs/"],
  ["install", "a", "~/.bash_login"],
  ["install", "-D", "a", "/outside/o"],
  ["touch", "~/.bash_profile"],
  ["mkdir", "~/.ssh/x"],
  ["chmod", "000", "~/docs/a"],
  ["gzip", "~/docs/a"],
  ["shred", "/outside/o"],
  ["uniq", "a", "/outside/o"],
  ["awk", "'{print > \"/outside/o\"}'", "a"],
  ["awk", "'BEGIN{system(\"rm ~/docs/a\")}'"],
  ["bash", "-c", "'rm ~/docs/a'"],
  ["python3", "-c", '\'open("/outside/o","w")\''],
  ["perl", "-e", "'unlink \"/outside/o\"'"],
  ["perl", "-pi", "-e", "s/m/x/", "~/docs/a"],
  ["cp", "a", ".git/hooks/post-commit"],
  ["csplit", "-f", "~/docs/", "a", "1"],
];
const BEFORE = [
  "env",
  "env -i PATH=/usr/bin HOME=/home/me",
  "env -u X",
  "env -C src",
  "timeout 5",
  "timeout -s KILL 5",
  "timeout --signal KILL 5",
  "timeout --kill-after 1 5",
  "nice",
  "nice -n 5",
  "nice --adjustment 5",
  "nohup",
  "setsid",
  "setsid -w",
  "setsid --wait",
  "stdbuf -o0",
  "stdbuf --output L",
  "flock f",
  "flock -n f",
  "command",
  "exec",
  "time",
  "ionice -c3",
  "chrt -i 0",
  "taskset 1",
  "xargs",
  "xargs -n 1",
  "xargs --max-args 1",
  'bash -c "$*" --',
  "sh -c '\"$@\"' x",
  "find a -exec",
  "git bisect run",
  "git -c core.pager=cat",
  "ls;",
  "true &&",
  "false ||",
  "!",
  "A=1",
  "LC_ALL=C",
  "prlimit --nofile=99",
  "setarch -R",
  "unshare -r",
  "script -qc",
  "watch -x",
  "parallel",
  "strace -o t",
  "busybox",
  "builtin command",
  "eval",
];

const twisted = fc
  .tuple(
    fc.array(fc.constantFrom(...BEFORE), { maxLength: 2 }),
    fc.constantFrom(...HARMFUL),
    fc.array(fc.tuple(fc.nat(8), fc.constantFrom(...OPTIONS, ...INSIDE)), { maxLength: 2 }),
    fc.constantFrom("", "", "", " < a", " 2>/dev/null", " | cat", " &", " > new", " <<< x"),
  )
  .map(([before, base, extra, after]) => {
    const words = [...base];
    for (const [at, word] of extra) words.splice(1 + (at % words.length), 0, word);
    return [...before, words.join(" ") + after].join(" ");
  });

/** Half of them soup, half of them harmful but for what the twist makes of them. */
export const optionLines = fc.oneof(line, twisted);
