// What takes longer than a second says so on standard error. Plain JavaScript: it is needed before
// there is anything that runs TypeScript.

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MS = 120;

/** Gives what ends it. Where nobody watches it says one line, or nothing if it is `quiet`. */
export function startProgress(text, { quiet = false } = {}) {
  if (!process.stderr.isTTY) {
    if (!quiet) process.stderr.write(`tau: ${text}…\n`);
    return () => {};
  }
  const started = Date.now();
  let tick = 0;
  const draw = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stderr.write(`\r${FRAMES[tick++ % FRAMES.length]} ${text} (${seconds}s)\x1b[K`);
  };
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return () => {
    clearInterval(timer);
    process.stderr.write("\r\x1b[K");
  };
}
