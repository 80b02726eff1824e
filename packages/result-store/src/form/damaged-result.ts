/** A kept result that is not as it was written: a chunk is changed, missing, of another result, or in another place. */
export class DamagedResultError extends Error {
  override readonly name = 'DamagedResultError';
}
