import type { ProblemDetail } from '../../problems/problem-error.ts';

/** Mistake in a file that makes the rest of it unreadable. `path` names the line. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly detail: ProblemDetail;

  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.detail = { path, message };
  }
}
