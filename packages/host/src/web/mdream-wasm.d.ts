// Imported as a file, the WebAssembly part of mdream is the path of that file.
declare module "mdream/wasm/mdream_edge_bg.wasm" {
  const path: string;
  export default path;
}
