// Failures of changing files as the model reads them. What nobody foresaw passes through.

import { ToolError } from "@tau/agent/tool";
import { StorageError } from "@tau/host/storage-error";
import { UnfinishedChange } from "../../files/change-files.ts";
import { FileProblem } from "../../files/file-problem.ts";

export function explainFailure(error: unknown): never {
  if (error instanceof FileProblem || error instanceof UnfinishedChange) {
    throw new ToolError(error.message);
  }
  if (error instanceof StorageError) {
    throw new ToolError(`${error.message} Nothing was changed.`);
  }
  throw error;
}
