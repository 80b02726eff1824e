import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { ClientCalls, stringsIn } from '../../../testing/client-calls.ts';
import { HARMFUL_CALLS, statementsWithCall } from '../../../testing/corpus/rejected/statement-arguments.ts';
import { createShop, type Shop } from '../../../testing/corpus/shop.ts';
import { readResult } from '../../../testing/read-result.ts';
import { checkStatement } from '../checked-statement.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';
import { DuckDb } from '../instance.ts';
import { splitExplain } from './split-explain.ts';

/** Calls a function of these tests that counts its evaluations. */
const COUNTED_CALL = 'counted_call()';
const CALLS = [COUNTED_CALL, ...HARMFUL_CALLS];

const BIND = 'DuckDBPreparedStatement.bindVarchar';
const RUN = 'DuckDBPreparedStatement.run';
/** Methods that read what the engine returned. */
const READS = /^DuckDB(?:MaterializedResult|Result|DataChunk|\w*Vector|\w*Type)\./;

const hasCall = (value: unknown): boolean => stringsIn(value).some((text) => CALLS.some((call) => text.includes(call)));

let shop: Shop;
let clientCalls: ClientCalls;
let engine: DuckDbEngine;
beforeAll(async () => {
  shop = await createShop();
  clientCalls = new ClientCalls({ isPrevented: ({ name, args }) => name !== BIND && hasCall(args) });
  engine = await DuckDbEngine.open(shop.profile);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  clientCalls[Symbol.dispose]();
  await shop[Symbol.asyncDispose]();
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (thrown: unknown) => (thrown instanceof ProblemError ? thrown.code : String(thrown)),
  );

/** Registers a function without arguments. Returns the number of its evaluations so far. */
function countEvaluations(connection: DuckDBConnection, name: string): () => number {
  let count = 0;
  const mainFunction = (): void => {
    count += 1;
  };
  connection.registerScalarFunction(DuckDBScalarFunction.create({ name, mainFunction, returnType: VARCHAR }));
  return () => count;
}

describe('the text of a statement that does not read', () => {
  it('reaches only the parser, as a value, and the parser evaluates no argument', async () => {
    clientCalls.take();
    using duckDb = await DuckDb.open(shop.profile);
    const prepared = clientCalls.take().filter(({ name }) => name === 'DuckDBConnection.prepare');
    expect(prepared.map(({ args }) => args)).toEqual([['SELECT json_serialize_sql($1::VARCHAR)']]);
    using session = await duckDb.connect('UTC');
    const evaluations = countEvaluations(session.connection, 'counted_call');
    const wrong: unknown[] = [];
    const targets = new Set<unknown>();
    for (const sql of CALLS.flatMap(statementsWithCall)) {
      clientCalls.take();
      const code = await codeOf(checkStatement(duckDb, session, { sql }));
      const sent = clientCalls.take().filter(({ name, args }) => !READS.test(name) || hasCall(args));
      const calls = sent.map(({ name, args }) => [name, ...args]);
      for (const { target } of sent) targets.add(target);
      const expected = [[BIND, 1, splitExplain(sql).text], [RUN]];
      if (code !== 'read_only' || !isDeepStrictEqual(calls, expected)) wrong.push({ sql, code, calls });
    }
    expect({ count: wrong.length, first: wrong.slice(0, 3) }).toEqual({ count: 0, first: [] });
    expect(targets.size).toBe(1);
    expect(evaluations()).toBe(0);
  }, 50_000);
});

describe('the text of a rejected statement', () => {
  it.each([
    ['PRAGMA table_info(sleep_ms(60000)::VARCHAR)', 'read_only'],
    ['SELECT 1; PRAGMA table_info(sleep_ms(60000)::VARCHAR)', 'read_only'],
    ['EXPLAIN PRAGMA table_info(sleep_ms(60000)::VARCHAR)', 'read_only'],
    ['SELECT sleep_ms(60000)', 'read_only'],
    ['SELECT sleep_ms(60000);', 'read_only'],
    ['SELECT 1; SELECT sleep_ms(60000)', 'read_only'],
    ['EXPLAIN SELECT sleep_ms(60000)', 'read_only'],
    ['SUMMARIZE SELECT sleep_ms(60000)', 'read_only'],
    ['FROM range(sleep_ms(60000))', 'read_only'],
    [String.raw`SELECT reverse(regexp_extract('é', '\C'))`, 'not_supported'],
    ['SELECT sleep_ms(60000) FROM', 'syntax_error'],
  ])('reaches only the parser if it is run, described or asked for its tables: %s', async (sql, code) => {
    const statement = { sql, queryId: 'q', user: 'u', timeZone: 'UTC' };
    const never = new AbortController().signal;
    clientCalls.take();
    expect(await codeOf(readResult(engine, sql, { format: { name: 'json' } }))).toBe(code);
    expect(await codeOf(engine.describe(statement, never))).toBe(code);
    expect(await codeOf(engine.tables(statement, never))).toBe(code);
    const sent = clientCalls.take().filter(({ args }) => hasCall(args));
    expect(sent.map(({ name, args }) => [name, ...args])).toEqual(Array(3).fill([BIND, 1, splitExplain(sql).text]));
  });
});

describe('DuckDB', () => {
  it('evaluates the arguments of a PRAGMA when it only extracts statements', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const evaluations = countEvaluations(connection, 'argument');
    await connection.extractStatements('PRAGMA table_info(argument())').catch(() => undefined);
    expect(evaluations()).toBeGreaterThan(0);
    connection.closeSync();
    instance.closeSync();
  });
});
