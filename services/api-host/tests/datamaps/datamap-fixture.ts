import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { getDatamap, sendAs } from './datamap-requests.ts';

/** A host with one user of each kind that matters for datamaps, and the requests that change one. */
export interface DatamapFixture extends AsyncDisposable {
  readonly test: TestHost;
  readonly steward: LoggedIn;
  readonly analyst: LoggedIn;
  readonly admin: LoggedIn;
  /** May write datamaps and run queries. */
  readonly writer: LoggedIn;
  /** May write datamaps without SQL. */
  readonly namer: LoggedIn;
  /** An admin of another tenant. */
  readonly foreigner: LoggedIn;
  /** Takes a step, such as `publish`. */
  step(who: LoggedIn, id: string, name: string, ifMatch?: string): ReturnType<typeof sendAs>;
  put(who: LoggedIn, id: string, body: object, ifMatch?: string): ReturnType<typeof sendAs>;
  remove(who: LoggedIn, id: string): ReturnType<typeof sendAs>;
  stateOf(id: string): Promise<string>;
  auditsOf(id: string): Promise<DatamapAudit[]>;
}

interface DatamapAudit {
  readonly action: string;
  readonly metadata: Record<string, unknown>;
  readonly user_name: string;
}

/** @param startHost - starts the host; default: the shared one */
export async function startDatamapFixture(startHost = shareTestHost): Promise<DatamapFixture> {
  const test = await startHost();
  await test.rows(
    `insert into roles (tenant_id, name, permissions) values ($1, 'writer', '{datamap:read,datamap:write,query:run}'),
      ($1, 'namer', '{datamap:read,datamap:write}')`,
    [test.acme.tenantId],
  );
  const admin = await logInAs(test, ['admin'], test.acme);
  const condition = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { ifMatch });
  return {
    test,
    steward: await logInAs(test, ['steward'], test.acme),
    analyst: await logInAs(test, ['analyst'], test.acme),
    admin,
    writer: await logInAs(test, ['writer'], test.acme),
    namer: await logInAs(test, ['namer'], test.acme),
    foreigner: await logInAs(test, ['admin'], test.globex),
    step: (who, id, name, ifMatch) =>
      sendAs(test, who, { method: 'POST', path: `/datamap/${id}/${name}`, ...condition(ifMatch) }),
    put: (who, id, body, ifMatch) =>
      sendAs(test, who, { method: 'PUT', path: `/datamap/${id}`, body, ...condition(ifMatch) }),
    remove: (who, id) => sendAs(test, who, { method: 'DELETE', path: `/datamap/${id}` }),
    stateOf: async (id) => (await getDatamap(test, admin, id)).body.datamap.state,
    auditsOf: (id) =>
      test.rows<DatamapAudit>(
        `select action, metadata, user_name from audit_log where metadata ->> 'datamap_id' = $1 order by occurred`,
        [id],
      ),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}
