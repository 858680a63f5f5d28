// Looks around the working directory: lists it, asks git, reads the README and the
// manifest, and says what it saw.

import { firstParagraph } from "../outline.ts";
import { findPath } from "../paths.ts";
import { failed, inspect, type Intent, type Plan, readDirectory, readFile } from "../plan.ts";
import { parseFileText, parseListing } from "../tool-text.ts";
import { describeProject } from "./project-description.ts";
import { manifestIn, readManifest, readmeIn } from "./project-files.ts";
import { FACTS_COMMAND, parseFacts } from "./project-facts.ts";

/** The introduction stands at the top; the rest of a README is not shown. */
const README_LINES = 80;
const MANIFEST_LINES = 200;

const PROJECT =
  "(?:repo(?:sitory)?|project|code ?base|code|director(?:y|ies)|folder|workspace|package|app(?:lication)?|files?|source(?: code)?)";
const HERE = `(?:(?:this|the|my|our|these|all(?: the)?|current|here)\\s+)*${PROJECT}`;

/** Each row is one way to ask. */
const WISHES: readonly RegExp[] = [
  "^(?:have a |take a )?(?:look|see|show me) around(?: here| a bit)?$",
  `^(?:look|have a look|take a look) (?:at|around|over|through|in) ${HERE}$`,
  `^what(?:'s| is| are|s)? (?:in )?(?:${HERE}|this|here|in here|there)(?: (?:about|all about|for|here))?$`,
  `^what does ${HERE} do$`,
  `^(?:explain|describe|summari[sz]e|explore|inspect|scan|analy[sz]e|understand|introduce|outline|tell me about|walk me through)(?: (?:to )?me)?(?: to me)? ${HERE}(?: to me)?$`,
  `^(?:(?:show|give)(?: me)? )?(?:an? |the )?(?:quick |short )?(?:overview|summary|tour|layout|structure|tree)(?: (?:of|over|about) ${HERE})?$`,
  `^(?:list|show|ls)(?: me)?(?: ${HERE})?(?: (?:in|of) ${HERE}| here)?$`,
  `^(?:what|which) files (?:are|do you see|can you see)(?: there| here| in ${HERE})?$`,
  "^where am i$",
].map((source) => new RegExp(source, "i"));

export const lookAround: Intent = {
  title: "look around",
  example: "look around",
  hint: /\b(?:look|repo(?:sitory)?|project|codebase|files)\b/i,
  match({ sentence, attached }) {
    if (attached.length > 0 || findPath(sentence) !== undefined) return undefined;
    return WISHES.some((wish) => wish.test(sentence)) ? look() : undefined;
  },
};

function* look(): Plan {
  const listing = yield readDirectory(".", {
    say: "I will list this directory and read what introduces it.",
  });
  if (!listing.ok) {
    return failed(listing, {
      tool: "read",
      doing: "list this directory",
      next: "Check that it exists and that you may read it.",
    });
  }
  // Without bash, or where the command fails, the listing alone still makes an answer.
  const facts = yield inspect(FACTS_COMMAND);
  const known = parseFacts(facts.ok ? facts.text : "");
  const listed = parseListing(listing.text);
  const names = listed.map((entry) => entry.name);

  const readmeName = readmeIn(names);
  const readme = readmeName && (yield readFile(readmeName, { lines: README_LINES }));
  const introduction = readme && readme.ok ? parseFileText(readme.text).lines : [];

  const manifestName = manifestIn(names);
  const manifest = manifestName && (yield readFile(manifestName, { lines: MANIFEST_LINES }));

  const lines = introduction.map((line) => line.text);
  return describeProject({
    listed,
    facts: known,
    readmeName,
    heading: headingIn(lines),
    paragraph: firstParagraph(lines),
    manifestName,
    manifest:
      manifestName && manifest && manifest.ok
        ? readManifest(manifestName, parseFileText(manifest.text).lines)
        : {},
  });
}

/** `# Name`, or a first line underlined with `===`. */
function headingIn(lines: readonly string[]): string | undefined {
  const underline = lines.findIndex((line) => /^={3,}\s*$/.test(line));
  const heading = lines.find((line) => /^#\s+\S/.test(line)) ?? lines[underline - 1];
  return heading?.replace(/^#\s+|[*_`]|\s+#*$/g, "").trim() || undefined;
}
