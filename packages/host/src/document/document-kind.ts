// Which files are documents: by their names, since opening every file to see would be dear.

export type DocumentKind =
  "pdf" | "docx" | "xlsx" | "pptx" | "epub" | "rtf" | "doc" | "xls" | "ppt";

const KINDS: ReadonlySet<string> = new Set<DocumentKind>([
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "epub",
  "rtf",
  "doc",
  "xls",
  "ppt",
]);

const BY_MIME: Record<string, DocumentKind> = {
  "application/pdf": "pdf",
  "application/rtf": "rtf",
  "text/rtf": "rtf",
  "application/epub+zip": "epub",
  "application/msword": "doc",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
};

/** By the end of a path or an address; undefined for everything else. */
export function documentKind(name: string): DocumentKind | undefined {
  const suffix = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  return suffix !== undefined && KINDS.has(suffix) ? (suffix as DocumentKind) : undefined;
}

/** By what a server says. */
export function documentKindOfType(contentType: string): DocumentKind | undefined {
  return BY_MIME[contentType.split(";")[0]!.trim().toLowerCase()];
}
