// Stops what runs. What the user had sent and still waited comes back, before the run ends, so that
// nothing takes it up again.

import { textOf } from "@tau/ai/message";
import type { Session } from "../../session/session.ts";

/** The words that come back. */
export function stopRun(session: Session, failed: (error: unknown) => void): string {
  const own = session.mailbox.queued().filter(({ sender }) => sender === "user");
  void session.withdraw(own.map(({ id }) => id)).catch(failed);
  void session.abort().catch(failed);
  return own.map(({ message }) => textOf(message)).join("\n\n");
}
