import type { FormatRequirement } from '@sluice/contract';
import type { EngineSpec } from './engine-spec.ts';

/** Capabilities of an engine beyond running statements and returning rows. */
interface EngineCapabilities extends Readonly<Record<FormatRequirement, boolean>> {
  /** Product name, for messages. */
  readonly vendorName: string;
  /** Writes the file of a result itself (Parquet). */
  readonly writesFiles: boolean;
  /** Runs statements outside the worker process, where they continue after the worker was killed. */
  readonly runsRemotely: boolean;
}

const CAPABILITIES = {
  duckdb: { vendorName: 'DuckDB', writesFiles: true, runsRemotely: false },
  trino: { vendorName: 'Trino', writesFiles: false, runsRemotely: true },
} as const satisfies Record<EngineSpec['kind'], EngineCapabilities>;

export const engineCapabilities = ({ kind }: Pick<EngineSpec, 'kind'>): EngineCapabilities => CAPABILITIES[kind];
