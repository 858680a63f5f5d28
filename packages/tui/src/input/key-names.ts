// What terminals call their keys: the tables by which sequences become names. One row a key.

/** The last letter of `CSI … X` and `SS3 X`. */
export const LETTER_KEYS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

/** The number of `CSI number ~`. */
export const TILDE_KEYS: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
  29: "menu",
};

/** The number of `CSI number u` where it is not the character itself. */
export const CODE_KEYS: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
  57427: "clear",
  57363: "menu",
};

/** Keys of the number block that type something. */
export const KEYPAD_TEXT: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [57399 + digit, String(digit)])),
  57409: ".",
  57410: "/",
  57411: "*",
  57412: "-",
  57413: "+",
  57415: "=",
  57416: ",",
};

/** F13 to F35. */
export const FIRST_HIGH_FUNCTION_KEY = 57376;
export const LAST_HIGH_FUNCTION_KEY = 57398;

/** Kitty's codes for keys without a character; those without a name here are modifiers. */
export const FIRST_FUNCTIONAL_CODE = 57344;
export const LAST_FUNCTIONAL_CODE = 63743;

/** The number block in application mode: `SS3 x`. */
export const KEYPAD_LETTERS: Readonly<Record<string, string>> = {
  M: "enter",
  j: "*",
  k: "+",
  l: ",",
  m: "-",
  n: ".",
  o: "/",
  p: "0",
  q: "1",
  r: "2",
  s: "3",
  t: "4",
  u: "5",
  v: "6",
  w: "7",
  x: "8",
  y: "9",
};
