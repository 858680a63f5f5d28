// `{a,b}` and `{1..3}` in unquoted text.

/** More words than this are not worth following one by one. */
const MAX_WORDS = 256;
/** Braces within braces are looked at again and again. */
const MAX_CHARACTERS = 1000;

/** Undefined where there are too many. Text without braces is given back as it is. */
export function expandBraces(text: string): string[] | undefined {
  const open = text.indexOf("{");
  if (open < 0) return [text];
  if (text.length > MAX_CHARACTERS) return undefined;
  const group = findGroup(text, open);
  if (!group) {
    const rest = expandBraces(text.slice(open + 1));
    return rest?.map((each) => text.slice(0, open + 1) + each);
  }
  const before = text.slice(0, open);
  const behind = expandBraces(text.slice(group.end + 1));
  if (!behind) return undefined;
  const words: string[] = [];
  for (const choice of group.choices) {
    const inner = group.isRange ? [choice] : expandBraces(choice);
    if (!inner) return undefined;
    for (const each of inner) for (const tail of behind) words.push(before + each + tail);
    if (words.length > MAX_WORDS) return undefined;
  }
  return words;
}

interface Group {
  choices: string[];
  isRange: boolean;
  end: number;
}

function findGroup(text: string, open: number): Group | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      choices.push(text.slice(from, at));
      from = at + 1;
    } else if (char === "}" && --depth === 0) {
      const last = text.slice(from, at);
      if (choices.length > 0) return { choices: [...choices, last], isRange: false, end: at };
      const range = expandRange(last);
      return range && { choices: range, isRange: true, end: at };
    }
  }
  return undefined;
}

function expandRange(text: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const found = numbers ?? letters;
  if (!found) return undefined;
  const code = (each: string): number => (numbers ? Number(each) : each.charCodeAt(0));
  const from = code(found[1]!);
  const to = code(found[2]!);
  const step = Math.abs(Number(found[3] ?? 1)) || 1;
  const count = Math.min(Math.floor(Math.abs(to - from) / step), MAX_WORDS);
  return Array.from({ length: count + 1 }, (_, index) => {
    const value = from + (to < from ? -1 : 1) * index * step;
    return numbers ? String(value) : String.fromCharCode(value);
  });
}
