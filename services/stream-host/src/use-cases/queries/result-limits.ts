import { ProblemError, type ResultLimits } from '@sluice/contract';

/** Size of a result including the rows that are about to be sent. */
interface ResultSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Throws `resource_limit` when a result exceeds the limits of its tenant. */
export function checkResultLimits({ rowsMax, bytesMax }: ResultLimits, { rows, bytes }: ResultSize): void {
  if (rowsMax !== undefined && rows > rowsMax) throw overLimit(`${rowsMax} rows`);
  if (bytesMax !== undefined && bytes > bytesMax) throw overLimit(`${bytesMax} bytes`);
}

const overLimit = (limit: string): ProblemError =>
  new ProblemError('resource_limit', `The result exceeds the limit of ${limit}. The data that was sent is incomplete.`);
