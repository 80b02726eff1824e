import type { EngineSpec } from './engine-spec.ts';

/** Returns the host name of an engine's data; `localhost` for an engine that runs in the worker process. */
export function engineLocation(spec: EngineSpec): string {
  switch (spec.kind) {
    case 'duckdb':
      return 'localhost';
    case 'trino':
      return new URL(spec.profile.baseUrl).hostname;
  }
}
