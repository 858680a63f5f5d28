// Prompts live in .md files beside the code that uses them and are imported as text.
declare module "*.md" {
  const text: string;
  export default text;
}
