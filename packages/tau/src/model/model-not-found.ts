// A selector that names nothing that can be used here. Typed, because a session that was with such a
// model says more about it than a flag does.

import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";

export class ModelNotFound extends UserError {
  /** As a clause of its own: `there is no provider "x"`. */
  readonly reason: string;

  constructor(message: string, reason: string) {
    super(message, EXIT.usage);
    this.reason = reason;
  }
}
