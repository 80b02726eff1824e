import { apiOperations, callerOf } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';

/** POST /admin/apply */
export const applyRoute = ({ applyFile }: Pick<UseCases, 'applyFile'>): Route =>
  route(apiOperations.applyConfiguration, async (request) => {
    const { body, query, baseUrl, signal } = request;
    const file = query.dry_run === true ? { ...body, dry_run: true } : body;
    return json(200, await applyFile(callerOf(request), { file, baseUrl, signal }));
  });
