// placeholder
import type { ExtensionPlace, LoadedExtension } from "../loaded-extension.ts";
import { ModuleFailure } from "../import-module.ts";

export async function takeFamilyModule(
  _factory: (api: unknown) => unknown,
  _place: ExtensionPlace,
): Promise<LoadedExtension> {
  throw new ModuleFailure("not yet");
}
