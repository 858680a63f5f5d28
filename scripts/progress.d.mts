export function startProgress(text: string, options?: { quiet?: boolean }): () => void;
