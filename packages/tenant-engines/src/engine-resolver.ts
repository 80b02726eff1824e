import type { Tenant } from '@sluice/contract';
import type { EngineSpec } from '@sluice/query-worker';

/** The engine that serves a tenant. */
export type EngineResolver = (tenant: Tenant) => EngineSpec;
