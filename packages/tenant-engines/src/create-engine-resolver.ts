import { duckDbEngines } from './duckdb-engines.ts';
import type { EngineOf } from './engine-of.ts';
import type { TenantEngineSettings } from './tenant-engine-settings.ts';
import { trinoEngines } from './trino-engines.ts';

/** Trino where the settings name one, else DuckDB. Throws a SettingsError when they cannot be meant so. */
export const chooseEngines = (settings: TenantEngineSettings): EngineOf =>
  settings.engineUrl === undefined ? duckDbEngines(settings) : trinoEngines(settings, settings.engineUrl);
