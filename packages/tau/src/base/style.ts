// The few styles of plain output. Off where the reader is no terminal or asked for none.

export interface Style {
  dim(text: string): string;
  bold(text: string): string;
  accent(text: string): string;
  error(text: string): string;
  success(text: string): string;
}

const wrap =
  (open: string, close: string) =>
  (text: string): string =>
    `\x1b[${open}m${text}\x1b[${close}m`;

const COLOURED: Style = {
  dim: wrap("2", "22"),
  bold: wrap("1", "22"),
  accent: wrap("36", "39"),
  error: wrap("31", "39"),
  success: wrap("32", "39"),
};

const plain = (text: string): string => text;
const PLAIN: Style = { dim: plain, bold: plain, accent: plain, error: plain, success: plain };

export function styleFor(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? COLOURED : PLAIN;
}
