// How a file is written down, as opposed to what is in it: its byte order mark and its line ends. A
// model writes LF and means the text; a file from Windows stays one, as it does when it is edited.

const MARK = "\uFEFF";

export interface KeptForm {
  text: string;
  /** What was kept, for the model. */
  notes: string[];
}

/**
 * The new text in the form of the old one: with its mark, and with CRLF if all its lines have that.
 * A text that has a CR itself says what it wants; mixed line ends are nothing to keep.
 */
export function inFormOf(before: string, content: string): KeptForm {
  const kept: string[] = [];
  let text = content;
  if (hasOnlyCrlf(before) && text.includes("\n") && !text.includes("\r")) {
    text = text.replaceAll("\n", "\r\n");
    kept.push("CRLF line ends");
  }
  if (before.startsWith(MARK) && text !== "" && !text.startsWith(MARK)) {
    text = MARK + text;
    kept.push("byte order mark");
  }
  const notes = kept.length === 0 ? [] : [`[kept the file's ${kept.join(" and its ")}]`];
  return { text, notes };
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}
