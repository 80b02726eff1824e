/** The part of the WebAssembly JavaScript interface that the row writer uses. TypeScript has it only together with the DOM. */
declare namespace WebAssembly {
  type Exports = Readonly<Record<string, unknown>>;

  interface Global {
    readonly value: number | bigint;
  }

  class CompileError extends Error {}

  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Exports;
  }
}
