import { CUT } from '@sluice/testkit/statements';
import type { Cut } from './assert-cut.ts';

/** One way in which a query ends before its result is complete. */
export interface Stop {
  /** Returns a statement that returns nothing more from this row on. */
  sql(row: number): string;
  /** Returns how the result ends. */
  cut(row: number): Cut;
  /** Whether the statement ends by itself. Otherwise the test stops the running query. */
  readonly endsItself: boolean;
}

const failedCast = (row: number, location: object | undefined): Cut => ({
  row,
  code: 'DATA_ERROR',
  status: 400,
  message: new RegExp(`^${CUT.failedCast(row)}`),
  ...(location === undefined ? {} : { location }),
});

const failure = (row: number): Cut => ({
  row,
  code: 'DATA_ERROR',
  status: 400,
  message: new RegExp(`^boom at row ${row}$`),
});

/** All stops on the tested engine. Tests combine them with `FORMATS` and with the rows of `CUT`. */
export const STOPS = {
  'error() from a row on': { endsItself: true, sql: CUT.errorIn, cut: failure },
  'error() in one row': { endsItself: true, sql: CUT.errorInOnly, cut: failure },
  'a failed cast from a row on': {
    endsItself: true,
    sql: CUT.failedCastIn,
    cut: (row) => failedCast(row, CUT.castLocation(row)),
  },
  'a failed cast in one row': {
    endsItself: true,
    sql: CUT.failedCastInOnly,
    cut: (row) => failedCast(row, CUT.castInOnlyLocation),
  },
  cancel: {
    endsItself: false,
    sql: CUT.silentFrom,
    cut: (row) => ({ row, code: 'QUERY_CANCELLED', status: 409, message: /cancelled by its caller/ }),
  },
  'killed worker': {
    endsItself: false,
    sql: CUT.silentFrom,
    cut: (row) => ({ row, code: 'ENGINE_CRASHED', status: 503, message: /killed from outside/ }),
  },
} as const satisfies Record<string, Stop>;
