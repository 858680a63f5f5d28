// The elements and texts of an XML file in their order. Enough for feeds and for the parts of
// office documents; nothing is fetched and no entity is expanded but the five of the standard
// and numbers, so that no file can grow while it is read.

export type XmlEvent =
  | { type: "open"; name: string; attributes: ReadonlyMap<string, string>; isEmpty: boolean }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ATTRIBUTE = /([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export function* xmlEvents(xml: string): Generator<XmlEvent, void, undefined> {
  for (let at = 0; at < xml.length;) {
    const open = xml.indexOf("<", at);
    if (open !== at) {
      const text = xml.slice(at, open < 0 ? xml.length : open);
      if (text !== "") yield { type: "text", text: decodeEntities(text) };
      if (open < 0) return;
      at = open;
      continue;
    }
    const skipped = markupEnd(xml, at);
    if (skipped) {
      if (skipped.text !== "") yield { type: "text", text: skipped.text };
      at = skipped.end;
      continue;
    }
    const end = tagEnd(xml, at);
    const tag = xml.slice(at + 1, end);
    at = end + 1;
    if (tag.startsWith("/")) {
      yield { type: "close", name: tag.slice(1).trim() };
      continue;
    }
    const name = /^[^\s/>]+/.exec(tag)?.[0];
    if (name === undefined) continue;
    const isEmpty = tag.endsWith("/");
    yield { type: "open", name, attributes: attributesOf(tag.slice(name.length)), isEmpty };
    if (isEmpty) yield { type: "close", name };
  }
}

/** The name without its prefix: programs differ in the prefixes they choose. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}

/** Comments, instructions and declarations end here; the text of a CDATA section is text. */
function markupEnd(xml: string, at: number): { end: number; text: string } | undefined {
  const until = (mark: string): number => {
    const found = xml.indexOf(mark, at);
    return found < 0 ? xml.length : found + mark.length;
  };
  if (xml.startsWith("<![CDATA[", at)) {
    const end = until("]]>");
    return { end, text: xml.slice(at + 9, Math.max(at + 9, end - 3)) };
  }
  if (xml.startsWith("<!--", at)) return { end: until("-->"), text: "" };
  if (xml.startsWith("<?", at)) return { end: until("?>"), text: "" };
  if (!xml.startsWith("<!", at)) return undefined;
  // A document type may have declarations of its own between brackets.
  const close = xml.indexOf(">", at);
  const bracket = xml.indexOf("[", at);
  const hasInner = bracket >= 0 && bracket < close;
  return { end: hasInner ? until("]>") : until(">"), text: "" };
}

/** A `>` inside of quotes does not end a tag. */
function tagEnd(xml: string, at: number): number {
  for (let index = at + 1; index < xml.length; index++) {
    const character = xml[index];
    if (character === ">") return index;
    if (character !== '"' && character !== "'") continue;
    const close = xml.indexOf(character, index + 1);
    if (close < 0) return xml.length;
    index = close;
  }
  return xml.length;
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
    const value = decodeEntities(double ?? single ?? "");
    attributes.set(name!, value);
    // Under its bare name too; of two with the same, the one without a prefix keeps it.
    const local = localName(name!);
    if (!attributes.has(local)) attributes.set(local, value);
  }
  return attributes;
}
