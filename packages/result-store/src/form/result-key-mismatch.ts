/** The key of a kept result cannot be unwrapped with the key of this deployment: it was wrapped under another one, or was changed. */
export class ResultKeyMismatchError extends Error {
  override readonly name = 'ResultKeyMismatchError';
}
