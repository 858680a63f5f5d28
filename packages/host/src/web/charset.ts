// Turns the bytes of a page into text: by its byte order mark, by what the server says, by what
// the page says, and else as UTF-8, or as what browsers take instead where it is not.

/** Browsers look for a declaration within the first kilobyte; some pages need a bit more. */
const DECLARATION_BYTES = 4096;

export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? declaredIn(bytes);
  if (label !== undefined) {
    try {
      // Any label is tried; those that are no encoding are refused below.
      return new TextDecoder(label as Bun.Encoding).decode(bytes);
    } catch (error) {
      // A name that nobody knows says nothing.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // A page that was cut may end within a character: then all the others are sound.
    const text = new TextDecoder().decode(bytes);
    const sound = text.replace(/\ufffd+$/, "");
    const isCut = !sound.includes("\ufffd") && /[^\u0000-\u007f]/.test(sound);
    return isCut ? text : new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Whether the bytes are no text in any encoding that pages use. */
export function isBinary(bytes: Uint8Array): boolean {
  if (markOf(bytes) !== undefined) return false;
  return bytes.subarray(0, DECLARATION_BYTES).includes(0);
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1];
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARATION_BYTES));
  const meta = /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(head)?.[1];
  const label = meta ?? /^\s*<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i.exec(head)?.[1];
  // It could not be read here if it were UTF-16.
  return label !== undefined && /^utf-16/i.test(label) ? "utf-8" : label;
}
