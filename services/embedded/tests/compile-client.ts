interface Compilation {
  compileClient(): Promise<void>;
}

/** Compiles the client to the files of its published package, which browsers and the programs of users load. */
export async function compileClient(): Promise<void> {
  const module = new URL('../../../packages/client/packing/compile.mjs', import.meta.url);
  const compilation: Compilation = await import(module.href);
  await compilation.compileClient();
}
