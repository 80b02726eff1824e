import { MismatchError } from '../errors.ts';
import { describeFinding } from './explain-verdict.ts';
import { verifyAuditFile } from './verify-file.ts';

/**
 * Passes on the bytes of a package, and verifies the part file that they were written to before it gets its name.
 * @param partPath - file that each chunk is in when the next one is requested
 * @throws MismatchError if something is not what was sealed
 */
export async function* verifyPart(
  source: AsyncIterable<Uint8Array>,
  partPath: string,
  keys: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  yield* source;
  const failure = describeFinding('The package', await verifyAuditFile(partPath, keys));
  if (failure !== undefined) throw new MismatchError(`${failure} Save it again.`);
}
