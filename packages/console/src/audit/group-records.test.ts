import { expect, it } from '@jest/globals';
import type { AuditEntry } from '@sluice/client';
import { groupByQuery, joinOutcomes } from './group-records.ts';

const entry = (id: string, more: object = {}) =>
  ({ id, action: 'RUN_QUERY', query_id: null, metadata: {}, ...more }) as unknown as AuditEntry;

it('puts the records of one query below each other, the query first, and leaves the order of all others', () => {
  const records = [
    entry('c', { query_id: 'q', action: 'CANCEL_QUERY' }),
    entry('b'),
    entry('a', { query_id: 'q' }),
    entry('d', { query_id: 'other' }),
  ];
  expect(groupByQuery(records).map(({ entry: { id }, isPart }) => [id, isPart])).toEqual([
    ['a', false],
    ['c', true],
    ['b', false],
    ['d', false],
  ]);
});

it.each(['READ_RESULT', 'DOWNLOAD_RESULT', 'SHARE_RESULT', 'DELETE_RESULT'])(
  'puts the query above a newer %s, with several of them in the order of the list',
  (action) => {
    for (const start of ['RUN_QUERY', 'DOWNLOAD_QUERY', 'DOWNLOAD_DATAMAP', 'DOWNLOAD_MARKETPLACE']) {
      const records = [
        entry('later', { query_id: 'q', action }),
        entry('alone'),
        entry('earlier', { query_id: 'q', action }),
        entry('query', { query_id: 'q', action: start }),
      ];
      expect(groupByQuery(records).map(({ entry: { id }, isPart }) => [id, isPart])).toEqual([
        ['query', false],
        ['later', true],
        ['earlier', true],
        ['alone', false],
      ]);
    }
  },
);

it('makes no record the head of others if their query is not in the list', () => {
  const records = [
    entry('read', { query_id: 'q', action: 'READ_RESULT' }),
    entry('shared', { query_id: 'q', action: 'SHARE_RESULT' }),
  ];
  expect(groupByQuery(records).map(({ entry: { id }, isPart }) => [id, isPart])).toEqual([
    ['read', false],
    ['shared', false],
  ]);
});

it('shows an outcome in the record of its query, and alone if that is not in the list', () => {
  const live = (id: string, more: object) => ({ entry: entry(id, more), json: `{"id":"${id}"}` });
  const joined = joinOutcomes([
    live('late', { record_id: 'earlier', metadata: { state: 'FAILED' } }),
    live('end', { record_id: 'run', metadata: { state: 'FINISHED', rows: 3 } }),
    live('run', { record_id: null, metadata: { sql: 'SELECT 1' } }),
  ]);
  expect(joined.map(({ entry: { id, metadata }, json }) => [id, metadata, json])).toEqual([
    ['late', { state: 'FAILED' }, '{"id":"late"}'],
    ['run', { sql: 'SELECT 1', state: 'FINISHED', rows: 3 }, '{"id":"run"}\n{"id":"end"}'],
  ]);
});
