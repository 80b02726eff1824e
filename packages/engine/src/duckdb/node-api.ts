import { createRequire } from 'node:module';
import type * as NodeApi from '@duckdb/node-api';

// With `import`, Node.js reads each of this CommonJS package's hundred files to find exported names, which takes half of the
// start time of a query worker (0.2 s of processor time, measured).
const nodeApi = createRequire(import.meta.url)('@duckdb/node-api') as typeof NodeApi;

export const {
  BIGINT,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBTypeId,
  DuckDBUUIDValue,
  INTEGER,
  LIST,
  SQLNULL,
  TIME,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  UUID,
  VARCHAR,
} = nodeApi;
export type DuckDBInstance = NodeApi.DuckDBInstance;
export type DuckDBTypeId = NodeApi.DuckDBTypeId;
