import { expect, it } from '@jest/globals';
import { checkResultLimits } from './result-limits.ts';

it.each([
  [{ rowsMax: 10, bytesMax: 100 }, { rows: 10, bytes: 100 }, undefined],
  [{ rowsMax: undefined, bytesMax: undefined }, { rows: 1e9, bytes: 1e12 }, undefined],
  [{ rowsMax: 10, bytesMax: 100 }, { rows: 11, bytes: 1 }, '10 rows'],
  [{ rowsMax: 10, bytesMax: 100 }, { rows: 1, bytes: 101 }, '100 bytes'],
  [{ rowsMax: 0, bytesMax: undefined }, { rows: 1, bytes: 0 }, '0 rows'],
])('limits of %j for a result of %j', (limits, size, exceeded) => {
  const check = (): void => checkResultLimits(limits, size);
  if (exceeded === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(`The result exceeds the limit of ${exceeded}. The data that was sent is incomplete.`);
});
