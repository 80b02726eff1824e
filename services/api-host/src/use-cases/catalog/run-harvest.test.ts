import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { CatalogPage, CatalogTable } from '@sluice/engine';
import type { HarvestCatalogStore, HarvestRunStore } from '@sluice/store/catalog';
import { createRunHarvest } from './run-harvest.ts';

const RUN = { tenantId: 't', runId: 'run' };
const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const LEASE = { ...RUN, attempt: 1 };
const table = (schema: string, name: string): CatalogTable => ({ schema, name, type: 'TABLE', columns: [] }) as never;

const CATALOGS: CatalogPage = { kind: 'catalogs', names: ['one', 'two'] } as CatalogPage;
const schemas = (catalog: string): CatalogPage => ({ kind: 'schemas', catalog, names: ['s'] }) as CatalogPage;
const tables = (catalog: string, ...names: string[]): CatalogPage =>
  ({ kind: 'tables', catalog, tables: names.map((name) => table('s', name)) }) as CatalogPage;
const endOf = (catalog: string): CatalogPage => ({ kind: 'end', catalog }) as unknown as CatalogPage;

interface Given {
  readonly tenant?: typeof tenant | undefined;
  readonly isClaimed?: boolean;
  readonly after?: { readonly catalog: string; readonly schema: string; readonly name: string };
  readonly pages?: readonly (CatalogPage | Error)[];
  readonly putTablesFails?: Error;
  readonly finishFails?: Error;
  /** Called before each page. */
  readonly onPage?: (stop: AbortController) => Promise<void> | void;
  readonly isRenewed?: boolean;
  readonly leaseMs?: number;
}

function fixture(given: Given = {}) {
  const calls: unknown[] = [];
  const stop = new AbortController();
  const listed: unknown[] = [];
  const run = createRunHarvest({
    tenants: { findById: async () => ('tenant' in given ? given.tenant : tenant) },
    harvestRuns: {
      claim: async () => (given.isClaimed === false ? undefined : { lease: LEASE, after: given.after }),
      renew: async () => given.isRenewed ?? true,
      release: async () => void calls.push('release'),
      async finish(_lease: unknown, error: unknown) {
        calls.push(['finish', error]);
        if (given.finishFails !== undefined) throw given.finishFails;
      },
    } as unknown as HarvestRunStore,
    harvestCatalogs: {
      putCatalogs: async (_lease: unknown, names: readonly string[]) => void calls.push(['catalogs', ...names]),
      putSchemas: async (_lease: unknown, catalog: string) => void calls.push(['schemas', catalog]),
      async putTables(
        _lease: unknown,
        page: { catalog: string; after: { name: string } | undefined; tables: CatalogTable[] },
      ) {
        if (given.putTablesFails !== undefined) throw given.putTablesFails;
        calls.push(['tables', page.catalog, page.after?.name, ...page.tables.map(({ name }) => name)]);
      },
      markAbsentCatalogs: async () => void calls.push('mark absent'),
    } as unknown as HarvestCatalogStore,
    engines: {
      async *catalog(_tenant: unknown, { user, after }: { user: string; after: unknown }) {
        listed.push([user, after]);
        for (const page of given.pages ?? []) {
          await given.onPage?.(stop);
          if (page instanceof Error) throw page;
          yield page;
        }
      },
      sourceOf: () => 'source',
    } as never,
    harvestUser: 'harvester',
    leaseMs: given.leaseMs ?? 60_000,
  });
  return { calls, listed, stop, run: () => run(RUN, stop.signal) };
}

describe('a harvest', () => {
  it('writes the pages in order, each with the last table before it, and then marks what is absent', async () => {
    const pages = [
      CATALOGS,
      schemas('one'),
      tables('one', 'a', 'b'),
      tables('one', 'c'),
      endOf('one'),
      tables('two', 'd'),
    ];
    const { run, calls, listed } = fixture({ pages });
    await run();
    expect(listed).toEqual([['harvester', undefined]]);
    expect(calls).toEqual([
      ['catalogs', 'one', 'two'],
      ['schemas', 'one'],
      ['tables', 'one', undefined, 'a', 'b'],
      ['tables', 'one', 'b', 'c'],
      ['tables', 'one', 'c'],
      ['tables', 'two', undefined, 'd'],
      'mark absent',
      ['finish', undefined],
    ]);
  });

  it('continues after the last table of the attempt before', async () => {
    const after = { catalog: 'one', schema: 's', name: 'b' };
    const { run, calls, listed } = fixture({ after, pages: [tables('one', 'c'), tables('two', 'd')] });
    await run();
    expect(listed).toEqual([['harvester', after]]);
    expect(calls.slice(0, 2)).toEqual([
      ['tables', 'one', 'b', 'c'],
      ['tables', 'two', undefined, 'd'],
    ]);
  });

  it('keeps the metadata of catalogs that cannot be read, and names them', async () => {
    const unreadable = (catalog: string): CatalogPage =>
      ({ kind: 'unreadable', catalog, problem: new ProblemError('engine_unavailable', 'No answer.') }) as CatalogPage;
    const { run, calls } = fixture({ pages: [CATALOGS, unreadable('one'), tables('two', 'd'), unreadable('three')] });
    await run();
    const message = 'These catalogs could not be read, and keep their earlier metadata: one, three. No answer.';
    expect(calls.at(-1)).toEqual(['finish', { code: 'ENGINE_UNAVAILABLE', message }]);
    expect(calls).toContain('mark absent');
  });

  it('marks nothing as absent if the engine has no catalogs at all', async () => {
    const { run, calls } = fixture({ pages: [{ ...CATALOGS, names: [] } as CatalogPage] });
    await run();
    expect(calls).toEqual([['finish', undefined]]);
  });

  it.each<[string, Given]>([
    ['of a tenant that was removed', { tenant: undefined }],
    ['that another host has claimed', { isClaimed: false }],
  ])('%s does nothing', async (_name, given) => {
    const { run, calls, listed } = fixture({ ...given, pages: [CATALOGS] });
    await run();
    expect([calls, listed]).toEqual([[], []]);
  });
});

describe('a harvest that fails', () => {
  it('ends with the error of the engine, and marks nothing as absent', async () => {
    const { run, calls } = fixture({ pages: [CATALOGS, new ProblemError('engine_unavailable', 'No answer.')] });
    await expect(run()).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(calls).toEqual([
      ['catalogs', 'one', 'two'],
      ['finish', { code: 'ENGINE_UNAVAILABLE', message: 'No answer.' }],
    ]);
  });

  it('does not record the message of an unexpected error', async () => {
    const { run, calls } = fixture({ pages: [new Error('secret of a library')] });
    await expect(run()).rejects.toThrow('secret of a library');
    expect(calls).toMatchObject([['finish', { code: 'INTERNAL' }]]);
    expect(JSON.stringify(calls)).not.toContain('secret of a library');
  });

  it.each(['service_unavailable', 'conflict'] as const)('with %s stays open for another host', async (code) => {
    const { run, calls } = fixture({ pages: [tables('one', 'a')], putTablesFails: new ProblemError(code, 'no') });
    await expect(run()).rejects.toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  it('at its end is not reported as finished', async () => {
    const { run } = fixture({ pages: [CATALOGS], finishFails: new ProblemError('service_unavailable', 'no') });
    await expect(run()).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('a harvest that is interrupted', () => {
  it('by the shutdown of its host is released, without an end and without absent catalogs', async () => {
    const onPage = (stop: AbortController): void => stop.abort(new Error('shutdown'));
    const { run, calls } = fixture({ pages: [CATALOGS], onPage });
    await expect(run()).rejects.toThrow('shutdown');
    expect(calls).toEqual(['release']);
  });

  it('because another host has its lease writes nothing more', async () => {
    const onPage = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
    const { run, calls } = fixture({ pages: [CATALOGS, tables('one', 'a')], onPage, isRenewed: false, leaseMs: 3 });
    await run();
    expect(calls).toEqual([]);
  });
});
