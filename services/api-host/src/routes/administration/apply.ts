import { apiOperations, callerOf } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import { type ApplyFileContext, applyFile } from '../../resources/administration/apply/apply-file.ts';

/** POST /admin/apply */
export const applyRoute = (context: ApplyFileContext): Route =>
  route(apiOperations.applyConfiguration, async (request) => {
    const { body, query, baseUrl, signal } = request;
    const file = query.dry_run === true ? { ...body, dry_run: true } : body;
    return json(200, await applyFile(context, callerOf(request), { file, baseUrl, signal }));
  });
