import { startApiHost } from '@sluice/api-host';
import { type BuiltUser, type MailServer, type ReceivedMail, send, startMailServer, until } from '@sluice/testkit';
import { createItem, createSendRequest, type SendRequest } from '@sluice/testkit/fixtures';
import { createTestLog, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, idtoken, logIn } from '@sluice/testkit/requests';

export const PUBLIC_URL = 'https://{tenant}-api.example.com';
export const CONSOLE_URL = 'https://acme-api.example.com/console/';
export const SENDER = 'sluice@example.com';

/** Row of the outbox. */
interface OutboxRow {
  readonly kind: string;
  readonly user_id: string;
  readonly state: string;
  readonly attempts: number;
}

/** Both hosts with an SMTP server. */
export interface MailFixture extends AsyncDisposable {
  readonly hosts: TestHosts;
  readonly server: MailServer;
  /** Log lines of the API host. */
  readonly apiLogLines: readonly string[];
  readonly ask: SendRequest;
  /** Owner of the items. */
  readonly owner: BuiltUser;
  /** Creates an item of the owner, without grants for the requester. */
  item(id: string, title?: string): Promise<string>;
  /** Requests access as the user, ann by default. Returns the path of the request. */
  request(itemId: string, user?: BuiltUser): Promise<string>;
  decide(path: string, verdict: 'approve' | 'refuse', body?: object): Promise<void>;
  setNotifications(user: BuiltUser, settings: object): Promise<void>;
  /** Waits for the mails to a user, at least this many. */
  mailsTo(user: Pick<BuiltUser, 'email'>, count?: number): Promise<readonly ReceivedMail[]>;
  /** Waits until no mail about an item waits. Returns all of its rows. */
  outboxOf(itemId: string): Promise<readonly OutboxRow[]>;
  /** Starts another API host of the deployment. */
  startAnother(): Promise<AsyncDisposable>;
  /** Makes all waiting mails due, as time does. */
  makeDue(): Promise<void>;
}

export const ALL_MAILS = {
  language: 'en',
  access_requests: true,
  access_decisions: true,
  grant_endings: true,
  new_devices: true,
};

const OUTBOX = 'select kind, user_id, state, attempts from outgoing_mails where item_id = $1 order by created, mail_id';

/** Starts both hosts with an SMTP server, and an owner of items who reads German. */
export async function startMailFixture(apiSettings: Readonly<Record<string, string>> = {}): Promise<MailFixture> {
  const server = await startMailServer();
  const { log: apiLog, lines: apiLogLines } = createTestLog();
  const mailSettings = { SMTP_URL: server.url, MAIL_FROM: `Sluice <${SENDER}>`, API_PUBLIC_URL: PUBLIC_URL };
  const hosts = await startHosts({}, { apiLog, apiSettings: { ...mailSettings, ...apiSettings } });
  const ask = createSendRequest(hosts);
  const owner = await hosts.build.user(hosts.acme, { email: "o'neil+data@acme.example", roles: ['admin'] });
  const setNotifications = async (user: BuiltUser, settings: object): Promise<void> => {
    const { id_token } = await logIn(hosts, user);
    const answer = await send(`${hosts.api.url}/me/notifications`, {
      method: 'PUT',
      headers: { ...idtoken(id_token), 'content-type': 'application/json' },
      body: JSON.stringify({ ...ALL_MAILS, ...settings }),
    });
    if (answer.status !== 200) throw new Error(`the settings returned ${answer.status}: ${answer.text}`);
  };
  return {
    hosts,
    server,
    apiLogLines,
    ask,
    owner,
    setNotifications,
    async item(id, title) {
      await createItem(hosts, basicOf(owner), { id, queries: { one: 'SELECT 1 AS a' } });
      await hosts.rows('delete from marketplace_grants where item_id = $1', [id]);
      if (title !== undefined)
        await hosts.rows('update marketplace_items set title = $2 where item_id = $1', [id, title]);
      return id;
    },
    async request(itemId, user = hosts.ann) {
      const path = `/marketplace/${itemId}/access-requests`;
      const body = { reason: 'SELECT secret FROM salaries' };
      const made = await ask('POST', path, { credential: basicOf(user), body });
      if (made.status !== 201) throw new Error(`the request returned ${made.status}: ${made.text}`);
      return `${path}/${made.body.request_id}`;
    },
    async decide(path, verdict, body = {}) {
      const decided = await ask('POST', `${path}/${verdict}`, { credential: basicOf(owner), body });
      if (decided.status !== 200) throw new Error(`the decision returned ${decided.status}: ${decided.text}`);
    },
    mailsTo: ({ email }, count = 1) =>
      until(
        () => {
          const found = server.mails.filter(({ envelope }) => envelope.to.includes(email));
          return found.length >= count ? found : undefined;
        },
        { what: `${count} mails to ${email}` },
      ),
    outboxOf: (itemId) =>
      until(
        async () => {
          const rows = await hosts.rows<OutboxRow>(OUTBOX, [itemId]);
          return rows.some(({ state }) => state === 'WAITING') ? undefined : rows;
        },
        { what: `the end of all mails about ${itemId}` },
      ),
    startAnother: () => startApiHost({ environment: hosts.apiEnvironment, overrides: { log: apiLog } }),
    async makeDue() {
      await hosts.rows(`update outgoing_mails set next_attempt = now() where state = 'WAITING'`);
    },
    async [Symbol.asyncDispose]() {
      await hosts[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
