import { afterEach, describe, expect, it } from '@jest/globals';
import { startApiHost } from '@sluice/api-host';
import { startMailServer, until } from '@sluice/testkit';
import { createTestLog, startHosts } from '@sluice/testkit/hosts';
import { ALL_MAILS, type MailFixture, PUBLIC_URL, SENDER, startMailFixture } from './mail-fixture.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
}, 120_000);

async function start(apiSettings: Readonly<Record<string, string>> = {}): Promise<MailFixture> {
  const fixture = await startMailFixture(apiSettings);
  open.push(fixture);
  return fixture;
}

/** Waits until a mail about an item has failed this often. */
const failedAttempts = (fixture: MailFixture, itemId: string, count: number) =>
  until(
    async () => {
      const rows = await fixture.hosts.rows<{ attempts: number; is_postponed: boolean }>(
        `select attempts, next_attempt < now() + interval '1 minute' as is_postponed from outgoing_mails
         where item_id = $1 and state = 'WAITING'`,
        [itemId],
      );
      return rows.some(({ attempts, is_postponed }) => attempts >= count && is_postponed) ? rows : undefined;
    },
    { what: `${count} failed attempts` },
  );

describe('a request is stored at once, and its mail arrives exactly once after the server is back, when the server', () => {
  it.each([
    ['refuses connections', (fixture: MailFixture) => fixture.server.stop()],
    ['never greets', async ({ server }: MailFixture) => server.behave({ isHanging: true })],
    ['rejects the recipient for now', async ({ server }: MailFixture) => server.behave({ rejection: '451 try later' })],
    ['rejects the recipient', async ({ server }: MailFixture) => server.behave({ rejection: '550 no such mailbox' })],
  ])('%s', async (_name, begin) => {
    const fixture = await start();
    const { server, owner } = fixture;
    await begin(fixture);
    const item = await fixture.item('outage');
    await fixture.request(item);
    await failedAttempts(fixture, item, 1);
    expect(server.mails).toEqual([]);
    server.behave({});
    await server.start();
    await fixture.makeDue();
    await fixture.mailsTo(owner);
    expect((await fixture.outboxOf(item)).map(({ state }) => state)).toEqual(['SENT']);
    expect(server.mails).toHaveLength(1);
  });
});

it('a slow server delays neither requests nor other mails for long, and gets each mail once', async () => {
  const fixture = await start();
  const { server, owner } = fixture;
  server.behave({ delayMs: 500 });
  const items = ['slow-1', 'slow-2', 'slow-3'];
  for (const id of items) await fixture.item(id);
  await Promise.all(items.map((id) => fixture.request(id)));
  const mails = await fixture.mailsTo(owner, items.length);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(items.length);
  for (const id of items) expect(await fixture.outboxOf(id)).toMatchObject([{ state: 'SENT', attempts: 1 }]);
  expect(server.mails).toHaveLength(items.length);
});

it('a certificate that is not trusted is a clear sentence in the log, without the password, and no mail is lost', async () => {
  const account = { user: 'sluice', password: 'p@ss/word' };
  await using untrusted = await startMailServer({ hasStartTls: true, account });
  const fixture = await start({ SMTP_URL: `smtp://sluice:p%40ss%2Fword@127.0.0.1:${untrusted.port}` });
  const item = await fixture.item('untrusted');
  await fixture.request(item);
  await failedAttempts(fixture, item, 1);
  const lines = fixture.apiLogLines.join('');
  expect(lines).toContain(`The SMTP server 127.0.0.1:${untrusted.port} has a certificate that is not trusted (`);
  expect(lines).not.toMatch(/p@ss|p%40ss/);
  expect(untrusted.mails).toEqual([]);
});

it('a mail is given up after 22 attempts, with a line in the log', async () => {
  const fixture = await start();
  await fixture.server.stop();
  const item = await fixture.item('hopeless');
  await fixture.request(item);
  await fixture.hosts.rows('update outgoing_mails set attempts = 21, next_attempt = now() where item_id = $1', [item]);
  const rows = await fixture.outboxOf(item);
  expect(rows.map(({ state }) => state)).toEqual(['GIVEN_UP']);
  expect(fixture.apiLogLines.join('')).toContain('"event":"mail_given_up"');
});

it('two hosts send each mail once', async () => {
  const fixture = await start();
  await using _second = await fixture.startAnother();
  const items = Array.from({ length: 12 }, (_none, index) => `many-${index}`);
  for (const id of items) await fixture.item(id);
  await Promise.all(items.map((id) => fixture.request(id)));
  await fixture.mailsTo(fixture.owner, items.length);
  for (const id of items) expect(await fixture.outboxOf(id)).toMatchObject([{ state: 'SENT', attempts: 1 }]);
  expect(fixture.server.mails).toHaveLength(items.length);
});

it('a host stops in time while the server hangs, and the mail is sent by the next host', async () => {
  const fixture = await start();
  const { server } = fixture;
  server.behave({ isHanging: true });
  const item = await fixture.item('hanging-stop');
  await fixture.request(item);
  await until(() => (server.connections > 0 ? true : undefined), { what: 'a connection' });
  await fixture.hosts.api[Symbol.asyncDispose]();
  server.behave({});
  await using _next = await fixture.startAnother();
  await fixture.makeDue();
  expect((await fixture.outboxOf(item)).map(({ state }) => state)).toEqual(['SENT']);
  expect(server.mails).toHaveLength(1);
});

it('without SMTP_URL, nothing is sent, and requests work as before', async () => {
  const server = await startMailServer();
  open.push(server);
  const hosts = await startHosts();
  open.push(hosts);
  const { id } = hosts.ann;
  await hosts.rows(
    `insert into marketplace_items (tenant_id, item_id, title, owner_kind, owner_id, owner_name, search, updated_by)
     values ($1, 'quiet', 'Quiet', 'user', $2, 'ann', 'quiet', 'test')`,
    [hosts.acme.id, id],
  );
  await hosts.rows(
    `insert into outgoing_mails (tenant_id, mail_id, user_id, kind, item_id, created)
     select $1, gen_random_uuid(), $2, 'ACCESS_REQUEST', 'quiet', now() - make_interval(days => d) from unnest(array[0, 4]) d`,
    [hosts.acme.id, id],
  );
  await using _host = await startApiHost({
    environment: hosts.apiEnvironment,
    overrides: { log: createTestLog().log },
  });
  const left = await until(
    async () => {
      const rows = await hosts.rows(`select state, attempts from outgoing_mails`);
      return rows.length === 1 ? rows : undefined;
    },
    { what: 'the removal of the mail that waited for three days' },
  );
  expect(left).toEqual([{ state: 'WAITING', attempts: 0 }]);
});

describe('a host does not start, and says why in one sentence each,', () => {
  it.each([
    ['without a sender', { SMTP_URL: 'smtp://127.0.0.1:25', API_PUBLIC_URL: PUBLIC_URL }, /MAIL_FROM is missing/],
    ['without its public URL', { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: SENDER }, /API_PUBLIC_URL is missing/],
    [
      'with a sender that is not an address',
      { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'Sluice', API_PUBLIC_URL: PUBLIC_URL },
      /MAIL_FROM must be an address/,
    ],
    [
      'with parameters in SMTP_URL',
      { SMTP_URL: 'smtp://127.0.0.1:25?tls=no', MAIL_FROM: SENDER, API_PUBLIC_URL: PUBLIC_URL },
      /SMTP_URL must be smtp:\/\/.*without a path or parameters/,
    ],
  ])('%s', async (_name, settings, sentence) => {
    const environment = {
      ...settings,
      LISTEN_HOST: '127.0.0.1',
      API_PORT: '0',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
      SLUICE_MASTER_KEY: Buffer.alloc(32).toString('base64'),
      ISSUER_TEMPLATE: 'https://{tenant}.issuer.test',
    };
    await expect(startApiHost({ environment })).rejects.toThrow(sentence);
  });
});

it('settings keep one user from mails, and leave those of others', async () => {
  const fixture = await start();
  await fixture.setNotifications(fixture.owner, { ...ALL_MAILS, access_requests: false });
  const item = await fixture.item('muted');
  const path = await fixture.request(item);
  expect((await fixture.outboxOf(item)).map(({ state }) => state)).toEqual(['DROPPED']);
  await fixture.decide(path, 'approve');
  await fixture.mailsTo(fixture.hosts.ann);
  expect(fixture.server.mails).toHaveLength(1);
});
