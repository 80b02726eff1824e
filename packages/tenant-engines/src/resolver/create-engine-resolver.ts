import type { TenantEngineSettings } from '../settings/tenant-engine-settings.ts';
import { createDuckDbResolver } from './create-duckdb-resolver.ts';
import { createTrinoResolver } from './create-trino-resolver.ts';
import type { EngineResolver } from './engine-resolver.ts';

/** Creates the resolver for Trino if the settings have its address, otherwise for DuckDB. Throws a SettingsError for invalid settings. */
export const createEngineResolver = (settings: TenantEngineSettings): EngineResolver =>
  settings.engineUrl === undefined ? createDuckDbResolver(settings) : createTrinoResolver(settings, settings.engineUrl);
