// The engines that are inside a single executable: programs and libraries that the system can
// only load from files, packed by the build. Run from source there are none, and packages are
// where engines come from.

/** The folder of assets in the executable, and the names that the build gives them. */
export const ASSET_FOLDER = "engines";
export const MANIFEST_NAME = "manifest.json";
export const RIPGREP = "ripgrep";

export interface EmbeddedEngine {
  /** `ripgrep`, or the name of a grammar's package. */
  name: string;
  /** Of the asset, which is compressed with zstd; without ".zst" the extracted file's. */
  asset: string;
  /** Of the extracted file. */
  bytes: number;
  sha256: string;
  /** A program to run rather than a library to load. */
  isProgram: boolean;
}

export interface EngineManifest {
  /** Different for different engines: what one build extracted, another does not use. */
  id: string;
  engines: EmbeddedEngine[];
}

export interface EmbeddedEngines {
  manifest: EngineManifest;
  /** The compressed bytes. */
  read(engine: EmbeddedEngine): Promise<Uint8Array>;
}

let embedded: Promise<EmbeddedEngines | undefined> | undefined;

export function embeddedEngines(): Promise<EmbeddedEngines | undefined> {
  embedded ??= open();
  return embedded;
}

async function open(): Promise<EmbeddedEngines | undefined> {
  if (!Bun.isStandaloneExecutable) return undefined;
  const assets = new Map<string, Blob>();
  for (const blob of Bun.embeddedFiles as readonly (Blob & { name?: string })[]) {
    const [folder, name] = (blob.name ?? "").split(/[\\/]/).slice(-2);
    if (folder === ASSET_FOLDER && name !== undefined) assets.set(name, blob);
  }
  const list = assets.get(MANIFEST_NAME);
  if (!list) return undefined;
  const manifest = (await list.json()) as EngineManifest;
  return { manifest, read: ({ asset }) => assets.get(asset)!.bytes() };
}
