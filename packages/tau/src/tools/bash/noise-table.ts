// Which programs say much that matters to nobody, and how those lines look. Only lines that are
// known to be noise are here: everything else is kept.

import type { ProgramUse } from "@tau/host/shell-line/programs-of-line";

export interface NoiseRow {
  runs: (use: ProgramUse) => boolean;
  noise: readonly RegExp[];
}

const named =
  (names: RegExp, args?: RegExp) =>
  ({ name, args: given }: ProgramUse): boolean =>
    names.test(name) && (args === undefined || args.test(given.map((arg) => arg ?? "").join(" ")));

const PASSED_TEST = [/^\s*(?:✓|✔|√|\(pass\))\s/u, /^\s*PASS\s+\S+/, /^\s*(?:RUNS|RUN)\s+\S+/];

/** `npm test` may run any of them. */
const ANY_TEST = named(
  /^(?:npm|pnpm|yarn|bun|npx|bunx)$/,
  /^(?:run |exec |x )?(?:t|test|jest|vitest)\b/,
);

export const NOISE_TABLE: readonly NoiseRow[] = [
  {
    runs: named(/^(?:npm|pnpm|yarn|bun)$/, /^(?:$|i\b|install\b|ci\b|add\b|update\b|up\b)/),
    noise: [
      /^npm (?:http|timing|sill|verb|info|notice)\b/,
      /^\s*(?:Progress|Packages): /,
      /^\s*(?:Resolving|Downloading|Downloaded|Fetching|Extracting|Linking|Saving lockfile)\b/i,
      /^\[\d\/\d\] /,
      /^➤ YN0000/u,
      /^\s*(?:[├└│]─?─?|\+|-) ?@?[\w./-]+@[\d^~*]/u,
      /^[+-]+$/,
      /^[⠁-⣿] /u,
    ],
  },
  {
    runs: named(/^cargo$/),
    noise: [
      /^\s*(?:Compiling|Downloading|Downloaded|Checking|Fresh|Updating|Blocking|Locking|Adding|Dirty|Unpacking)\s/,
      /^\s*Building \[/,
      /^test .* \.\.\. (?:ok|ignored)$/,
      /^\s*(?:Running|Doc-tests)\s/,
    ],
  },
  {
    runs: named(/^go$/),
    noise: [
      /^\s*=== (?:RUN|PAUSE|CONT|NAME)\b/,
      /^\s*--- (?:PASS|SKIP)\b/,
      /^\?\s+\S+\s+\[no test files\]/,
      /^go: (?:downloading|finding|extracting) /,
    ],
  },
  {
    runs: (use) =>
      named(/^(?:pytest|py\.test)$/)(use) ||
      named(/^python[\d.]*$/, /^-m pytest\b/)(use) ||
      named(/^(?:uv|poetry|pipenv)$/, /^run .*pytest\b/)(use),
    noise: [
      /^\S+ [.sx]+\s*\[\s*\d+%\]$/,
      /^\S+::\S.* (?:PASSED|SKIPPED|XFAIL)\b/,
      /^(?:platform|rootdir|plugins|cachedir|configfile|testpaths|asyncio): ?/,
      /^platform \S+ -- /,
    ],
  },
  { runs: named(/^(?:jest|vitest)$/), noise: PASSED_TEST },
  { runs: ANY_TEST, noise: PASSED_TEST },
  {
    runs: named(/^(?:make|gmake|ninja|cmake|gcc|g\+\+|clang|clang\+\+|configure)$/),
    noise: [
      /^\s*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ar|ranlib|ld|libtool|\/bin\/sh \.\/libtool)\s/,
      /^\s*(?:CC|CXX|LD|AR|AS|GEN|LINK|INSTALL|HOSTCC|CCLD)\s+\S+/,
      /^\[\s*\d+(?:%|\/\d+)\] /,
      /^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory/,
      /^checking (?:for|whether|how|if|the) .*\.\.\. /,
      /^config\.status: creating /,
      /^-- (?:Looking for|Performing Test|Check for|Detecting|Checking)/,
    ],
  },
  {
    runs: (use) =>
      named(/^pip[\d.]*$/, /^(?:install|download|wheel)\b/)(use) ||
      named(/^python[\d.]*$/, /^-m pip install\b/)(use) ||
      named(/^uv$/, /^(?:pip install|sync|add)\b/)(use),
    noise: [
      /^\s*(?:Collecting|Downloading|Obtaining|Using cached|Requirement already satisfied|Preparing metadata|Building wheels? for|Created wheel|Stored in directory|Getting requirements|Installing (?:build|backend|collected)|Attempting uninstall|Found existing|Uninstalling)\b/,
      /^\s*[━╸╺ ]+\s*[\d.]+/u,
      /^ \+ [\w.-]+==/,
    ],
  },
  {
    runs: named(/^(?:docker|podman|docker-compose|buildx)$/, /\b(?:build|pull|up|buildx)\b/),
    noise: [
      /^#\d+ (?:DONE|CACHED|sha256:|extracting|transferring|resolve|\.\.\.$)/,
      /^ ?=> (?:=> )?(?:sha256|extracting|transferring|CACHED|resolve)/,
      /^ ---> [0-9a-f]+$/,
      /^\s*---> Running in /,
      /^Removing intermediate container /,
      /^[0-9a-f]{12}: (?:Pulling|Waiting|Downloading|Verifying|Download complete|Extracting|Pull complete|Already exists)/,
    ],
  },
  {
    runs: named(/^git$/, /\b(?:clone|fetch|pull|push|submodule|lfs|gc|checkout)\b/),
    noise: [
      /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Filtering|Updating|Checking out|Finding|Delta) [\w ]*:\s+\d+%?(?!.*done)/,
      /^(?:remote: )?Total \d+ \(delta/,
    ],
  },
];
