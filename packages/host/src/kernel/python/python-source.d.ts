// Python files are part of the program: imported as text and sent to the interpreter.
declare module "*.py" {
  const text: string;
  export default text;
}
