import { issuerOf } from '@sluice/auth';
import type { Principal } from '@sluice/contract';
import type { Route } from '@sluice/http';
import type { StreamHostSettings } from '../config.ts';
import { doorQueryRoutes } from '../routes/door/query-routes.ts';
import { doorServerRoutes } from '../routes/door/server-routes.ts';
import { statementRoutes } from '../routes/door/statement-routes.ts';
import { createBeginStatement } from '../use-cases/door/begin-statement.ts';
import { createCancelStatement } from '../use-cases/door/cancel-statement.ts';
import { createDescribeOutput } from '../use-cases/door/describe-output.ts';
import { createDescribeStatement } from '../use-cases/door/describe-statement.ts';
import { createReadPage, createWantPages } from '../use-cases/door/read-page.ts';
import { createReadStatement } from '../use-cases/door/read-statement.ts';
import { createRecordRefusal } from '../use-cases/door/record-refusal.ts';
import type { StreamHostContext } from './context.ts';
import type { UseCases } from './use-cases.ts';

/** Returns the routes of the door; none if the deployment has none. */
export function doorRoutes(context: StreamHostContext, { startQuery, cancelQuery }: UseCases): readonly Route[] {
  const { door, settings } = context;
  if (door === undefined) return [];
  const dependencies = { ...context, ...door };
  const cancelStatement = createCancelStatement({ cancelQuery, ...door });
  return [
    ...statementRoutes({
      beginStatement: createBeginStatement({
        ...door,
        audit: context.audit,
        startQuery,
        readStatement: createReadStatement({ ...context, ...door }),
        describeOutput: createDescribeOutput(context),
        cancelQuery,
        recordRefusal: createRecordRefusal(context),
        keepsResults: context.keptResults !== undefined,
        keepDefaults: settings,
      }),
      readPage: createReadPage(dependencies),
      wantPages: createWantPages(dependencies),
      cancelStatement,
      pageMarks: door.pageMarks,
      infoUriOf: (account, queryId) => `${consoleOf(settings, account)}/results/${queryId}`,
    }),
    ...doorQueryRoutes({ describeStatement: createDescribeStatement(context), cancelStatement }),
    ...doorServerRoutes(context),
  ];
}

/** Address of the console, on the API host, whose origin is that of the tenant's issuer. */
const consoleOf = (settings: StreamHostSettings, { tenant }: Principal): string =>
  `${new URL(issuerOf(settings, tenant.name)).origin}/console`;
