/**
 * Makes the schemas of the host validate without code that they generate: the content security policy reports even the attempt. It has
 * to be called before they are loaded, because zod looks for this setting while a schema is created.
 */
export function forbidEval(): void {
  Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
}
