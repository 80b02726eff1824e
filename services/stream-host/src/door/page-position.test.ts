import { describe, expect, it } from '@jest/globals';
import { presentPosition, readPosition } from './page-position.ts';

const CAPABLE = { parametricDatetime: true, number: true };

describe('the position of a page', () => {
  it.each([
    ['0', { rows: 0, capabilities: CAPABLE, isPrepared: false }],
    ['123456789012345', { rows: 123_456_789_012_345, capabilities: CAPABLE, isPrepared: false }],
    ['7m', { rows: 7, capabilities: { ...CAPABLE, parametricDatetime: false }, isPrepared: false }],
    ['7v', { rows: 7, capabilities: { ...CAPABLE, number: false }, isPrepared: false }],
    ['0mvp', { rows: 0, capabilities: { parametricDatetime: false, number: false }, isPrepared: true }],
  ])('is read as it was written: %s', (text, position) => {
    expect([presentPosition(position), readPosition(text)]).toEqual([text, position]);
  });

  it.each(['', '-1', '00', '1.0', '7vm', '7mm', '7x', 'm', '1234567890123456', '7 ', '٣'])('is not %j', (text) => {
    expect(readPosition(text)).toBeUndefined();
  });
});
