import { expect } from '@jest/globals';
import type { AuditAction } from '@sluice/contract';
import type { Actor, AuditedRequest, ScenarioRunner, Scenarios } from './scenario-runner.ts';

const SQL = 'SELECT 1 AS one';
const content = (state: string, changes: object = {}) =>
  expect.objectContaining({ name: 'map', state, sql: SQL, description: null, ...changes });

/** Creates a datamap with its audit records, and returns its id. */
export async function createScenarioDatamap({ act }: ScenarioRunner, by: Actor): Promise<string> {
  const { body } = await act({
    action: 'CREATE_DATAMAP',
    by,
    path: '/datamap',
    body: { name: 'map', sql: SQL },
    status: 201,
    before: [{ action: 'DESCRIBE_QUERY', target: 'map', metadata: { sql: SQL, tables_read: [] } }],
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

export const datamapScenarios: Scenarios = {
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
    const id = await createScenarioDatamap(runner, by);
    const read = { action: 'READ_DATAMAP', by } as const;
    await runner.act({
      ...read,
      path: `/datamap/${id}`,
      record: () => ({ target: 'map', metadata: { datamap_id: id } }),
    });
    await runner.act({
      ...read,
      path: `/metadata/changes?type=DATAMAP&id=${id}&size=5`,
      record: () => ({ target: id, metadata: { datamap_id: id, from: 0, size: 5 } }),
    });
  },
  async DESCRIBE_QUERY(runner) {
    const by = await runner.person(['steward']);
    const id = await createScenarioDatamap(runner, by);
    const sql = 'SELECT $two AS two';
    const described = { sql, parameters: { two: 2 }, datamap_id: id, tables_read: [] };
    await runner.act({
      action: 'UPDATE_DATAMAP',
      by,
      method: 'PUT',
      path: `/datamap/${id}`,
      body: { sql, parameters: [{ name: 'two', type: 'bigint', default: 2 }] },
      before: [{ action: 'DESCRIBE_QUERY', target: 'map', metadata: described }],
      record: () => ({
        target: 'map',
        metadata: { datamap_id: id, sql, before: content('DRAFT'), after: content('IN_PROGRESS', { sql }) },
      }),
    });
  },
  CREATE_DATAMAP: async (runner) => await createScenarioDatamap(runner, await runner.person(['steward'])),
  async UPDATE_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const [body, before] = [{ description: 'One' }, content('DRAFT')];
    const change = { by, id: await createScenarioDatamap(runner, by), before, after: content('DRAFT', body) };
    await changeDatamap(runner, 'UPDATE_DATAMAP', { ...change, method: 'PUT', body });
  },
  async PUBLISH_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const change = {
      by,
      id: await createScenarioDatamap(runner, by),
      before: content('DRAFT'),
      after: content('PUBLISHED'),
    };
    await changeDatamap(runner, 'PUBLISH_DATAMAP', { ...change, step: 'publish' });
  },
  async UNPUBLISH_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const id = await createScenarioDatamap(runner, by);
    const [draft, published] = [content('DRAFT'), content('PUBLISHED')];
    await changeDatamap(runner, 'PUBLISH_DATAMAP', { by, id, step: 'publish', before: draft, after: published });
    const after = content('IN_PROGRESS');
    await changeDatamap(runner, 'UNPUBLISH_DATAMAP', { by, id, step: 'unpublish', before: published, after });
  },
  async ARCHIVE_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const change = {
      by,
      id: await createScenarioDatamap(runner, by),
      before: content('DRAFT'),
      after: content('ARCHIVED'),
    };
    await changeDatamap(runner, 'ARCHIVE_DATAMAP', { ...change, step: 'archive' });
  },
  async DELETE_DATAMAP(runner) {
    const by = await runner.person(['steward']);
    const change = { by, id: await createScenarioDatamap(runner, by), before: content('DRAFT'), after: null };
    await changeDatamap(runner, 'DELETE_DATAMAP', { ...change, method: 'DELETE', status: 204 });
  },
  async SET_DATAMAP_ACTIVITY(runner) {
    const by = await runner.person(['steward']);
    const id = await createScenarioDatamap(runner, by);
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
