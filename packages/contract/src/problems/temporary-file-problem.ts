import { ProblemError } from './problem-error.ts';

/**
 * Returns the problem that a failure on one of our own temporary files is to its caller: `storage_unavailable` for every error of the
 * file system, such as ENOSPC, EDQUOT, ENOENT and EIO. Returns any other value unchanged.
 */
export const temporaryFileProblem = (thrown: unknown): unknown =>
  isSystemError(thrown) ? storageUnavailable(thrown) : thrown;

export const storageUnavailable = (cause: unknown): ProblemError =>
  new ProblemError(
    'storage_unavailable',
    'The server could not use its folder for temporary files, which may be full. Send the query again in a moment.',
    { cause },
  );

/** Checks whether the operating system reported an error. The codes of Node.js's own errors have no number. */
const isSystemError = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'errno' in thrown && typeof thrown.errno === 'number';
