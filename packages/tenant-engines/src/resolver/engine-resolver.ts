import type { Tenant } from '@sluice/contract';
import type { EngineSpec } from '@sluice/engine';

/** Returns the engine that serves a tenant. */
export type EngineResolver = (tenant: Tenant) => EngineSpec;
