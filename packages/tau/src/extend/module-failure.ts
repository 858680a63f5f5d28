// Why a module could not be loaded.

/** Its message is the second half of a sentence that says what to do. */
export class ModuleFailure extends Error {
  override readonly name = "ModuleFailure";
}
