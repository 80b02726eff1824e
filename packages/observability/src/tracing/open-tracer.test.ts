import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const BUILT = new URL('../../dist/index.js', import.meta.url).href;

/** Opens a tracer in a process of its own. Returns which packages of OpenTelemetry it has loaded. */
function loadedWith(endpoint: string | undefined): readonly string[] {
  const script = `
    import { createRequire } from 'node:module';
    import { openTracer } from '${BUILT}';
    const tracer = await openTracer({ service: 't', endpoint: ${JSON.stringify(endpoint)}, headers: {}, ratio: 1 });
    await tracer[Symbol.asyncDispose]();
    const files = Object.keys(createRequire('${BUILT}').cache);
    console.log(JSON.stringify(files.flatMap((file) => /@opentelemetry\\/([a-z-]+)\\/build/.exec(file)?.[1] ?? [])));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  return [...new Set(JSON.parse(printed) as string[])].sort();
}

it('loads the library of traces only if they are on', () => {
  expect(loadedWith(undefined)).toEqual([]);
  expect(loadedWith('http://127.0.0.1:9')).toEqual(expect.arrayContaining(['exporter-trace-otlp-http', 'sdk-trace']));
});
