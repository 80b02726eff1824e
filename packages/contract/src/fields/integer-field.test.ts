import { describe, expect, it } from '@jest/globals';
import { integerField, integerText } from './integer-field.ts';

const messagesOf = (schema: ReturnType<typeof integerField> | ReturnType<typeof integerText>, input: unknown) =>
  schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [];

describe('integerField', () => {
  const size = integerField('size', { min: 1, max: 1000 });

  it.each([
    [2 ** 53, 'size must be at most 1000'],
    [1e300, 'size must be at most 1000'],
    [Number.POSITIVE_INFINITY, 'size must be at most 1000'],
    [1001, 'size must be at most 1000'],
    [-(2 ** 53), 'size must be at least 1'],
    [Number.NEGATIVE_INFINITY, 'size must be at least 1'],
    [0, 'size must be at least 1'],
    [1.5, 'size must be an integer'],
    ['1', 'size must be an integer'],
    [null, 'size must be an integer'],
  ])('reports one message for %p: %s', (input, message) => {
    expect(messagesOf(size, input)).toEqual([message]);
  });

  it('is limited to safe integers if it has no bounds', () => {
    const free = integerField('size', { min: 1 });
    expect(messagesOf(free, Number.MAX_SAFE_INTEGER)).toEqual([]);
    expect(messagesOf(free, Number.MAX_SAFE_INTEGER + 1)).toEqual(['size must be at most 9007199254740991']);
  });
});

describe('integerText', () => {
  const size = integerText('size', { min: 1, max: 1000 });

  it.each([
    ['9007199254740993', 'size must be from 1 to 1000'],
    ['9'.repeat(400), 'size must be from 1 to 1000'],
    ['-1', 'size must be from 1 to 1000'],
    ['0', 'size must be from 1 to 1000'],
    ['1e3', 'size must be a whole number'],
    ['', 'size must be a whole number'],
  ])('reports one message for %p: %s', (input, message) => {
    expect(messagesOf(size, input)).toEqual([message]);
  });
});
