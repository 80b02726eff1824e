import { apiOperations } from '@sluice/contract';
import { healthRoutes } from '@sluice/http';
import type { ApiContext } from '../context.ts';

/** `/`, `/health` and `/ready`. */
export const health = ({
  lifecycle,
  stores,
  shared,
  log,
}: Pick<ApiContext, 'lifecycle' | 'stores' | 'shared' | 'log'>) =>
  healthRoutes({
    operations: apiOperations,
    service: 'sluice-api',
    checks: { postgres: () => stores.database.ping(), ...shared.checks },
    lifecycle,
    log,
  });
