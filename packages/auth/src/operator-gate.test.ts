import { describe, expect, it } from '@jest/globals';
import { createOperatorGate } from './operator-gate.ts';

const TOKEN = 'a token of the operator, long enough';

const startGate = () => {
  const clock = { nowMs: 1_000_000 };
  const gate = createOperatorGate({ token: TOKEN.replaceAll(' ', '-'), now: () => clock.nowMs });
  const right = `Bearer ${TOKEN.replaceAll(' ', '-')}`;
  const codeOf = (authorization: string | undefined, address = '192.0.2.1'): string => {
    try {
      gate(authorization, address);
      return 'passes';
    } catch (thrown) {
      return String(Reflect.get(Object(thrown), 'code'));
    }
  };
  return { clock, right, codeOf };
};

describe('createOperatorGate', () => {
  it('accepts only the token, with a case-insensitive scheme', () => {
    const { right, codeOf } = startGate();
    expect([right, right.replace('Bearer', 'bEARER'), ` ${right} `].map((each) => codeOf(each))).toEqual([
      'passes',
      'passes',
      'passes',
    ]);
    for (const wrong of [
      undefined,
      '',
      right.slice(7),
      `${right}x`,
      right.slice(0, -1),
      `${right} x`,
      `Basic ${right.slice(7)}`,
    ]) {
      expect(codeOf(wrong, String(wrong))).toBe('unauthorized');
    }
  });

  it('delays an address after five failures, with delays that double up to a minute, and no other address', () => {
    const { clock, codeOf } = startGate();
    for (let index = 0; index < 5; index += 1) expect(codeOf('Bearer guess')).toBe('unauthorized');
    for (const delayMs of [5000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
      clock.nowMs += delayMs - 1;
      expect([codeOf('Bearer guess'), codeOf('Bearer guess', '192.0.2.2')]).toEqual([
        'too_many_requests',
        'unauthorized',
      ]);
      clock.nowMs += 1;
      expect(codeOf('Bearer guess')).toBe('unauthorized');
    }
  });

  it('accepts the token after any number of failures from the same address', () => {
    const { right, codeOf } = startGate();
    for (let index = 0; index < 20; index += 1) codeOf('Bearer guess');
    expect([codeOf(right), codeOf('Bearer guess'), codeOf(right)]).toEqual(['passes', 'too_many_requests', 'passes']);
  });

  it('removes failures after 15 minutes, and the oldest of more than 10,000 addresses', () => {
    const { clock, codeOf } = startGate();
    for (let index = 0; index < 4; index += 1) codeOf('Bearer guess');
    clock.nowMs += 15 * 60_000 + 1;
    expect(codeOf('Bearer guess')).toBe('unauthorized');
    expect(codeOf('Bearer guess')).toBe('unauthorized');
    for (let index = 0; index < 5; index += 1) codeOf('Bearer guess', 'first');
    expect(codeOf('Bearer guess', 'first')).toBe('too_many_requests');
    for (let index = 0; index < 10_000; index += 1) codeOf('Bearer guess', `address ${index}`);
    expect(codeOf('Bearer guess', 'first')).toBe('unauthorized');
  });
});
