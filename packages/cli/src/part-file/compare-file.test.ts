import { expect, it } from '@jest/globals';
import { compareFile } from './compare-file.ts';

const RECEIPT = {
  query_id: 'q',
  state: 'FINISHED',
  rows: 1,
  bytes: 4,
  sha256: 'aa',
  limited: false,
  started_ts: 1,
  ended_ts: 2,
  error: null,
} as const;
const FILE = { bytes: 4, sha256: 'aa' };
const OTHER = { bytes: 4, sha256: 'bb' };
const FORGED = { ...RECEIPT, sha256: 'bb' };

it.each([
  ['matches', FILE, RECEIPT, RECEIPT],
  ['matches_kept', FILE, RECEIPT, 'offline'],
  ['file_changed', OTHER, RECEIPT, RECEIPT],
  ['file_changed', OTHER, RECEIPT, 'offline'],
  ['file_changed', OTHER, RECEIPT, 'unknown_query'],
  ['file_changed', { bytes: 5, sha256: 'aa' }, RECEIPT, RECEIPT],
  ['receipt_changed', FILE, FORGED, RECEIPT],
  ['receipt_changed', OTHER, FORGED, RECEIPT],
  ['receipt_changed', FILE, { ...RECEIPT, rows: 2 }, RECEIPT],
  ['unknown_query', FILE, RECEIPT, 'unknown_query'],
  ['not_your_query', FILE, RECEIPT, 'not_your_query'],
] as const)('is %s', (expected, file, kept, server) => {
  expect(compareFile(file, kept, server)).toBe(expected);
});
