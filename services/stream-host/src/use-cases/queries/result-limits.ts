import { ProblemError, type TenantSettings } from '@sluice/contract';

/** What a result comes to with the rows that are about to be sent. */
export interface ResultSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Throws `resource_limit` when a tenant's results may not be so large. */
export function checkResultLimits({ rowsMax, bytesMax }: TenantSettings, { rows, bytes }: ResultSize): void {
  if (rowsMax !== undefined && rows > rowsMax) throw overLimit(`${rowsMax} rows`);
  if (bytesMax !== undefined && bytes > bytesMax) throw overLimit(`${bytesMax} bytes`);
}

const overLimit = (limit: string): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The result is larger than the ${limit} that a result may have. What was sent is not the whole result.`,
  );
