import { describe, expect, it } from '@jest/globals';
import { apiOperations } from '@sluice/contract';
import { pathOf, validate } from './validate.ts';

const { schema } = apiOperations.importMetadata.body;
const repeated = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const importOf = (objects: number, object: unknown) => ({ metadata_objects: repeated(objects, object) });

/** Paths of all violations. None of the bodies here has unknown keys. */
const allPaths = (input: unknown): readonly string[] =>
  schema.safeParse(input).error?.issues.map(({ path }) => pathOf('body', path)) ?? [];

describe('validate', () => {
  it('counts all violations and lists the first', () => {
    const input = importOf(10, { type: 'TABLE', id: 'a.b.c', tags: repeated(50, 1) });
    const { details, violations, isStopped } = validate('body', schema, input, 100);
    expect([violations, isStopped]).toEqual([500, false]);
    expect(details.map(({ path }) => path)).toEqual(allPaths(input).slice(0, 100));
  });

  it.each([
    ['elements', importOf(50, { type: 'TABLE', id: 'a.b.c', tags: repeated(900, 1) })],
    ['elements that are not aborted', importOf(50, { type: 'TABLE', id: 'a.b.c', tags: repeated(900, '') })],
    ['objects', importOf(50, { fields: repeated(900, {}) })],
    ['objects with lists', importOf(50, { fields: repeated(100, { tags: repeated(9, 1), description: 5 }) })],
  ])('stops after a thousand violations of %s, and lists the same first ones', (_what, input) => {
    const { details, violations, isStopped } = validate('body', schema, input, 1_000);
    expect(isStopped).toBe(true);
    expect(violations).toBeGreaterThanOrEqual(1_000);
    expect(violations).toBeLessThan(1_100);
    expect(details.map(({ path }) => path)).toEqual(allPaths(input).slice(0, 1_000));
  });

  it('checks all of a valid list', () => {
    const input = importOf(50, { type: 'TABLE', id: 'a.b.c', tags: repeated(900, ' a ') });
    const valid = validate('body', schema, input, 100);
    expect([valid.violations, valid.value]).toEqual([0, schema.parse(input)]);
  });
});
