// The one way in which a wire says that it has nothing to authorize a request with.

import { ModelError, modelFailure } from "../error.ts";

/** `message` names the cause and a next step. */
export function authFailure(message: string, cause?: unknown): ModelError {
  return new ModelError(modelFailure("auth", message), { cause });
}
