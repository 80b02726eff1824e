import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import type { Engine, ResultEvent } from '../src/engine.ts';
import type { EngineFixture } from './engine-fixture.ts';
import { formatSpec, readResult, type TextResult } from './read-result.ts';

/** Sizes around what engines and our reader handle at once: nothing, one, a chunk, its neighbours, many chunks. */
const SIZES = [0, 1, 2_047, 2_048, 2_049, 100_000] as const;
const JSON_ROWS = formatSpec({ name: 'json' });
/** What a cancelled engine may take to stop. */
const STOP_MS = 1_000;

/** What every engine promises, whatever is behind it. `createFixture` is called once, and the fixture is disposed of. */
export function describeEngine(name: string, createFixture: () => Promise<EngineFixture>): void {
  describe(name, () => {
    const stage: Stage = new Stage();
    beforeAll(async () => {
      await stage.set(createFixture);
    }, 60_000);
    afterAll(() => stage.strike());
    describe('gives exactly the rows', () => describeRows(stage));
    describe('never calls a cut result whole', () => describeFailures(stage));
    describe('gives no more rows than asked for', () => describeLimits(stage));
    describe('stops when told to', () => describeStops(stage));
    describe('says what is wrong in the words of the caller', () => describeErrors(stage));
    describe('keeps statements apart', () => describeSessions(stage));
    describe('only reads', () => describeReadOnly(stage));
  });
}

/** The fixture and one engine of it, which most of the tests share, as statements of one tenant do. */
class Stage {
  #fixture: EngineFixture | undefined;
  #engine: Engine | undefined;

  async set(createFixture: () => Promise<EngineFixture>): Promise<void> {
    this.#fixture = await createFixture();
    this.#engine = await this.#fixture.open(JSON_ROWS);
  }

  async strike(): Promise<void> {
    await this.#engine?.[Symbol.asyncDispose]();
    await this.#fixture?.[Symbol.asyncDispose]();
  }

  get fixture(): EngineFixture {
    if (this.#fixture === undefined) throw new Error('The fixture is not ready');
    return this.#fixture;
  }

  get sql(): EngineFixture['sql'] {
    return this.fixture.sql;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('The engine is not ready');
    return this.#engine;
  }

  read(sql: string, options: { timeZone?: string; rowsMax?: number; signal?: AbortSignal } = {}): Promise<TextResult> {
    return readResult(this.engine, sql, { format: JSON_ROWS, ...options });
  }

  async problemOf(sql: string): Promise<ProblemError> {
    try {
      await this.read(sql);
    } catch (thrown) {
      if (thrown instanceof ProblemError) return thrown;
      throw thrown;
    }
    throw new Error(`The statement has not failed: ${sql}`);
  }

  events(sql: string, signal: AbortSignal): AsyncIterator<ResultEvent> {
    const statement = { sql, queryId: '00000000-0000-4000-8000-000000000001', user: 'a@b.example', timeZone: 'UTC' };
    const format = createFormat(JSON_ROWS);
    return this.engine.run(statement, (columns) => format.row(columns), signal)[Symbol.asyncIterator]();
  }

  /** The engine answers as if nothing had been. */
  async expectReady(): Promise<void> {
    expect((await this.read(this.sql.rows(3))).rowsText).toBe(rowsText(3));
  }
}

const rowsText = (n: number): string =>
  Array.from({ length: n }, (_, id) => `{"id":${id},"label":"row ${id}"}`).join(',\n');

const COLUMNS = [
  { name: 'id', type: 'bigint' },
  { name: 'label', type: 'varchar' },
];

function describeRows(stage: Stage): void {
  it.each(SIZES)('%i of them, in order, and then the end', async (n) => {
    const result = await stage.read(stage.sql.rows(n));
    expect(result.columns).toEqual(COLUMNS);
    expect(result.rowsText).toBe(rowsText(n));
    expect([result.rows, result.limited]).toEqual([n, false]);
    expect([result.kinds[0], result.kinds.at(-1)]).toEqual(['columns', 'end']);
    expect(result.kinds.slice(1, -1).every((kind) => kind === 'rows')).toBe(true);
  });

  it('from several engines at once', async () => {
    const engines = await Promise.all([1, 2, 3].map(() => stage.fixture.open(JSON_ROWS)));
    const read = (engine: Engine): Promise<TextResult> =>
      readResult(engine, stage.sql.rows(50_000), { format: JSON_ROWS });
    const results = await Promise.all(engines.map(read));
    for (const result of results) expect(result.rowsText).toBe(rowsText(50_000));
    await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
  });

  it('with distinct names, where the statement doubles them', async () => {
    const result = await stage.read('SELECT 1 AS a, 2 AS b, 3 AS a');
    expect(result.columns.map((column) => column.name)).toEqual(['a', 'b', 'a_2']);
    expect(result.rowsText).toBe('{"a":1,"b":2,"a_2":3}');
  });

  it('of every type, under names that all engines share', async () => {
    const { sql, types } = stage.sql.everyType;
    const result = await stage.read(sql);
    expect(result.columns.map((column) => column.type)).toEqual(types);
    expect(() => JSON.parse(result.rowsText)).not.toThrow();
    expect(result.rows).toBe(1);
  });
}

function describeFailures(stage: Stage): void {
  const places = SIZES.map((id) => [id, id + 5_000] as const);
  const lastRows = [1, 2_048, 100_000].map((n) => [n - 1, n] as const);

  it.each([...places, ...lastRows])('that fails at row %i of %i', async (id, n) => {
    const problem = await stage.problemOf(stage.sql.failAt(id, n));
    expect(problem.message).toContain(stage.sql.failure);
    expect(problem.code).toBe('data_error');
  });

  it.each([0, 5_000, 100_000])('whose cast fails at row %i', async (id) => {
    const problem = await stage.problemOf(stage.sql.failedCastAt(id, id + 1));
    expect([problem.code, problem.message]).toEqual(['data_error', expect.stringContaining('melted')]);
  });

  it('and gives only rows that are right before it throws', async () => {
    const events = stage.events(stage.sql.failAt(100_000, 100_001), new AbortController().signal);
    const given: string[] = [];
    const kinds = new Set<string>();
    const read = async (): Promise<void> => {
      for (let step = await events.next(); step.done !== true; step = await events.next()) {
        kinds.add(step.value.kind);
        if (step.value.kind === 'rows') given.push(Buffer.from(step.value.bytes).toString('utf8'));
      }
    };
    await expect(read()).rejects.toBeInstanceOf(ProblemError);
    expect(kinds).toEqual(new Set(['columns', 'rows']));
    expect(rowsText(100_000).startsWith(given.join(''))).toBe(true);
    expect(given.length).toBeGreaterThan(1);
  });

  it('and the next one is whole again', () => stage.expectReady());
}

function describeLimits(stage: Stage): void {
  it.each([
    [1, true],
    [4_999, true],
    [5_000, false],
    [5_001, false],
    [Number.MAX_SAFE_INTEGER, false],
  ])('%i of 5000, and says whether there were more: %s', async (rowsMax, limited) => {
    const rows = Math.min(rowsMax, 5_000);
    const result = await stage.read(stage.sql.rows(5_000), { rowsMax });
    expect([result.rows, result.limited]).toEqual([rows, limited]);
    expect(result.rowsText).toBe(rowsText(rows));
  });

  it('and obeys the smaller of that and of a LIMIT', async () => {
    const result = await stage.read(`${stage.sql.rows(5_000)} LIMIT 3`, { rowsMax: 10 });
    expect([result.rowsText, result.limited]).toEqual([rowsText(3), false]);
    const fewer = await stage.read(`${stage.sql.rows(5_000)} LIMIT 10`, { rowsMax: 3 });
    expect([fewer.rowsText, fewer.limited]).toEqual([rowsText(3), true]);
  });
}

function describeStops(stage: Stage): void {
  const reason = new ProblemError('query_cancelled', 'Cancelled by the test.');

  /** How long the engine took to give up after the abort. */
  async function stopMs(work: (signal: AbortSignal) => Promise<unknown>, abort: AbortController): Promise<number> {
    let abortedAt = 0;
    abort.signal.addEventListener('abort', () => {
      abortedAt = performance.now();
    });
    await expect(work(abort.signal)).rejects.toBe(reason);
    return performance.now() - abortedAt;
  }

  it('before it began', async () => {
    await expect(stage.read(stage.sql.rows(1), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await stage.expectReady();
  });

  it.each([0, 1, 5, 20, 300])('%i ms into a statement that gives no row', async (delayMs) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), delayMs);
    const ms = await stopMs((signal) => stage.read(stage.sql.slow, { signal }), abort);
    expect(ms).toBeLessThan(STOP_MS);
    await stage.expectReady();
  });

  it('between rows that are ready', async () => {
    const abort = new AbortController();
    const read = async (signal: AbortSignal): Promise<void> => {
      const events = stage.events(stage.sql.rows(1_000_000_000), signal);
      for (let taken = 0; taken < 20; taken += 1) await events.next();
      abort.abort(reason);
      while ((await events.next()).done !== true);
    };
    expect(await stopMs(read, abort)).toBeLessThan(STOP_MS);
    await stage.expectReady();
  });

  it('while it works on the next rows', async () => {
    const abort = new AbortController();
    const read = async (signal: AbortSignal): Promise<void> => {
      const events = stage.events(stage.sql.slowAfterRows, signal);
      await events.next();
      await events.next();
      setTimeout(() => abort.abort(reason), 100);
      while ((await events.next()).done !== true);
    };
    expect(await stopMs(read, abort)).toBeLessThan(STOP_MS);
    await stage.expectReady();
  });

  it.each(['rows', 'slowAfterRows'] as const)('when its reader leaves: %s', async (kind) => {
    const sql = kind === 'rows' ? stage.sql.rows(1_000_000_000) : stage.sql.slowAfterRows;
    const events = stage.events(sql, new AbortController().signal);
    await events.next();
    await events.next();
    const leftAt = performance.now();
    await events.return?.();
    expect(performance.now() - leftAt).toBeLessThan(STOP_MS);
    await stage.expectReady();
  });

  it('after only its columns were taken', async () => {
    const events = stage.events(stage.sql.slow, new AbortController().signal);
    expect(await events.next()).toMatchObject({ value: { kind: 'columns' } });
    await events.return?.();
    await stage.expectReady();
  });
}

function describeErrors(stage: Stage): void {
  it.each([
    ['SELECT nope FROM (SELECT 1 AS a) AS t', 'column_not_found', { line: 1, column: 8 }],
    ["SELECT 'ü😀', -- ü\n\n  nope\nFROM (SELECT 1 AS a) AS t ; -- x\n ;", 'column_not_found', { line: 3, column: 3 }],
    ['SELECT 1 AS a,\n  "nope_ü" FROM (SELECT 1 AS b) AS t', 'column_not_found', { line: 2, column: 3 }],
    ['SELECT *\n\tFROM no_such_table', 'table_not_found', { line: 2, column: 7 }],
    ['SELECT 1 AS a\nFROM FROM', 'syntax_error', { line: 2, column: 6 }],
    ['/* 😀 */ SELEKT 1', 'syntax_error', { line: 1, column: 9 }],
    ['EXPLAIN\nSELECT nope FROM (SELECT 1 AS a) AS t', 'column_not_found', { line: 2, column: 8 }],
    ['SELECT no_such_function(1)', 'function_not_found', { line: 1, column: 8 }],
  ])('with the place in it: %j', async (sql, code, location) => {
    const problem = await stage.problemOf(sql);
    expect([problem.code, problem.location]).toEqual([code, location]);
  });

  it('with the place of what fails while it runs, when the engine gives one', async () => {
    const problem = await stage.problemOf(
      "SELECT 1 AS a,\n  CAST('ä' || x AS INTEGER) AS b\nFROM (SELECT 'z' AS x) AS t",
    );
    expect(problem.code).toBe('data_error');
    if (problem.location !== undefined) expect(problem.location).toEqual({ line: 2, column: 3 });
  });

  it.each(['', ' \n', ';', '-- nothing', '/* nothing */ ;'])('when there is no statement: %j', async (sql) => {
    expect((await stage.problemOf(sql)).code).toBe('syntax_error');
  });

  it.each([
    'SELECT 7 AS a;',
    'SELECT 7 AS a ; ; -- done;',
    '/* ; */ SELECT 7 AS a -- ;',
    "SELECT 7 AS a -- it's",
    'SELECT 7 AS a /* ) */ ;\n',
  ])('and not when semicolons and comments stand behind it: %j', async (sql) => {
    expect((await stage.read(sql)).rowsText).toBe('{"a":7}');
  });
}

function describeSessions(stage: Stage): void {
  it('in the time zone that each is given', async () => {
    const berlin = await stage.read(stage.sql.instant, { timeZone: 'Europe/Berlin' });
    expect(berlin.rowsText).toMatch(/^\{"at":"2026-10-25 02:30:00\.0+ \S+"\}$/);
    const utc = await stage.read(stage.sql.instant);
    expect(utc.rowsText).toMatch(/^\{"at":"2026-10-25 00:30:00\.0+ UTC"\}$/);
  });

  it('and refuses a time zone that it does not know', async () => {
    const run = stage.read(stage.sql.instant, { timeZone: "Mars/Olympus' OR 1" });
    await expect(run).rejects.toMatchObject({ code: 'invalid_request' });
    await stage.expectReady();
  });

  it('over the tables of the tenant', async () => {
    expect((await stage.read(`SELECT * FROM ${stage.sql.table}`)).rowsText).toBe('{"answer":42}');
  });
}

function describeReadOnly(stage: Stage): void {
  it('and refuses every other statement', async () => {
    for (const sql of stage.sql.writes) expect([sql, (await stage.problemOf(sql)).code]).toEqual([sql, 'read_only']);
  });

  it('so that the data are as they were', async () => {
    expect((await stage.read(`SELECT * FROM ${stage.sql.table}`)).rowsText).toBe('{"answer":42}');
  });

  it('and says that parameters have no values', async () => {
    expect((await stage.problemOf('SELECT ? AS a')).code).toBe('not_supported');
  });
}
