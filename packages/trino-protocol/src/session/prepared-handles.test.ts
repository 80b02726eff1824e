import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PreparedHandles } from './prepared-handles.ts';

const KEY = Buffer.alloc(32, 7);
const handles = new PreparedHandles(KEY);
const LONG = `SELECT ${Array.from({ length: 60 }, (_, n) => `column_${n}`).join(', ')} FROM t WHERE a = ?`;
const INVALID = expect.objectContaining({ errorName: 'INVALID_ARGUMENTS' });

it('keeps a short statement as it is, and a long one as something shorter', () => {
  expect(handles.write('SELECT ?')).toBe('SELECT ?');
  const value = handles.write(LONG);
  expect(value).toMatch(/^\$sluice1:[\w-]+$/);
  expect(value.length).toBeLessThan(LONG.length / 2);
});

it('returns each statement on any host that has the key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(20), (text, times) => {
      const sql = `${text}${LONG.repeat(times)}`;
      expect(new PreparedHandles(Uint8Array.from(KEY)).read(handles.write(sql))).toBe(sql);
    }),
    { numRuns: 200 },
  );
});

it('reads back a statement that looks like a handle', () => {
  for (const sql of ['$sluice1:', '$sluice1:abcd']) expect(handles.read(handles.write(sql))).toBe(sql);
});

it('refuses a handle that is forged, cut or changed in any character, and one of another key', () => {
  const value = handles.write(LONG);
  const other = new PreparedHandles(Buffer.alloc(32, 8)).write(LONG);
  const forged = ['$sluice1:', '$sluice1:AAAA', value.slice(0, -4), `${value}AAAA`, other];
  for (const text of forged) expect(() => handles.read(text)).toThrow(INVALID);
  for (let at = '$sluice1:'.length; at < value.length - 1; at += 1) {
    const changed = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
    expect(() => handles.read(changed)).toThrow(INVALID);
  }
});

it('refuses to prepare a statement that no header can hold, and names the other way', () => {
  const values = Array.from({ length: 9_000 }, (_, n) => `'${(n * 2_654_435_761) % 4_294_967_296}'`);
  expect(() => handles.write(`SELECT * FROM t WHERE id IN (${values.join()})`)).toThrow(/EXECUTE IMMEDIATE/);
});
