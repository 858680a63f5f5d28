// Everything that a path can lead to in a session: files, what is in them, addresses with a scheme,
// and the web.

import type { Environment } from "@tau/ai/environment";
import type { ConfineReader } from "@tau/host/sandbox/confine-reader";
import { COMMAND, VERSION } from "../brand.ts";
import { createArchiveKind } from "../resources/archive-kind.ts";
import { createDatabaseKind } from "../resources/database-kind.ts";
import { docsScheme } from "../resources/docs-scheme.ts";
import { createDocumentKind } from "../resources/document-kind.ts";
import { createLocalKind } from "../resources/local-kind.ts";
import { localScheme } from "../resources/local-scheme.ts";
import { ResourceResolver } from "../resources/resolver.ts";
import { SchemeTable } from "../resources/schemes.ts";
import { createWebKind } from "../resources/web-kind.ts";
import { artifactScheme } from "./artifact-scheme.ts";
import type { ArtifactStore } from "../session/artifacts/artifact-store.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

export interface ResourcesPlace {
  env: Environment;
  files: WorkspaceFiles;
  artifacts: () => Promise<ArtifactStore>;
  /** Confines the programs that read documents and databases, if anything does. */
  confineReader?: () => ConfineReader | undefined;
  /** Takes secrets out of what is kept. */
  hide(text: string): string;
}

export class WorkspaceResources extends ResourceResolver {
  readonly schemes: SchemeTable;

  constructor(place: ResourcesPlace) {
    const { env, files, artifacts, confineReader } = place;
    const schemes = new SchemeTable();
    schemes.register(localScheme(() => files.localRoot));
    schemes.register(artifactScheme(artifacts));
    schemes.register(docsScheme);
    const keep = async (text: string): Promise<string | undefined> => {
      const written = await (await artifacts()).write("read", place.hide(text));
      return written.ok ? written.id : undefined;
    };
    super(
      [
        createWebKind({ env, userAgent: `${COMMAND}/${VERSION}`, keep, confineReader }),
        schemes,
        createArchiveKind(files),
        createDatabaseKind(files, confineReader),
        createDocumentKind(files, confineReader),
        createLocalKind(files),
      ],
      files,
    );
    this.schemes = schemes;
  }
}
