import { expect } from '@jest/globals';
import type { AuditAction } from '@sluice/contract';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { OPERATOR_TOKEN, type TestHosts } from '@sluice/testkit/hosts';
import { type Credential, logIn } from '@sluice/testkit/requests';

/** A caller with the expected user of its records. */
export interface Actor {
  readonly name: string;
  readonly credential: Credential;
  /** Null for credentials without session: Basic and the operator's token. */
  readonly sessionId: string | null;
}

/** Expected fields of a record besides user, time and address. */
export interface ExpectedRecord {
  readonly target: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Expected metadata of the outcome, for queries. */
  readonly outcome?: Readonly<Record<string, unknown>>;
  readonly queryId?: string;
  /** Session that the request opened. */
  readonly sessionId?: string;
  /** Tenant, if it is not acme. */
  readonly tenantId?: string;
  /** True for an action on the whole deployment: every tenant has the record. */
  readonly isInEachTenant?: true;
}

export interface AuditedRequest {
  readonly action: AuditAction;
  readonly by: Actor;
  readonly host?: 'api' | 'stream';
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as text. */
  readonly text?: string;
  readonly headers?: Credential;
  readonly status?: number;
  /** True for a response that never ends: it is closed after its head. */
  readonly leaves?: true;
  readonly record: (answer: ReceivedResponse) => ExpectedRecord;
  /** Actions that the same request records before. */
  readonly before?: (ExpectedRecord & { readonly action: AuditAction })[];
}

interface CommandRecord extends Omit<ExpectedRecord, 'outcome'> {
  readonly user?: string;
}

/** Sends requests and checks their audit records. */
export interface ScenarioRunner {
  readonly hosts: TestHosts;
  /** Logs in a user of acme at the API host. Both hosts accept the ID token. */
  person(roles: readonly string[]): Promise<Actor & { readonly id: string; readonly password: string }>;
  /** Makes the programs of the scenarios known to a user: a login with a new one has a second record, which only NEW_DEVICE is about. */
  knowPrograms(userId: string): Promise<void>;
  readonly operator: Actor;
  act(act: AuditedRequest): Promise<ReceivedResponse>;
  /** Runs an action without a request, for acme. Its record names only the operator, or the given user. */
  command(action: AuditAction, run: () => Promise<void>, expected: CommandRecord): Promise<void>;
  /** Returns all metadata keys that were recorded for an action and its outcomes. */
  keysOf(action: AuditAction): readonly string[];
}

interface AuditRow {
  readonly tenant_id: string;
  readonly occurred: Date;
  readonly user_name: string;
  readonly action: string;
  readonly target: string;
  readonly metadata: Record<string, unknown>;
  readonly request_id: string;
  readonly query_id: string | null;
  readonly session_id: string | null;
  readonly address: string;
  readonly user_agent: string | null;
}

const ROWS = 'select * from audit_log where request_id = $1 order by record_id nulls first, occurred';

const COMMANDED = 'select * from audit_log where tenant_id = $1 and action = $2 order by occurred desc limit 1';

/** Host and database use the same clock, which may be adjusted meanwhile. */
const CLOCK_MS = 1000;

export const anonymous = (name: string): Actor => ({ name, credential: {}, sessionId: null });

export const sessionOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;

const encodeBody = ({ body, form, text }: AuditedRequest): { headers: Credential; body?: string } => {
  if (text !== undefined) return { headers: { 'content-type': 'text/plain' }, body: text };
  if (form !== undefined) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: new URLSearchParams(form).toString() };
  }
  return body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
};

/** Returns the head of a response that never ends. */
async function sendAndLeave(url: string, headers: Readonly<Record<string, string>>): Promise<ReceivedResponse> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const head = Object.fromEntries(response.headers);
  leaving.abort();
  return { status: response.status, headers: head, bytes: Buffer.alloc(0), text: '', body: undefined, isWhole: false };
}

async function sendAudited(
  hosts: TestHosts,
  act: AuditedRequest,
  marks: Readonly<Record<string, string>>,
): Promise<ReceivedResponse> {
  const { headers: type, body } = encodeBody(act);
  const headers = { ...act.by.credential, ...type, ...act.headers, ...marks };
  const url = `${act.host === 'stream' ? hosts.url : hosts.api.url}${act.path}`;
  if (act.leaves) return sendAndLeave(url, headers);
  const method = act.method ?? (body === undefined ? 'GET' : 'POST');
  return send(url, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Returns the rows that a request wrote: one record, and for a query its outcome. */
function expectedRows(
  { action, by, record, before = [] }: AuditedRequest,
  answer: ReceivedResponse,
  acme: string,
): object[] {
  const rowOf = (expected: ExpectedRecord & { readonly action: AuditAction }) => ({
    tenant_id: expected.tenantId ?? acme,
    user_name: by.name,
    action: expected.action,
    target: expected.target,
    query_id: expected.queryId ?? null,
    session_id: expected.sessionId ?? by.sessionId,
    address: '127.0.0.1',
    user_agent: userAgentOf(action),
    metadata: expected.metadata,
  });
  const expected = { ...record(answer), action };
  const { outcome } = expected;
  return [
    ...before.map(rowOf),
    rowOf(expected),
    ...(outcome === undefined ? [] : [{ ...rowOf(expected), metadata: outcome }]),
  ];
}

const userAgentOf = (action: AuditAction): string => `scenario/${action}`;

export function createScenarioRunner(hosts: TestHosts): ScenarioRunner {
  const keys = new Map<string, Set<string>>();
  let requests = 0;

  const note = ({ action, metadata }: AuditRow): void => {
    const known = keys.get(action) ?? new Set<string>();
    for (const key of Object.keys(metadata)) known.add(key);
    keys.set(action, known);
  };

  const knowPrograms = async (userId: string): Promise<void> => {
    await hosts.rows(
      `insert into login_programs (tenant_id, user_id, program) select $1, $2, unnest(array['scenario', 'sluice-cli'])`,
      [hosts.acme.id, userId],
    );
  };
  return {
    hosts,
    knowPrograms,
    operator: { name: 'operator', credential: { authorization: `Bearer ${OPERATOR_TOKEN}` }, sessionId: null },
    async person(roles) {
      const user = await hosts.build.user(hosts.acme, { roles });
      const { id_token: token } = await logIn(hosts, user);
      const { id, email: name, password } = user;
      return { id, name, password, credential: { idtoken: token }, sessionId: sessionOf(token) };
    },
    async act(act) {
      requests += 1;
      const requestId = `scenario-${requests}`;
      const begun = Date.now();
      const answer = await sendAudited(hosts, act, {
        'x-request-id': requestId,
        'user-agent': userAgentOf(act.action),
      });
      const result = `${act.action} returned ${answer.status}: ${answer.text}`;
      expect(result).toContain(` returned ${act.status ?? 200}: `);
      expect(answer.headers['x-request-id']).toBe(requestId);
      const rows = await hosts.rows<AuditRow>(ROWS, [requestId]);
      const expected = act.record(answer).isInEachTenant
        ? (await hosts.rows<{ id: string }>('select id from tenants order by id')).flatMap(({ id }) =>
            expectedRows(act, answer, id),
          )
        : expectedRows(act, answer, hosts.acme.id);
      const sorted = act.record(answer).isInEachTenant
        ? rows.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1))
        : rows;
      expect(sorted).toEqual(expected.map((each) => expect.objectContaining(each)));
      for (const { occurred } of rows) {
        expect(occurred.getTime()).toBeGreaterThanOrEqual(begun - CLOCK_MS);
        expect(occurred.getTime()).toBeLessThanOrEqual(Date.now() + CLOCK_MS);
      }
      for (const row of rows) note(row);
      return answer;
    },
    async command(action, run, { user = 'operator', target, metadata }) {
      await run();
      const rows = await hosts.rows<AuditRow>(COMMANDED, [hosts.acme.id, action]);
      const [row] = rows;
      expect(row).toMatchObject({ user_name: user, target, metadata, request_id: null, address: null });
      for (const each of rows) note(each);
    },
    keysOf: (action) => [...(keys.get(action) ?? [])],
  };
}

/** Each scenario triggers its action in every way that adds a metadata key. */
export type Scenarios = Readonly<Partial<Record<AuditAction, (runner: ScenarioRunner) => Promise<unknown>>>>;
