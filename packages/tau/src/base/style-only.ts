// Text for a terminal that may hold foreign words: of all that a terminal obeys, colours and links
// alone are let through. Titles, the clipboard, the cursor and what was printed before are not for a
// model, a server or a file to change.

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** In this order: what is kept, sequences that end somewhere or never, single signs. */
const SEQUENCES =
  /(\u001b\[[\d;:]*m|\u001b\]8;;[\u0021-\u007e]*\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?|\u009b[0-?]*[ -/]*[@-~]?|[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function styleOnly(text: string): string {
  if (!CONTROL.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replace(SEQUENCES, (_whole, kept?: string) => kept ?? "");
}
