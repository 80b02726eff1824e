import { expect, it } from '@jest/globals';
import { type QueryRow, receiptOf } from './query-mapper.ts';

const row: QueryRow = {
  query_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  account_kind: 'user',
  account_id: '9b2f7f6e-5ad5-4f0e-8a25-3a3d6d2f1c11',
  host_id: '61ec458d-10e5-4741-ad08-5859502f4315',
  state: 'FINISHED',
  rows: '9007199254740991',
  bytes: '12',
  sha256: 'ab',
  limited: false,
  at_least: false,
  started: new Date(1000),
  ended: new Date(2000),
  error: null,
  cancel_requested: false,
  failure: null,
};

it('receiptOf converts digits and times, and marks numbers as a lower bound only when they are', () => {
  const receipt = receiptOf(row);
  expect(receipt).toMatchObject({ rows: 9007199254740991, bytes: 12, started_ts: 1000, ended_ts: 2000, sha256: 'ab' });
  expect('at_least' in receipt).toBe(false);
  expect(receiptOf({ ...row, at_least: true })).toMatchObject({ at_least: true });
  expect(receiptOf({ ...row, state: 'RUNNING', ended: null })).toMatchObject({ ended_ts: null });
});
