import type { BodyFault } from '@sluice/testkit';
import type { FaultCase, FaultTarget } from './fault-case.ts';

/** Places in a body, from before its first byte to after its last one. A body whose size varies is not cut close to its end. */
function offsetsOf({ whole, isStable }: FaultTarget): readonly (readonly [place: string, afterBytes: number])[] {
  const size = whole.length;
  const last = isStable ? size - 1 : size - 100;
  const row = whole.lastIndexOf('\n', size - 2);
  return [
    ['before the first byte', 0],
    ['in the head', 2],
    ['in mid-row', Math.floor(size / 2) + 1],
    ...(isStable ? [['before the last row', row > 0 ? row : size - 3] as const] : []),
    ['before the last byte', last],
  ];
}

const MESSAGES = {
  cut: /^error: The connection was cut before the result was complete\. Run the query again\. out\.file was not written\.$/,
  reset:
    /^error: The connection was cut before the result was complete\. Run the query again\. out\.file was not written\.$/,
  end: /^error: The download is not complete: .*\. Run it again\. out\.file was not written\.$/,
  stall:
    /^error: Nothing arrived for 400 ms, so the result is incomplete\. Run the query again\. out\.file was not written\.$/,
} as const;

/** A body that is cut, reset, ended early or stalled at each place. After the last byte, only the end of the transfer is missing. */
export function bodyFaults(target: FaultTarget): FaultCase[] {
  const all = offsetsOf(target);
  const placesOf = (kind: keyof typeof MESSAGES) => {
    if (kind === 'reset') return all.slice(2, 3);
    if (kind === 'stall') return [all[0], all.at(-1)].filter((each) => each !== undefined);
    return kind === 'cut' && target.isStable ? [...all, ['after the last byte', target.whole.length] as const] : all;
  };
  return (['cut', 'reset', 'end', 'stall'] as const).flatMap((kind) =>
    placesOf(kind).map(([place, afterBytes]): FaultCase => {
      const fault: BodyFault = { kind, afterBytes };
      return {
        target: target.name,
        fault: `${kind} ${place}`,
        words: target.words(''),
        file: 'out.file',
        ...(kind === 'stall' ? { env: { SLUICE_IDLE_TIMEOUT: '0.4' } } : {}),
        damage: (proxy) => proxy.damage(target.path, fault),
        exitCode: 3,
        message: MESSAGES[kind],
        leaves: 'nothing',
      };
    }),
  );
}

/** The same cuts when the file goes to stdout: what was written stays, the exit code and one sentence tell. */
export function stdoutFaults(target: FaultTarget): FaultCase[] {
  return offsetsOf(target).flatMap(([place, afterBytes]) =>
    (['cut', 'end'] as const).map(
      (kind): FaultCase => ({
        target: `${target.name} -o -`,
        fault: `${kind} ${place}`,
        words: target.words(''),
        damage: (proxy) => proxy.damage(target.path, { kind, afterBytes }),
        exitCode: 3,
        message: /What was written to stdout is not a whole file\.$/,
        leaves: 'nothing',
        isPartOf: target.whole.subarray(0, afterBytes),
      }),
    ),
  );
}
