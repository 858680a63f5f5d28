// What an address may carry away: whoever chooses an address chooses what the other side reads in
// it. Addresses of pages are short and made of words; a key in one is neither.

const WEB = /^(?:https?:\/\/|www\.)/i;
/** Of a query: a search has a few words, a key has more signs. */
const MAX_QUERY = 80;
/** Of the rest: the longest addresses of documentation have about half of it. */
const MAX_PATH = 300;
const MAX_HOST_LABEL = 40;
const MAX_HOST = 80;
/** From here on a piece without word boundaries may be a key. */
const MIN_ENCODED = 32;
/** A commit, as addresses of repositories have it. */
const COMMIT = /^[0-9a-f]{40}$/;
const WORD = /^(?:[A-Za-z]{1,24}|\d{1,12}|v?\d+(?:\.\d+)*)$/;
const OWN_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|.+\.localhost)$/i;

/** Undefined if it is not an address on the web. */
export function webAddress(text: string): URL | undefined {
  if (!WEB.test(text)) return undefined;
  const whole = /^www\./i.test(text) ? `https://${text}` : text;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/** Nothing leaves the machine that way. */
export function isOwnMachine({ hostname }: URL): boolean {
  return OWN_MACHINE.test(hostname);
}

/** Whether there is more in it than the name of a page. */
export function carriesData({ username, password, hostname, pathname, search }: URL): boolean {
  if (username !== "" || password !== "") return true;
  if (search.length > MAX_QUERY || pathname.length > MAX_PATH || hostname.length > MAX_HOST)
    return true;
  if (hostname.split(".").some((label) => label.length > MAX_HOST_LABEL)) return true;
  return [...pathname.split("/"), ...search.slice(1).split(/[&=]/)].some(isEncoded);
}

function isEncoded(piece: string): boolean {
  if (piece.length < MIN_ENCODED || COMMIT.test(piece)) return false;
  const words = piece.split(/[-_.+,~!:;@()]|%20|%2[CF]/i).filter(Boolean);
  return words.some((word) => !WORD.test(word));
}
