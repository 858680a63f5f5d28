// Code in the colours of a theme, in a few languages that are unlike each other.

import { breakSpans } from "@tau/tui/components/spans";
import { checkedSpans } from "@tau/tui/markdown/code-highlighter";
import type { GalleryItem, GallerySection } from "./gallery-section.ts";

const SAMPLES: Readonly<Record<string, string>> = {
  typescript: `import { join } from "node:path";
/** What it is. */
export async function load<T>(path: string): Promise<T | undefined> {
  const found = await stat(join(root, path)); // may be gone
  return found?.size > 1024 * 0x10 ? undefined : parse<T>(\`\${path}!\`);
}`,
  python: `@dataclass
class Point:
    """A place."""
    x: float = 0.0

    def norm(self) -> float:
        return (self.x ** 2) ** 0.5  # root`,
  shell: `#!/bin/sh
set -eu
for file in "$@"; do
  grep -n 'TODO' "$file" | head -5 || echo "none in \${file%.*}"
done`,
  rust: `/// What it is.
pub fn parse<'a>(text: &'a str) -> Result<Vec<u8>, Error> {
    let n: usize = 42;
    match text { "" => Err(Error::Empty), _ => Ok(vec![0; n]) }
}`,
  yaml: `name: build # on every push
on: [push]
jobs:
  test: { runs-on: ubuntu-latest, timeout-minutes: 10 }`,
  json: `{ "name": "tau", "private": true, "sizes": [1, 2.5e3, null] }`,
  sql: `SELECT name, count(*) FROM users WHERE age >= 18 GROUP BY name; -- grown up`,
  html: `<a href="/x" class='y'>text &amp; more</a> <!-- note -->`,
  diff: `--- a/x
+++ b/x
@@ -1 +1 @@
-old
+new`,
};

export const CODE_SAMPLE_LANGUAGES: readonly string[] = Object.keys(SAMPLES);

export const codeSection: GallerySection = {
  name: "code",
  about: "code in several languages",
  items: Object.entries(SAMPLES).map(([name, code]): GalleryItem => ({
    name,
    rows({ highlighter, columns }) {
      const line = highlighter.start(name);
      return code
        .split("\n")
        .flatMap((text) => breakSpans(line ? checkedSpans(text, line) : [{ text }], columns));
    },
  })),
};
