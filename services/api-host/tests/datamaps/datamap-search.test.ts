import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatamapStore } from '@sluice/store/datamaps';
import { refreshSearch } from '@sluice/store/search';
import { type LoggedIn, logInAs, seedTable } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { getDatamap, madeDatamap, searchDatamaps, sendAs } from './datamap-requests.ts';

let test: TestHost;
let steward: LoggedIn;
let analyst: LoggedIn;
let writer: LoggedIn;
let foreigner: LoggedIn;

const PUBLISHED = ['publish'] as const;

/** Datamaps that the searches below find, by name. */
const ids: Record<string, string> = {};
const make = async (who: LoggedIn, body: { name: string }, steps: readonly string[] = PUBLISHED) => {
  ids[body.name] = await madeDatamap(test, who, body, steps);
};

beforeAll(async () => {
  test = await shareTestHost();
  await test.rows(
    `insert into roles (tenant_id, name, permissions) values ($1, 'writer', '{datamap:read,datamap:write,query:run}')`,
    [test.acme.tenantId],
  );
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  writer = await logInAs(test, ['writer'], test.acme);
  foreigner = await logInAs(test, ['admin'], test.globex);
  await make(steward, { name: 'flight_delays', display_name: 'Flight delays', tags: ['aviation', 'Größe'] } as never);
  await make(steward, { name: 'airports', description: 'Where each flight begins', tags: ['aviation'] } as never);
  await make(steward, { name: 'routes', sql: `select 1 as flight_number, 'x' as carrier` } as never);
  await make(steward, { name: 'Weather', description: 'Rain and wind in Seattle, a day a row' } as never);
  await make(writer, { name: 'secret_flights', description: 'Only mine' } as never, []);
  await make(foreigner, { name: 'flight_elsewhere' });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

/** Deletes a datamap in any state. */
const remove = async (who: LoggedIn, id: string) => {
  await sendAs(test, who, { method: 'POST', path: `/datamap/${id}/archive` });
  const { status } = await sendAs(test, who, { method: 'DELETE', path: `/datamap/${id}` });
  expect(status).toBe(204);
};

const namesOf = (answer: { body: { data: { datamap: { name: string } }[] } }): string[] =>
  answer.body.data.map(({ datamap }) => datamap.name);
const find = async (who: LoggedIn, body: object) => {
  const answer = await searchDatamaps(test, who, body);
  expect([answer.status, JSON.stringify(body)]).toEqual([200, JSON.stringify(body)]);
  return { names: namesOf(answer), total: answer.body.total as number, data: answer.body.data };
};

describe('a search text', () => {
  it('matches name, display name, tags, description, field names and SQL, with name matches first', async () => {
    const { names, total, data } = await find(analyst, { q: 'flight' });
    expect(names).toEqual(['flight_delays', 'airports', 'routes']);
    expect(total).toBe(3);
    expect(data.map(({ score }: { score: number }) => score)).toEqual([0.9, 0.5, 0.2]);
    expect((await find(analyst, { q: 'carrier' })).names).toEqual(['routes']);
    expect((await find(analyst, { q: 'seattle' })).names).toEqual(['Weather']);
    expect((await find(analyst, { q: 'AVIATION' })).total).toBe(2);
    for (const q of ['größe', 'GRÖSSE', 'große']) expect((await find(analyst, { q })).names).toEqual(['flight_delays']);
  });

  it('matches by full case folding', async () => {
    const id = await madeDatamap(test, steward, { name: 'Straßen_ΟΔΟΣ', tags: ['ﬁne ᾳ'] } as never, PUBLISHED);
    for (const q of ['strassen', 'STRASSEN', 'Straßen', 'STRAẞEN', 'strasse', 'οδοσ', 'οδος', 'FINE', 'αι']) {
      expect([q, (await find(analyst, { q })).names]).toEqual([q, ['Straßen_ΟΔΟΣ']]);
    }
    for (const q of ['grösse', 'GROSSE'])
      expect([q, (await find(analyst, { q })).names]).toEqual([q, ['flight_delays']]);
    await remove(steward, id);
  });

  it('ranks equally in any order of its words', async () => {
    const made: string[] = [];
    for (const body of [
      { name: 'quarterly_revenues', description: 'revenue' },
      { name: 'revenue_quarterlyish', description: 'quarterly' },
      { name: 'revenue', tags: ['quarterly'] },
      { name: 'quarterly', sql: 'select 1 as revenue' },
      { name: 'quarterly_revenue' },
    ]) {
      made.push(await madeDatamap(test, steward, body as never, PUBLISHED));
    }
    const ranked = async (q: string) =>
      (await find(analyst, { q })).data.map((each: { id: string; score: number }) => [each.id, each.score]);
    const [found, turned] = [await ranked('quarterly revenue'), await ranked('revenue quarterly')];
    for (const id of made) await remove(steward, id);
    expect(turned).toEqual(found);
    expect(found.map(([, score]: [string, number]) => score)).toEqual([0.8, 0.7, 0.7, 0.5, 0.2]);
    expect(found[0][0]).toBe(made.at(-1));
  });

  it('requires all words, the last one as a prefix, any one as a part of a name', async () => {
    expect((await find(analyst, { q: 'aviation del' })).names).toEqual(['flight_delays']);
    expect((await find(analyst, { q: 'lay aviation' })).names).toEqual(['flight_delays']);
    expect((await find(analyst, { q: 'de aviation' })).names).toEqual([]);
    expect((await find(analyst, { q: 'flight seattle' })).names).toEqual([]);
    expect((await find(analyst, { q: 'fl' })).total).toBe(3);
  });

  it.each([
    ['a letter too few', 'flght delays'],
    ['a letter too many', 'flightt delays'],
    ['another letter', 'flifht delays'],
    ['two letters swapped', 'fligth delays'],
    ['the first letter', 'glight delays'],
    ['two slips in one word', 'fliighht delays'],
    ['slips in two words', 'flght delyas'],
  ])('tolerates a typo: %s', async (_name, q) => {
    const { names, data } = await find(analyst, { q });
    expect(names).toEqual(['flight_delays']);
    expect(data[0].score).toBeLessThanOrEqual(0.5);
  });

  it('may consist of signs or spaces, or be empty', async () => {
    for (const q of ['', ' ', '\t\n  ']) expect([q, (await find(analyst, { q })).total]).toEqual([q, 4]);
    for (const q of ['%', '_', "'", '&|!:*()', '\\', '"', '<->', ':*', '…']) {
      expect([q, (await find(analyst, { q })).total]).toEqual([q, 0]);
    }
    expect((await find(analyst, { q: "flight' & !delays:* | (" })).names).toEqual(['flight_delays']);
    expect((await find(analyst, { q: 'the and of' })).total).toBe(0);
    expect((await find(analyst, { q: 'a' })).names).toContain('airports');
    expect((await find(analyst, { q: 'x'.repeat(1000) })).total).toBe(0);
    expect((await find(analyst, { q: 'flight '.repeat(142) })).total).toBe(3);
  });

  it('sees changes and removals immediately', async () => {
    const id = await madeDatamap(test, steward, { name: 'temporary', description: 'ephemeral' }, PUBLISHED);
    expect((await find(analyst, { q: 'ephemeral' })).total).toBe(1);
    await sendAs(test, steward, { method: 'PUT', path: `/datamap/${id}`, body: { description: 'lasting' } });
    expect((await find(analyst, { q: 'ephemeral' })).total).toBe(0);
    expect((await find(analyst, { q: 'lasting' })).total).toBe(1);
    await sendAs(test, steward, { method: 'POST', path: `/datamap/${id}/archive` });
    expect((await find(analyst, { q: 'lasting' })).total).toBe(0);
    expect((await find(steward, { q: 'lasting' })).total).toBe(1);
    await sendAs(test, steward, { method: 'DELETE', path: `/datamap/${id}` });
    expect((await find(steward, { q: 'lasting' })).total).toBe(0);
  });
});

describe('matches and total', () => {
  it('are limited to what the caller may see in their own tenant', async () => {
    expect((await find(analyst, {})).total).toBe(4);
    expect((await find(writer, {})).total).toBe(5);
    expect((await find(steward, {})).total).toBe(5);
    expect((await find(foreigner, {})).names).toEqual(['flight_elsewhere']);
    expect((await find(writer, { q: 'flights' })).names).toEqual(['secret_flights']);
    expect((await find(analyst, { q: 'secret' })).total).toBe(0);
    expect((await find(foreigner, { q: 'flight' })).total).toBe(1);
  });

  it('return the same record as GET /datamap/{id}, except for the counted view', async () => {
    const { data } = await find(analyst, { q: 'delays' });
    const { body } = await getDatamap(test, analyst, ids['flight_delays'] ?? '');
    const { view_count, user_activity, score, ...found } = data[0];
    expect(body).toMatchObject(found);
    expect(Object.keys(body).sort()).toEqual(Object.keys(data[0]).sort());
    expect([score, view_count <= body.view_count, user_activity.type]).toEqual([0.8, true, 'FACT']);
  });

  it('are audited with the search text', async () => {
    await find(analyst, { q: 'audited question', size: 3 });
    const found = await test.rows<{ metadata: object; target: string }>(
      `select metadata, target from audit_log where action = 'SEARCH_DATAMAPS' and metadata ->> 'q' = 'audited question'`,
    );
    expect(found).toEqual([{ target: 'DATAMAP', metadata: { q: 'audited question', from: 0, size: 3 } }]);
  });
});

describe('the order of matches', () => {
  it('is by name, update, queries or relevance, ascending or descending', async () => {
    const byName = { sort_key: 'table_name.lowercase', sort_value: 'asc' };
    expect((await find(analyst, byName)).names).toEqual(['airports', 'flight_delays', 'routes', 'Weather']);
    expect((await find(analyst, { ...byName, sort_value: 'desc' })).names).toEqual([
      'Weather',
      'routes',
      'flight_delays',
      'airports',
    ]);
    const latest = (await find(analyst, {})).names;
    expect(latest).toEqual(['Weather', 'routes', 'airports', 'flight_delays']);
    expect((await find(analyst, { sort_key: 'updated_ts', sort_value: 'asc' })).names).toEqual([...latest].reverse());
    expect((await find(analyst, { q: 'flight', sort_key: 'relevance', sort_value: 'asc' })).names).toEqual([
      'routes',
      'airports',
      'flight_delays',
    ]);
    expect((await find(analyst, { q: 'flight', ...byName })).names).toEqual(['airports', 'flight_delays', 'routes']);
    await test.rows('update fact_counters set query_count = 7, is_rank_due = true where fact_id = $1', [ids['routes']]);
    const until = Date.now() + 30_000;
    let names: string[] = [];
    while (names[0] !== 'routes' && Date.now() < until) {
      names = (await find(analyst, { sort_key: 'curated_info.query_count' })).names;
    }
    expect(names[0]).toBe('routes');
    expect((await find(analyst, { sort_key: 'curated_info.query_count', sort_value: 'asc' })).names[3]).toBe('routes');
  });

  it('ends at the last record for any size', async () => {
    expect((await find(analyst, { from: 3, size: 10 })).names).toHaveLength(1);
    expect(await find(analyst, { from: 4 })).toEqual({ names: [], total: 4, data: [] });
    expect(await find(analyst, { from: 9_990, size: 10 })).toEqual({ names: [], total: 4, data: [] });
    expect((await find(analyst, { size: 10_000 })).names).toHaveLength(4);
    expect(await find(analyst, { q: 'flight', from: 50 })).toEqual({ names: [], total: 3, data: [] });
  });
});

describe('tables and views', () => {
  it('are found in the same shape by every user who may read', async () => {
    const table = await seedTable(test, test.acme, { name: 'penguins', columns: ['species', 'bill_length'] });
    const absent = await seedTable(test, test.acme, { name: 'penguins_old', isAbsent: true });
    const view = await seedTable(test, test.acme, { name: 'by.day', type: 'VIEW', columns: ['day'] });
    await test.rows('update facts set description = $2, tags = $3 where fact_id = $1', [table, 'Birds', ['zoology']]);
    await test.database.withTenant(test.acme.tenantId, (transaction) =>
      refreshSearch(transaction, test.acme.tenantId, [table, absent, view]),
    );
    const options = { advance_options: { type: 'TABLE' } };
    for (const q of ['penguins', 'birds', 'zoology', 'species', 'pengiuns', 'vega bill']) {
      const { total, data } = await find(analyst, { q, ...options });
      expect([q, total, data[0].id]).toEqual([q, 1, 'demo.vega.penguins']);
    }
    const { data } = await find(analyst, options);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      type: 'TABLE',
      catalog: 'demo',
      schema: 'vega',
      database_name: 'demo',
      vendor_name: 'duckdb',
      location: 'localhost',
      description: 'Birds',
      field_count: 2,
      tags: ['zoology'],
      datamap: { name: 'penguins', datamap_fields: [] },
    });
    expect(data[0].fields[0]).toMatchObject({ name: 'species', data_type: 12, java_type: 'java.lang.String' });
    const maps = await find(analyst, { q: 'flight' });
    expect(Object.keys(data[0]).sort()).toEqual(Object.keys(maps.data[0]).sort());
    expect((await find(analyst, { advance_options: { type: 'VIEW' } })).data[0].id).toBe('demo.vega."by.day"');
    expect((await find(foreigner, options)).total).toBe(0);
    expect((await find(analyst, { q: 'penguins', advance_options: { type: 'DATAMAP' } })).total).toBe(0);
  });
});

describe('names', () => {
  const NAMES = [
    ...['SalesRegionX', 'GA4Sessions', 'driverlicense', '今月の売上', 'HTTPServer_log', 'Übersee-Häfen'],
    ...['flights', 'flights_2k', 'flights_200k', 'late_flights', 'snowflake-test', 'snowflake_test', "o'neil\\x"],
  ];
  const TABLES = { advance_options: { type: 'TABLE' } };
  let tables: string[];

  beforeAll(async () => {
    tables = [];
    for (const name of NAMES)
      tables.push(await seedTable(test, test.acme, { name, columns: ['customerLicense', 'PostalCode2'] }));
    await test.rows('update fact_counters set query_count = 9 where fact_id = any($1)', [tables.slice(7)]);
    await test.database.withTenant(test.acme.tenantId, (transaction) =>
      refreshSearch(transaction, test.acme.tenantId, tables),
    );
  });
  afterAll(async () => {
    await test.rows('delete from facts where fact_id = any($1)', [tables]);
  });

  const found = async (q: string) => {
    const { data } = await find(analyst, { q, size: 20, ...TABLES });
    return data.map((each: { datamap: { name: string }; score: number }) => [each.datamap.name, each.score]);
  };

  it.each([
    ['Region', 'SalesRegionX', 0.8],
    ['sales region', 'SalesRegionX', 0.8],
    ['regionx', 'SalesRegionX', 0.8],
    ['salesRegion', 'SalesRegionX', 0.9],
    ['sessions', 'GA4Sessions', 0.8],
    ['GA4_Sessions', 'GA4Sessions', 0.8],
    ['ga4', 'GA4Sessions', 0.9],
    ['verlic', 'driverlicense', 0.7],
    ['売上', '今月の売上', 0.8],
    ['今月', '今月の売上', 0.9],
    ['月の売', '今月の売上', 0.8],
    ['server', 'HTTPServer_log', 0.8],
    ['ubersee', 'Übersee-Häfen', 0.9],
    ['"DEMO"."vega".SalesRegionX', 'SalesRegionX', 1],
    ["o'neil\\x", "o'neil\\x", 1],
  ])('of words, parts and scripts: %s finds %s', async (q, name, score) => {
    expect(await found(q)).toEqual([[name, score]]);
  });

  it('as a part of a name, and of a column if nothing else has it', async () => {
    expect((await found('license'))[0]).toEqual(['driverlicense', 0.7]);
    expect(await found('ostalcode')).toHaveLength(NAMES.length);
    expect(await found('postal')).toHaveLength(NAMES.length);
  });

  it('rank an exact name first, with or without its schema, then names that begin with it', async () => {
    for (const q of ['flights', 'FLIGHTS ', 'demo.vega.flights', 'vega.flights']) {
      const [first, ...others] = await found(q);
      expect([q, first]).toEqual([q, ['flights', 1]]);
      expect(others.slice(0, 2).map(([, score]: [string, number]) => score)).toEqual([0.9, 0.9]);
    }
    expect((await found('flights')).at(-1)).toEqual(['late_flights', 0.8]);
  });

  it.each(['snowflake-test', 'snowflake_test'])('that differ in a separator do not tie: %s', async (q) => {
    const other = q.includes('-') ? 'snowflake_test' : 'snowflake-test';
    expect(await found(q)).toEqual([
      [q, 1],
      [other, 0.8],
    ]);
  });

  it('get their lexemes later when a host of an earlier version has written them', async () => {
    const [table = ''] = tables;
    await test.rows(
      `update search_entries set words = array_to_tsvector(array(
         select w from unnest(tsvector_to_array(words)) w where substr(w, 10, 1) in ('0', '1', '2') and w !~ 'region$'))
       where fact_id = $1`,
      [table],
    );
    expect(await found('Region')).toEqual([]);
    const { refreshOutdated } = createDatamapStore(test.database);
    await refreshOutdated();
    expect(await found('Region')).toEqual([['SalesRegionX', 0.8]]);
  });
});

describe('own drafts', () => {
  const own = (more: object = {}) => ({ advance_options: { own_drafts: true }, ...more });

  it('are those of the caller that are not published, last changed first', async () => {
    const drafter = await logInAs(test, ['writer'], test.acme);
    const made = [
      await madeDatamap(test, drafter, { name: 'draft_one', display_name: 'First draft' }),
      await madeDatamap(test, drafter, { name: 'draft_two' }),
      await madeDatamap(test, drafter, { name: 'withdrawn' }, ['publish', 'unpublish']),
      await madeDatamap(test, drafter, { name: 'public' }, PUBLISHED),
      await madeDatamap(test, drafter, { name: 'old' }, ['publish', 'archive']),
    ];
    const all = await find(drafter, own());
    expect([all.names, all.total]).toEqual([['withdrawn', 'draft_two', 'draft_one'], 3]);
    expect(all.data[2].datamap).toMatchObject({ display_name: 'First draft', state: 'DRAFT' });
    expect(await find(drafter, own({ from: 1, size: 1 }))).toMatchObject({ names: ['draft_two'], total: 3 });
    expect(await find(drafter, own({ from: 9 }))).toEqual({ names: [], total: 3, data: [] });
    expect((await find(drafter, own({ q: 'FIRST d' }))).names).toEqual(['draft_one']);
    expect((await find(drafter, own({ q: 'published' }))).total).toBe(0);
    // Not even an account that sees all datamaps has the drafts of others among its own.
    for (const other of [steward, analyst, foreigner]) expect((await find(other, own())).names).toEqual([]);
    for (const id of made) await remove(drafter, id);
  });
});

describe('an invalid search is rejected', () => {
  it.each([
    [{ advance_options: { own_drafts: 'yes' } }, 'body.advance_options.own_drafts'],
    [{ advance_options: { own_drafts: true, type: 'TABLE' } }, 'body.advance_options.own_drafts'],
    [{ advance_options: { own_drafts: true }, sort_value: 'asc' }, 'body.sort_key'],
    [{ from: -1 }, 'body.from'],
    [{ from: 1.5 }, 'body.from'],
    [{ from: '0' }, 'body.from'],
    [{ size: 0 }, 'body.size'],
    [{ size: 10_001 }, 'body.size'],
    [{ from: 9_991, size: 10 }, 'body.from'],
    [{ from: 1, size: 10_000 }, 'body.from'],
    [{ sort_key: 'name' }, 'body.sort_key'],
    [{ sort_value: 'ASC' }, 'body.sort_value'],
    [{ advance_options: { type: 'datamap' } }, 'body.advance_options.type'],
    [{ advance_options: { kind: 'x' } }, 'body.advance_options.kind'],
    [{ advance_options: [] }, 'body.advance_options'],
    [{ q: 5 }, 'body.q'],
    [{ q: null }, 'body.q'],
    [{ q: 'a\0b' }, 'body.q'],
    [{ q: '\ud800' }, 'body.q'],
    [{ q: 'x'.repeat(10_000) }, 'body.q'],
    [{ query: 'x' }, 'body.query'],
    [[], 'body'],
  ])('%j', async (body, path) => {
    const answer = await searchDatamaps(test, analyst, body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('with every problem at once', async () => {
    const answer = await searchDatamaps(test, analyst, { from: -1, size: 0, sort_key: 'x', sort_value: 'y', z: 1 });
    expect(answer.body.details).toHaveLength(5);
  });
});
