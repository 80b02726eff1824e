import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract/problems';
import { createFormat } from '@sluice/encoders';
import type { Engine, ResultEvent } from '../src/engine.ts';
import { describeEngine } from './engine-contract.ts';
import type { EngineFixture } from './engine-fixture.ts';
import { formatSpec, readResult } from './read-result.ts';
import { createTrinoFixture, runOnTrino, TRINO_SQL } from './trino-fixture.ts';

// Not part of `npm test`, which needs no server. A Trino of `deploy/components/trino.mjs start` is found without the variable.
// biome-ignore lint/style/noProcessEnv: a test run gets the address of its server from the environment, as a service does
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';

describeEngine('Trino', () => createTrinoFixture(baseUrl));

describe('Trino’s own view of our statements', () => {
  const FORMAT = formatSpec({ name: 'json' });
  let fixture: EngineFixture;
  let engine: Engine;
  beforeAll(async () => {
    fixture = await createTrinoFixture(baseUrl);
    engine = await fixture.open(FORMAT);
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  function start(sql: string, signal: AbortSignal): AsyncIterator<ResultEvent> {
    const statement = { sql, queryId: 'q', user: 'ann@acme.example', timeZone: 'UTC' };
    const format = createFormat(FORMAT);
    return engine.run(statement, (columns) => format.row(columns), signal)[Symbol.asyncIterator]();
  }

  async function stateOf(mark: string): Promise<readonly unknown[]> {
    const [row] = await runOnTrino(
      baseUrl,
      `SELECT state, error_code, "user", source FROM system.runtime.queries WHERE query LIKE '/* ${mark} */%' ORDER BY created DESC LIMIT 1`,
    );
    return row ?? [];
  }

  it('they run as the user, and cannot become another', async () => {
    const read = (sql: string): Promise<string> =>
      readResult(engine, sql, { format: FORMAT }).then((result) => result.rowsText);
    expect(await read('SELECT current_user AS name')).toBe('{"name":"reader@acme.example"}');
    await expect(read('SET SESSION AUTHORIZATION bob')).rejects.toMatchObject({ code: 'read_only' });
    expect(await read('SELECT current_user AS name')).toBe('{"name":"reader@acme.example"}');
  });

  it.each(['slow', 'slowAfterRows'] as const)('they are stopped within a second of the abort: %s', async (kind) => {
    const mark = `stopped ${kind} ${process.pid}`;
    const abort = new AbortController();
    const iterator = start(`/* ${mark} */ ${TRINO_SQL[kind]}`, abort.signal);
    await iterator.next();
    expect((await stateOf(mark)).slice(2)).toEqual(['ann@acme.example', 'sluice']);
    abort.abort(new ProblemError('query_cancelled', 'Stopped by the test.'));
    const abortedAt = performance.now();
    let state = await stateOf(mark);
    while (state[0] !== 'FAILED' && performance.now() - abortedAt < 10_000) state = await stateOf(mark);
    expect(state.slice(0, 2)).toEqual(['FAILED', 'USER_CANCELED']);
    // The check itself is a query that Trino plans and runs, so its time is added.
    expect(performance.now() - abortedAt).toBeLessThan(3_000);
    await expect(iterator.next()).rejects.toMatchObject({ code: 'query_cancelled' });
  });

  it('the values of every type are those that DuckDB would return', async () => {
    const { rowsText } = await readResult(engine, TRINO_SQL.everyType.sql, { format: FORMAT });
    const values = rowsText
      .replace(/^\{|\}$/g, '')
      .split(/,?"c\d+":/)
      .slice(1);
    expect(values).toEqual([
      ...['true', '-128', '-32768', '2147483647', '9223372036854775807', '0.1', '"NaN"', '250.00'],
      ...['99999999999999999999999999999999999999', '"a\\nü😀"', '"abc"', '"a  "', '"AP8="', '"{\\"a\\":1.5}"'],
      ...['"2026-03-29"', '"12:30:00.500"', '"12:30:00.500000000001"', '"12:30:00+05:30"', '"2026-03-29 12:30:00"'],
      ...['"2026-03-29 12:30:00.123456789012"', '"2026-03-29 12:30:00.500 Europe/Berlin"', '"P2D"', '"P3M"'],
      ...['"6fa459ea-ee8a-3ca4-894e-db77e160355e"', '"10.0.0.1"', '"AgwBAIADRAA="', '[1,null]', '{"a":1.5}'],
      ...['{"a":1,"B c":"x "}', '{"field0":1,"field1":"x"}', 'null'],
    ]);
  });
});
