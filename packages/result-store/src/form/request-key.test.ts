import { expect, it } from '@jest/globals';
import { type ResultRequest, requestKeyOf } from './request-key.ts';

const STORE_KEY = Buffer.alloc(32, 7);
const TENANT = '11111111-1111-4111-8111-111111111111';
const bigint = { name: 'bigint' };
const REQUEST: ResultRequest = {
  engine: 'duckdb',
  sql: 'SELECT $a, $b',
  parameters: [
    { name: 'a', type: bigint, value: '1' },
    { name: 'b', type: bigint, value: '2' },
  ],
  timeZone: 'UTC',
  rowsMax: undefined,
};
const hexOf = (change: Partial<ResultRequest> = {}, tenant = TENANT, storeKey = STORE_KEY): string =>
  requestKeyOf(storeKey, tenant, { ...REQUEST, ...change }).toString('hex');

it('the key of a request is the same for the same request, in any order of its parameters', () => {
  expect(hexOf()).toMatch(/^[0-9a-f]{64}$/);
  expect(hexOf({ parameters: [...REQUEST.parameters].reverse() })).toBe(hexOf());
});

it('the key of a request differs by each input, the tenant and the key of the deployment', () => {
  const [a, b] = REQUEST.parameters;
  const keys = [
    hexOf(),
    hexOf({ engine: 'trino' }),
    hexOf({ sql: 'SELECT $a, $b ' }),
    hexOf({ timeZone: 'Europe/Berlin' }),
    hexOf({ rowsMax: 10 }),
    hexOf({ catalog: 'shop' }),
    hexOf({ schema: 'shop' }),
    hexOf({ catalog: 'shop', schema: 'main' }),
    hexOf({ catalog: 'main', schema: 'shop' }),
    hexOf({ parameters: a === undefined ? [] : [a] }),
    hexOf({
      parameters: [
        { name: 'a', type: bigint, value: '12' },
        { name: 'b', type: bigint, value: '' },
      ],
    }),
    hexOf({ parameters: [{ name: 'a', type: { name: 'varchar' }, value: '1' }, ...(b === undefined ? [] : [b])] }),
    hexOf({ parameters: [{ name: 'a', type: bigint, value: null }, ...(b === undefined ? [] : [b])] }),
    hexOf({}, '22222222-2222-4222-8222-222222222222'),
    hexOf({}, TENANT, Buffer.alloc(32, 8)),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it('the key of a request that names no catalog and no schema is that of earlier versions', () => {
  expect(hexOf({ catalog: undefined, schema: undefined })).toBe(hexOf());
  expect(hexOf()).toBe('65416408960601f4031b64eec830a516d344876fdab0ce4357cf07d511d4a2f3');
});
