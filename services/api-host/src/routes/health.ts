import { apiOperations } from '@sluice/contract';
import { type HealthMonitor, healthRoutes } from '@sluice/http';
import type { ApiContext } from '../context/context.ts';

/** `/`, `/health`, `/live` and `/ready`. */
export const health = ({ lifecycle }: Pick<ApiContext, 'lifecycle'>, monitor: HealthMonitor) =>
  healthRoutes({ operations: apiOperations, service: 'sluice-api', monitor, lifecycle });
