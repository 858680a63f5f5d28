// The other side of `syntax-process.ts`: answers questions that come over the channel to the
// parent, one after the other, and ends when the parent does. An application that is one file
// gives it a hidden command of its own; from source this file is started.

import { localSyntax } from "./local-syntax.ts";
import type { Question, SyntaxQuestions } from "./syntax.ts";

export interface SyntaxMessage<Q extends Question = Question> {
  id: number;
  question: Q;
  about: SyntaxQuestions[Q]["ask"];
}

export type SyntaxReply =
  | { ready: true }
  | { id: number; value: unknown; memoryBytes: number }
  /** Something nobody foresaw; it is a bug of ours and not of the text. */
  | { id: number; bug: string };

export function serveSyntax(): void {
  const reply = (message: SyntaxReply) => process.send!(message);
  process.on("disconnect", () => process.exit(0));
  process.on("message", async ({ id, question, about }: SyntaxMessage) => {
    try {
      const answer = await localSyntax.ask(question, about);
      const value = answer.ok ? answer.value : answer;
      reply({ id, value, memoryBytes: process.memoryUsage.rss() });
    } catch (error) {
      reply({ id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  reply({ ready: true });
}

if (import.meta.main) serveSyntax();
