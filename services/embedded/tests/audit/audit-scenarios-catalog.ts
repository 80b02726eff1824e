import { expect } from '@jest/globals';
import type { AuditAction } from '@sluice/contract';
import type { Actor, AuditedRequest, ScenarioRunner, Scenarios } from './scenario-runner.ts';

const DOMAIN = { name: 'Sales', description: 'What is sold' };
const RENAMED = { name: 'Revenue', description: null };
let named = 0;

/** Returns a unique name for a domain or role. */
const nameOf = (what: string): string => {
  named += 1;
  return `${what} ${named}`;
};

async function domainOf({ act }: ScenarioRunner, by: Actor, name: string): Promise<string> {
  const { body } = await act({
    action: 'CREATE_DOMAIN',
    by,
    path: '/domains',
    body: { ...DOMAIN, name },
    status: 201,
    record: (answer) => ({
      target: name,
      metadata: { domain_id: answer.body.id, before: null, after: { ...DOMAIN, name } },
    }),
  });
  return body.id as string;
}

const domainScenarios: Scenarios = {
  async READ_DOMAINS(runner) {
    const by = await runner.person(['steward']);
    const name = nameOf('Read');
    const id = await domainOf(runner, by, name);
    const read = { action: 'READ_DOMAINS', by } as const;
    await runner.act({
      ...read,
      path: '/domains?from=0&size=7',
      record: () => ({ target: 'domains', metadata: { from: 0, size: 7 } }),
    });
    await runner.act({
      ...read,
      path: `/domains/${id}`,
      record: () => ({ target: name, metadata: { domain_id: id } }),
    });
  },
  CREATE_DOMAIN: async (runner) => await domainOf(runner, await runner.person(['steward']), nameOf('Created')),
  async UPDATE_DOMAIN(runner) {
    const by = await runner.person(['steward']);
    const name = nameOf('Old');
    const id = await domainOf(runner, by, name);
    const after = { ...RENAMED, name: nameOf('New') };
    await runner.act({
      action: 'UPDATE_DOMAIN',
      by,
      method: 'PUT',
      path: `/domains/${id}`,
      body: after,
      record: () => ({ target: after.name, metadata: { domain_id: id, before: { ...DOMAIN, name }, after } }),
    });
  },
  async DELETE_DOMAIN(runner) {
    const by = await runner.person(['steward']);
    const name = nameOf('Gone');
    const id = await domainOf(runner, by, name);
    await runner.act({
      action: 'DELETE_DOMAIN',
      by,
      method: 'DELETE',
      path: `/domains/${id}`,
      status: 204,
      record: () => ({ target: name, metadata: { domain_id: id, before: { ...DOMAIN, name }, after: null } }),
    });
  },
};

const SQL = 'SELECT 1 AS one';
const content = (state: string, changes: object = {}) =>
  expect.objectContaining({ name: 'map', state, sql: SQL, description: null, ...changes });

async function datamapOf({ act }: ScenarioRunner, by: Actor): Promise<string> {
  const { body } = await act({
    action: 'CREATE_DATAMAP',
    by,
    path: '/datamap',
    body: { name: 'map', sql: SQL },
    status: 201,
    before: [{ action: 'DESCRIBE_QUERY', target: 'map', metadata: { sql: SQL } }],
    record: (answer) => ({
      target: 'map',
      metadata: { datamap_id: answer.body.id, sql: SQL, before: null, after: content('DRAFT') },
    }),
  });
  return body.id as string;
}

interface DatamapChange extends Pick<AuditedRequest, 'method' | 'body' | 'status'> {
  readonly by: Actor;
  readonly id: string;
  readonly step?: string;
  readonly before: unknown;
  readonly after: unknown;
}

const changeDatamap = (
  { act }: ScenarioRunner,
  action: AuditAction,
  { id, step, before, after, ...how }: DatamapChange,
) =>
  act({
    action,
    method: 'POST',
    path: `/datamap/${id}${step === undefined ? '' : `/${step}`}`,
    ...how,
    record: () => ({ target: 'map', metadata: { datamap_id: id, sql: SQL, before, after } }),
  });

const datamapScenarios: Scenarios = {
  async SEARCH_DATAMAPS({ act, person }) {
    const body = {
      q: 'map',
      from: 0,
      size: 5,
      sort_key: 'updated_ts',
      sort_value: 'desc',
      advance_options: { type: 'DATAMAP' },
    };
    await act({
      action: 'SEARCH_DATAMAPS',
      by: await person(['analyst']),
      path: '/datamap/search',
      body,
      record: () => ({ target: 'DATAMAP', metadata: body }),
    });
  },
  async READ_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const id = await datamapOf(runner, by);
    await runner.act({
      action: 'READ_DATAMAP',
      by,
      path: `/datamap/${id}`,
      record: () => ({ target: 'map', metadata: { datamap_id: id } }),
    });
  },
  async DESCRIBE_QUERY(runner) {
    const by = await runner.person(['steward']);
    const id = await datamapOf(runner, by);
    const sql = 'SELECT 2 AS two';
    await runner.act({
      action: 'UPDATE_DATAMAP',
      by,
      method: 'PUT',
      path: `/datamap/${id}`,
      body: { sql },
      before: [{ action: 'DESCRIBE_QUERY', target: 'map', metadata: { sql, datamap_id: id } }],
      record: () => ({
        target: 'map',
        metadata: { datamap_id: id, sql, before: content('DRAFT'), after: content('IN_PROGRESS', { sql }) },
      }),
    });
  },
  CREATE_DATAMAP: async (runner) => await datamapOf(runner, await runner.person(['steward'])),
  async UPDATE_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const [body, before] = [{ description: 'One' }, content('DRAFT')];
    const change = { by, id: await datamapOf(runner, by), before, after: content('DRAFT', body) };
    await changeDatamap(runner, 'UPDATE_DATAMAP', { ...change, method: 'PUT', body });
  },
  async PUBLISH_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const change = { by, id: await datamapOf(runner, by), before: content('DRAFT'), after: content('PUBLISHED') };
    await changeDatamap(runner, 'PUBLISH_DATAMAP', { ...change, step: 'publish' });
  },
  async UNPUBLISH_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const id = await datamapOf(runner, by);
    const [draft, published] = [content('DRAFT'), content('PUBLISHED')];
    await changeDatamap(runner, 'PUBLISH_DATAMAP', { by, id, step: 'publish', before: draft, after: published });
    const after = content('IN_PROGRESS');
    await changeDatamap(runner, 'UNPUBLISH_DATAMAP', { by, id, step: 'unpublish', before: published, after });
  },
  async ARCHIVE_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const change = { by, id: await datamapOf(runner, by), before: content('DRAFT'), after: content('ARCHIVED') };
    await changeDatamap(runner, 'ARCHIVE_DATAMAP', { ...change, step: 'archive' });
  },
  async DELETE_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const change = { by, id: await datamapOf(runner, by), before: content('DRAFT'), after: null };
    await changeDatamap(runner, 'DELETE_DATAMAP', { ...change, method: 'DELETE', status: 204 });
  },
  async SET_DATAMAP_ACTIVITY(runner) {
    const by = await runner.person(['steward']);
    const id = await datamapOf(runner, by);
    await runner.act({
      action: 'SET_DATAMAP_ACTIVITY',
      by,
      method: 'PUT',
      path: `/datamap/${id}/activity`,
      body: { rating: 4, vote: 'up' },
      record: () => ({
        target: 'map',
        metadata: {
          datamap_id: id,
          before: { is_favourite: null, rating: null, vote: null },
          after: { is_favourite: null, rating: 4, vote: 'UP' },
        },
      }),
    });
  },
};

const IMPORTED = 1_000;

/** Starts an import that takes long enough to be cancelled, and returns its id. */
async function startImport({ act }: ScenarioRunner, by: Actor): Promise<string> {
  const missing = { type: 'TABLE', id: 'demo.vega.no_such_table', description: 'x' };
  const { body } = await act({
    action: 'START_METADATA_IMPORT',
    by,
    path: '/metadata/imports?dry_run=true',
    body: { metadata_objects: Array.from({ length: IMPORTED }, () => missing) },
    status: 202,
    record: (answer) => ({
      target: answer.body.import_id,
      metadata: { format: 'json', dry_run: true, total_count: IMPORTED },
    }),
  });
  return body.import_id as string;
}

const cancelImport = async ({ act }: ScenarioRunner, by: Actor, id: string): Promise<void> =>
  void (await act({
    action: 'CANCEL_METADATA_IMPORT',
    by,
    method: 'DELETE',
    path: `/metadata/imports/${id}`,
    status: 202,
    record: ({ body }) => ({
      target: id,
      metadata: { processed_count: body.processed_count, total_count: IMPORTED },
    }),
  }));

export const catalogScenarios: Scenarios = {
  ...domainScenarios,
  ...datamapScenarios,
  async IMPORT_METADATA(runner) {
    const by = await runner.person(['steward']);
    const id = await datamapOf(runner, by);
    const request = {
      action: 'IMPORT_METADATA',
      by,
      path: '/metadata/import',
      body: { metadata_objects: [{ type: 'DATAMAP', id, tags: ['sold'] }] },
      headers: { 'idempotency-key': `key-${id}` },
    } as const;
    const objects = [
      {
        type: 'DATAMAP',
        id,
        fact_id: id,
        success: true,
        error_message: null,
        changes: [{ field: null, property: 'tags', before: [], after: ['sold'] }],
      },
    ];
    await runner.act({ ...request, record: () => ({ target: id, metadata: { dry_run: false, objects } }) });
    await runner.act({ ...request, record: () => ({ target: id, metadata: { replayed: true } }) });
  },
  async EXPORT_METADATA({ act, person }) {
    await act({
      action: 'EXPORT_METADATA',
      by: await person(['steward']),
      path: '/metadata/export?type=DATAMAP&prefix=0&format=csv&all=true',
      record: () => ({ target: '0', metadata: { type: 'DATAMAP', prefix: '0', format: 'csv', all: true } }),
    });
  },
  async START_METADATA_IMPORT(runner) {
    await startImport(runner, await runner.person(['steward']));
  },
  async CANCEL_METADATA_IMPORT(runner) {
    const by = await runner.person(['steward']);
    await cancelImport(runner, by, await startImport(runner, by));
  },
  async READ_METADATA_IMPORT(runner) {
    const by = await runner.person(['steward']);
    const id = await startImport(runner, by);
    await cancelImport(runner, by, id);
    await runner.act({
      action: 'READ_METADATA_IMPORT',
      by,
      path: `/metadata/imports/${id}/report?failed=true`,
      record: () => ({ target: id, metadata: { format: 'json', failed: true } }),
    });
  },
  async START_HARVEST({ act, person }) {
    await act({
      action: 'START_HARVEST',
      by: await person(['admin']),
      method: 'POST',
      path: '/admin/harvest',
      status: 202,
      record: ({ body }) => ({ target: body.run_id, metadata: { state: body.state } }),
    });
  },
  async READ_HARVESTS({ act, person }) {
    await act({
      action: 'READ_HARVESTS',
      by: await person(['admin']),
      path: '/admin/harvest',
      record: () => ({ target: 'harvests', metadata: {} }),
    });
  },
};
