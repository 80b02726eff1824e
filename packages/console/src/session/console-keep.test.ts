import { describe, expect, it } from '@jest/globals';
import { consoleKeepOf } from './console-keep.ts';
import type { CurrentUser } from './session-state.ts';

const userWith = (limits: object): CurrentUser => ({ limits }) as CurrentUser;

describe('consoleKeepOf', () => {
  it('returns the time of the tenant, and nothing where it or the host keeps nothing', () => {
    expect(consoleKeepOf(userWith({ console_keep: '24h' }))).toBe('24h');
    expect(consoleKeepOf(userWith({ console_keep: null }))).toBeUndefined();
    expect(consoleKeepOf(userWith({}))).toBeUndefined();
  });
});
