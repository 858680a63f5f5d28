// How a person answers a question about a call: by what the screen shows, as soon as it shows it.

import type { TerminalSession } from "@tau/testkit/terminal";

/** One of the choices is marked: none is before they can be taken. */
const ARMED = /❯ [yesagnt] {2}(Yes|No)/;

/** Until the question takes an answer. */
export async function armed(terminal: TerminalSession, about = ""): Promise<void> {
  await terminal.waitFor((shown) => {
    const text = shown.screen().join("\n");
    return ARMED.test(text) && text.includes(about);
  });
}

/** Marks the choice with the letter and confirms it. */
export async function answer(terminal: TerminalSession, letter: string, about = ""): Promise<void> {
  await armed(terminal, about);
  terminal.send(letter);
  await terminal.waitFor((shown) => shown.screen().join("\n").includes(`❯ ${letter}  `));
  terminal.press("enter");
}
