import { createDuckDbResolver } from './create-duckdb-resolver.ts';
import { createTrinoResolver } from './create-trino-resolver.ts';
import type { EngineResolver } from './engine-resolver.ts';
import type { TenantEngineSettings } from './tenant-engine-settings.ts';

/** Trino where the settings name one, else DuckDB. Throws a SettingsError when they cannot be meant so. */
export const createEngineResolver = (settings: TenantEngineSettings): EngineResolver =>
  settings.engineUrl === undefined ? createDuckDbResolver(settings) : createTrinoResolver(settings, settings.engineUrl);
