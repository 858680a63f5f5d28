// The code of a cell, made ready for the judge of code, which takes each outside path in code that
// writes anything for written. Files that are plainly read are taken out, so that data from elsewhere
// can be worked on; paths that lead out of the project without looking like it are added.

import type { Language } from "./kernels.ts";

export interface CodeWorld {
  home: string;
  /** Whether a path, as it stands in code, leads out of the project or to a guarded place. */
  isFar: (path: string) => boolean;
  /** Whether nobody changes it unasked. */
  isGuarded: (path: string) => boolean;
}

export interface CellCode {
  text: string;
  /** Plainly read. */
  reads: string[];
  /** Written by the helpers of cells. */
  writes: string[];
}

const STRING = String.raw`(?:[rbuRBU]{0,2})(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')`;
const MODULES = String.raw`(?:pd|pandas|pl|polars|gpd|geopandas|xr|xarray|dd|np|numpy|pq|cv2|plt|imageio|Image|json|glob|os|os\.path|fs|fsp)\.`;
const READING = [
  // pd.read_csv("…"), np.load("…"), os.listdir("…"), fs.readFileSync("…")
  String.raw`(?<![\w.])${MODULES}(?:read_\w+|scan_\w+|load|loadtxt|genfromtxt|imread|open_dataset|glob|iglob|listdir|walk|scandir|exists|isfile|isdir|getsize|stat|readFileSync|readFile|readdirSync|readdir|existsSync|statSync)\(\s*${STRING}`,
  String.raw`(?<![\w.])Image\.open\(\s*${STRING}`,
  String.raw`(?<![\w.])(?:readFileSync|readdirSync|existsSync|statSync|loadtxt|imread)\(\s*${STRING}`,
  // The helpers of cells.
  String.raw`(?<![\w.])(?:read|tree)\(\s*${STRING}`,
  // open("…"), open("…", "rb"), open("…", encoding="utf-8")
  String.raw`(?<![\w.])open\(\s*${STRING}\s*(?=(?:,\s*(?:mode\s*=\s*)?["']r[bt]?["']\s*)?(?:,\s*(?:encoding|newline|errors)\s*=\s*["'][^"']*["']\s*)*\))`,
  String.raw`(?<![\w.])Path\(\s*${STRING}\s*(?=\)\.(?:read_text|read_bytes|exists|is_file|is_dir|glob|rglob|iterdir|stat)\()`,
].map((source) => new RegExp(source, "g"));
const HELPER_WRITES = new RegExp(String.raw`(?<![\w.])(?:write|append)\(\s*${STRING}`, "g");
/** Whoever gives these names another meaning does not plainly read with them. */
const RENAMED =
  /\b(?:def|class|function|as|import)\s+(?:open|read|tree|Path|Image|pd|np|os|fs|json|glob)\b(?!\s*(?:as|\.))|^\s*(?:open|read|tree|Path|Image|pd|np|os|fs|json|glob)\s*=|\bsetattr\b/m;
const ANY_STRING = /(["'`])((?:[^\\\n]|\\.)*?)\1/g;
/** More nobody writes; each costs a look at the disk. */
const MAX_STRINGS = 300;

export function cellCode(code: string, language: Language, world: CodeWorld): CellCode {
  const reads: string[] = [];
  let text = code;
  if (!isRenaming(code)) {
    for (const pattern of READING) {
      text = text.replace(pattern, (whole: string, double?: string, single?: string) => {
        const path = atHome(double ?? single ?? "", world);
        if (path === "" || world.isGuarded(path)) return whole;
        reads.push(path);
        return whole.replace(double ?? single ?? "", "");
      });
    }
  }
  const writes = [...code.matchAll(HELPER_WRITES)].map(([, double, single]) =>
    atHome(double ?? single ?? "", world),
  );
  const far = farPaths(text, world);
  const comment = language === "py" ? "#" : "//";
  const added = far.map((path) => `${comment} ${JSON.stringify(path)}`);
  return {
    text: [text, ...added].join("\n"),
    reads: [...new Set(reads)],
    writes: [...new Set(writes)].filter((path) => path !== ""),
  };
}

/** `import pandas as pd` is what the names are for. */
function isRenaming(code: string): boolean {
  const usual =
    /\b(?:import\s+(?:pandas|polars|numpy|matplotlib\.pyplot|geopandas|xarray)\s+as\s+\w+|import\s+(?:os|json|glob|fs)\b|from\s+(?:pathlib|PIL|glob)\s+import\s+\w+|import\s+(?:\*\s+as\s+)?fs\s+from\s+["'](?:node:)?fs(?:\/promises)?["'])/g;
  return RENAMED.test(code.replace(usual, ""));
}

/** `data/../../x`, `link/x`: paths whose beginning does not say where they lead. */
function farPaths(text: string, world: CodeWorld): string[] {
  const found = new Set<string>();
  for (const [, , literal = ""] of text.matchAll(ANY_STRING)) {
    if (found.size >= MAX_STRINGS) break;
    if (/^[\w@+-][^\s*?"'`<>|]*$/.test(literal) && !literal.includes("://")) found.add(literal);
  }
  return [...found].filter(world.isFar).map((path) => `./${path}`);
}

function atHome(path: string, { home }: CodeWorld): string {
  return path.replace(/^~(?=\/|$)/, home);
}
