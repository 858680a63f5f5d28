// Characters that models and people write for one another: curly and straight quotes,
// kinds of dashes, kinds of spaces. One unit always folds to one unit, so that a place in
// the folded text is the same place in the text.

const FOLDS: readonly (readonly [string, RegExp])[] = [
  ["'", /[\u2018\u2019\u201A\u201B\u2032]/g],
  ['"', /[\u201C\u201D\u201E\u201F\u2033]/g],
  ["-", /[\u2010-\u2015\u2212]/g],
  [" ", /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g],
];

export function foldText(text: string): string {
  let folded = text;
  for (const [plain, variants] of FOLDS) folded = folded.replaceAll(variants, plain);
  return folded;
}
