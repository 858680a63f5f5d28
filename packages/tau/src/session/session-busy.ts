// A session does one thing at a time; what comes meanwhile goes into its mailbox.

export class SessionBusy extends Error {
  override readonly name = "SessionBusy";

  constructor() {
    super("The session is busy: steer it, queue a follow-up, or abort the current run first.");
  }
}
