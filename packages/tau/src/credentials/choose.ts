// A numbered list on a terminal, and which one the user means: by number, or by name.

import { CannotAsk } from "@tau/ai/oauth/oauth";
import type { TerminalDriver } from "./terminal-driver.ts";

export interface Choice {
  id: string;
  /** Shown beside its id. */
  name: string;
}

export interface ChoiceList<T extends Choice> {
  /** Shown with numbers. */
  choices: readonly T[];
  /** Too many to be shown in full: taken by name, under these words. */
  more?: { words: string; choices: readonly T[] };
}

const COLUMNS = 78;

/** Undefined for an empty answer or Ctrl-D. Asks again until the answer is one of them. */
export async function choose<T extends Choice>(
  driver: TerminalDriver,
  question: string,
  { choices, more }: ChoiceList<T>,
): Promise<T | undefined> {
  const numberWidth = String(choices.length).length;
  const idWidth = Math.max(...choices.map(({ id }) => id.length));
  for (const [index, { id, name }] of choices.entries()) {
    const number = String(index + 1).padStart(numberWidth);
    driver.say(`${number}  ${id.padEnd(idWidth)}  ${name}`.trimEnd());
  }
  if (more) {
    driver.say(more.words);
    for (const line of filled(more.choices.map(({ id }) => id))) driver.say(`    ${line}`);
  }
  const named = [...choices, ...(more?.choices ?? [])];
  for (;;) {
    const answer = await answerTo(driver, question);
    if (answer === "") return undefined;
    const chosen = choices[Number(answer) - 1] ?? named.find(({ id }) => id === answer);
    if (chosen) return chosen;
    driver.say(
      `"${answer}" is not in the list: give a number from 1 to ${choices.length}, or a name.`,
    );
  }
}

async function answerTo(driver: TerminalDriver, question: string): Promise<string> {
  try {
    return (await driver.ask(question, { secret: false })).trim();
  } catch (error) {
    if (error instanceof CannotAsk) return "";
    throw error;
  }
}

function filled(words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line}, ${word}`;
    if (longer.length + 5 > COLUMNS) {
      lines.push(`${line},`);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
