import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TenantSettings } from '@sluice/contract';
import fc from 'fast-check';
import type { RunningQuery } from '../../queries/running-queries.ts';
import { SentBody } from './sent-body.ts';

function fixture(limits: TenantSettings = {}) {
  const live = { rows: 0, bytes: 0 } as RunningQuery;
  return { live, body: new SentBody(live, limits) };
}
const rows = (count: number, text: string) => ({ rows: count, bytes: Buffer.from(text) });

describe('SentBody', () => {
  it('counts and hashes the bytes of strings and rows, whatever their pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'binary' }))), fc.string(), (pieces, tail) => {
        const { live, body } = fixture();
        const sent = pieces.map(([isRow, text]) => (isRow ? body.addRows(rows(1, text)) : body.add(text)));
        const bytes = Buffer.concat(sent);
        expect(live).toEqual({ rows: pieces.filter(([isRow]) => isRow).length, bytes: bytes.length });
        const whole = Buffer.concat([bytes, Buffer.from(tail)]);
        const end = body.endedBy(Buffer.from(tail));
        expect([end.bytes, end.whole?.digest()]).toMatchObject([
          bytes.length,
          { bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') },
        ]);
      }),
    );
  });

  it('has no digest if it is cut', () => {
    const { body } = fixture();
    body.add('id\r\n');
    expect(body.endedBy(undefined)).toEqual({ bytes: 4, whole: undefined });
  });

  it.each([
    ['rows', { rowsMax: 2 }],
    ['bytes', { bytesMax: 4 }],
  ])('accepts rows up to the limit of %s, and counts none above it', (_name, limits) => {
    const { live, body } = fixture(limits);
    body.addRows(rows(1, 'ab'));
    body.addRows(rows(1, 'cd'));
    expect(() => body.addRows(rows(1, 'e'))).toThrow('exceeds the limit');
    expect(live).toEqual({ rows: 2, bytes: 4 });
  });

  it('counts nothing as sent after its cut, and has the limits of the whole body', () => {
    const { live, body } = fixture({ rowsMax: 3, bytesMax: 6 });
    const released: string[] = [];
    body.addRows({ ...rows(1, 'ab'), release: () => void released.push('ab') });
    body.cut();
    const lent = { ...rows(1, 'cd'), release: () => void released.push('cd') };
    body.release(body.addRows(lent));
    expect(live).toEqual({ rows: 2, bytes: 2 });
    expect(body.endedBy(Buffer.from('end'))).toEqual({ bytes: 2, whole: undefined });
    // What the connection still had is left to the garbage collector.
    expect(released).toEqual(['cd']);
    expect(() => body.addRows(rows(1, 'efg'))).toThrow('exceeds the limit of 6 bytes');
  });

  it('reports a piece of a row that is not its last one', () => {
    const { body } = fixture();
    const states = [0, 0, 1, 2].map((count) => {
      body.addRows(rows(count, 'x'));
      return body.isInRow;
    });
    expect(states).toEqual([true, true, false, false]);
  });
});
