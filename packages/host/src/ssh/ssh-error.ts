// Why something over ssh did not happen. A command that ran and failed is no error: its exit code
// is a result.

export type SshErrorKind =
  /** There is no `ssh` on this machine. */
  | "no_client"
  /** The host's own description cannot be used: a bad address, a key that others can read. */
  | "bad_host"
  /** No connection, no trust in the host's key, or no admittance; `ssh` says which. */
  | "not_connected"
  /** The command cannot be passed on. */
  | "bad_command"
  /** The directory to run in is not there. */
  | "no_directory"
  /** The connection ended before the command did. */
  | "lost";

export class SshError extends Error {
  override readonly name = "SshError";
  readonly kind: SshErrorKind;

  /** `message` is one sentence that says what to do next. */
  constructor(kind: SshErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
