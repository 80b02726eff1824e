import { expect, it } from '@jest/globals';
import { runScript } from '@sluice/testkit';

const MODULE = new URL('../index.ts', import.meta.url).href;

/** Opens a tracer in a process of its own. Returns which packages of OpenTelemetry it has loaded. */
async function loadedWith(endpoint: string | undefined): Promise<readonly string[]> {
  const script = `
    import { createRequire } from 'node:module';
    import { openTracer } from '${MODULE}';
    const tracer = await openTracer({ service: 't', endpoint: ${JSON.stringify(endpoint)}, headers: {}, ratio: 1 });
    await tracer[Symbol.asyncDispose]();
    const files = Object.keys(createRequire('${MODULE}').cache);
    console.log(JSON.stringify(files.flatMap((file) => /@opentelemetry\\/([a-z-]+)\\/build/.exec(file)?.[1] ?? [])));`;
  const { stdout } = await runScript(script);
  return [...new Set(JSON.parse(stdout) as string[])].sort();
}

it('loads the library of traces only if they are on', async () => {
  expect(await loadedWith(undefined)).toEqual([]);
  expect(await loadedWith('http://127.0.0.1:9')).toEqual(
    expect.arrayContaining(['exporter-trace-otlp-http', 'sdk-trace']),
  );
});
