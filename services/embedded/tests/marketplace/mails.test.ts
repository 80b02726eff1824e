import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, type ReceivedMail, send } from '@sluice/testkit';
import { basicOf, bearer, clientToken, idtoken, logIn } from '@sluice/testkit/requests';
import { CONSOLE_URL, type MailFixture, SENDER, startMailFixture } from './mail-fixture.ts';

const DAY_MS = 86_400_000;

let fixture: MailFixture;
beforeAll(async () => {
  fixture = await startMailFixture();
  await fixture.setNotifications(fixture.owner, { language: 'de' });
}, 180_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

const headerOf = (mail: ReceivedMail, key: string): string =>
  mail.headerLines.find((header) => header.key === key)?.line ?? '';
const newUser = (input: object = {}) => fixture.hosts.build.user(fixture.hosts.acme, input);

describe('a request for access', () => {
  it('sends a mail in the language of the owner, with a link, and without the reason', async () => {
    const { hosts, owner } = fixture;
    const item = await fixture.item('umlauts', 'Kunden „Süd“ & "Ost" <b>');
    await fixture.request(item);
    const mail = (await fixture.mailsTo(owner)).at(-1) as ReceivedMail;
    expect(mail.subject).toBe(`${hosts.ann.email} beantragt Zugriff auf Kunden „Süd“ & "Ost" <b>`);
    expect(mail.from?.value).toEqual([{ address: SENDER, name: 'Sluice' }]);
    expect(mail.envelope).toEqual({ from: SENDER, to: [owner.email] });
    expect(mail.text).toContain('im Marktplatz von acme');
    expect(mail.text).toContain(`Über die Anfrage entscheiden:\n${CONSOLE_URL}requests?list=open`);
    expect(mail.html).toContain('&quot;Ost&quot; &lt;b&gt;');
    expect(`${mail.text}${mail.html}`).not.toContain('salaries');
    expect(headerOf(mail, 'auto-submitted')).toBe('Auto-Submitted: auto-generated');
    expect(headerOf(mail, 'list-unsubscribe')).toBe(`List-Unsubscribe: <${CONSOLE_URL}account>`);
    expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
    expect(await fixture.outboxOf(item)).toEqual([
      { kind: 'ACCESS_REQUEST', user_id: owner.id, state: 'SENT', attempts: 1 },
    ]);
  });

  it('has a title that holds line breaks and headers on one line of the subject', async () => {
    const { owner } = fixture;
    const item = await fixture.item('injected', 'Sales\r\nBcc: eve@evil.example\r\n\r\nHello\u202e');
    const before = (await fixture.mailsTo(owner, 0)).length;
    await fixture.request(item);
    const mail = (await fixture.mailsTo(owner, before + 1)).at(-1) as ReceivedMail;
    expect(mail.subject).toBe(`${fixture.hosts.ann.email} beantragt Zugriff auf Sales Bcc: eve@evil.example Hello`);
    expect(mail.headerLines.map(({ key }) => key)).not.toContain('bcc');
    expect(mail.envelope.to).toEqual([owner.email]);
  });

  it('sends mails to the admins if the owner is a service account, and none to disabled ones and other tenants', async () => {
    const { hosts } = fixture;
    const client = await hosts.build.client(hosts.acme);
    const [admin, disabled] = [await newUser({ roles: ['admin'] }), await newUser({ roles: ['admin'] })];
    const foreign = await hosts.build.user(hosts.globex, { roles: ['admin'] });
    await hosts.rows('update users set disabled = true where id = $1', [disabled.id]);
    const item = await fixture.item('of-a-client');
    await hosts.rows(`update marketplace_items set owner_kind = 'client', owner_id = $2 where item_id = $1`, [
      item,
      client.id,
    ]);
    await fixture.request(item);
    await fixture.mailsTo(admin);
    const rows = await fixture.outboxOf(item);
    expect(rows.map((row) => row.user_id).sort()).toEqual([admin.id, fixture.owner.id].sort());
    expect(rows.map(({ state }) => state)).toEqual(['SENT', 'SENT']);
    expect(
      [disabled, foreign].flatMap(({ email }) => fixture.server.mails.filter((mail) => mail.raw.includes(email))),
    ).toEqual([]);
  });

  it('that was decided before its mail was sent sends only the decision', async () => {
    const { server } = fixture;
    const item = await fixture.item('decided-first');
    await server.stop();
    const ben = await newUser();
    const path = await fixture.request(item, ben);
    await fixture.decide(path, 'refuse', { note: 'the salaries of last year' });
    await server.start();
    await fixture.makeDue();
    const [mail] = await fixture.mailsTo(ben);
    const rows = await fixture.outboxOf(item);
    expect(rows.map(({ kind, state }) => [kind, state]).sort()).toEqual([
      ['ACCESS_DECISION', 'SENT'],
      ['ACCESS_REQUEST', 'DROPPED'],
    ]);
    expect(mail?.subject).toBe(`Your request for access to Title of ${item} was refused`);
    expect(mail?.text).toContain(`${fixture.owner.email} refused your request`);
    expect(`${mail?.text}${mail?.html}`).not.toContain('salaries');
  });
});

it('an address with umlauts gets its mail', async () => {
  const ben = await newUser({ email: 'jürgen@bücher.example' });
  const item = await fixture.item('utf8');
  await fixture.decide(await fixture.request(item, ben), 'approve');
  const mail = await fixture.mailsTo(ben).then((mails) => mails[0]);
  expect(mail?.subject).toBe(`You have access to Title of ${item}`);
});

describe('a decision', () => {
  it('sends a mail with the end of the grant to the requester', async () => {
    const ben = await newUser();
    await fixture.setNotifications(ben, { language: 'fr' });
    const item = await fixture.item('approved');
    const path = await fixture.request(item, ben);
    await fixture.decide(path, 'approve', { expires_ts: Date.UTC(2999, 11, 24, 18, 30) });
    const [mail] = await fixture.mailsTo(ben);
    expect(mail?.subject).toBe(`Vous avez accès à Title of ${item}`);
    expect(mail?.text).toMatch(/Votre accès prend fin le 24 décembre 2999 [àa,]* ?18:30 UTC/);
    expect(mail?.text).toContain(`Ouvrir l’offre:\n${CONSOLE_URL}marketplace/${item}`);
  });

  it('sends no mail to a user who turned these mails off', async () => {
    const ben = await newUser();
    await fixture.setNotifications(ben, { access_decisions: false });
    const item = await fixture.item('unwanted');
    await fixture.decide(await fixture.request(item, ben), 'approve');
    const decision = (await fixture.outboxOf(item)).find(({ kind }) => kind === 'ACCESS_DECISION');
    expect(decision).toMatchObject({ state: 'DROPPED', user_id: ben.id });
    expect(await fixture.mailsTo(ben, 0)).toEqual([]);
  });
});

describe('a grant that ends within seven days', () => {
  const grant = (itemId: string, name: string, expires: Date) =>
    fixture.hosts.rows(
      `insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, expires, granted_by)
       values ($1, $2, 'user', $3, $4, 'test')
       on conflict (tenant_id, item_id, subject_kind, subject) do update set expires = excluded.expires`,
      [fixture.hosts.acme.id, itemId, name, expires],
    );
  /**
   * Announces ending grants now: a host does when it starts, and then every minute. It may have taken a mail, which the other host would send
   * only when its lease is over, so it stays until the user has this many.
   */
  const announce = async (user: BuiltUser, count: number): Promise<void> => {
    await using _host = await fixture.startAnother();
    await fixture.mailsTo(user, count);
  };

  it('is announced once to its user, again when its end changes, and not to one who keeps the access', async () => {
    const [ben, eva] = [await newUser(), await newUser({ roles: ['steward'] })];
    const item = await fixture.item('ending');
    await grant(item, ben.email, new Date(Date.now() + 6 * DAY_MS));
    await grant(item, eva.email, new Date(Date.now() + 6 * DAY_MS));
    await grant(item, fixture.hosts.ann.email, new Date(Date.now() + 30 * DAY_MS));
    await fixture.hosts.rows(
      `insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, granted_by)
       values ($1, $2, 'role', 'steward', 'test')`,
      [fixture.hosts.acme.id, item],
    );
    await announce(ben, 1);
    const [mail] = await fixture.mailsTo(ben);
    expect(mail?.subject).toBe(`Your access to Title of ${item} ends soon`);
    await grant(item, ben.email, new Date(Date.now() + 5 * DAY_MS));
    await announce(ben, 2);
    await announce(ben, 2);
    const rows = await fixture.outboxOf(item);
    expect(rows.map(({ user_id: id, kind, state }) => ({ id, kind, state }))).toEqual([
      { id: ben.id, kind: 'GRANT_ENDING', state: 'SENT' },
      { id: ben.id, kind: 'GRANT_ENDING', state: 'SENT' },
    ]);
  });
});

describe('/me/notifications', () => {
  const url = () => `${fixture.hosts.api.url}/me/notifications`;
  const put = (token: string, body: unknown) =>
    send(url(), {
      method: 'PUT',
      headers: { ...idtoken(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('has all mails on at first, and keeps and records what the user sets', async () => {
    const { hosts } = fixture;
    const ben = await newUser();
    const { id_token: token } = await logIn(hosts, ben);
    const first = {
      language: 'en',
      access_requests: true,
      access_decisions: true,
      grant_endings: true,
      new_devices: true,
    };
    const facts = { email: ben.email, is_mail_configured: true };
    expect((await send(url(), { headers: { ...idtoken(token) } })).body).toEqual({ ...first, ...facts });
    const changed = {
      language: 'es',
      access_requests: false,
      access_decisions: true,
      grant_endings: false,
      new_devices: false,
    };
    const answer = await put(token, changed);
    expect([answer.status, answer.body]).toEqual([200, { ...changed, ...facts }]);
    expect((await send(url(), { headers: { ...idtoken(token) } })).body).toEqual({ ...changed, ...facts });
    const records = await hosts.rows(
      `select target, metadata from audit_log where action = 'UPDATE_NOTIFICATIONS' and user_name = $1`,
      [ben.email],
    );
    expect(records).toEqual([{ target: ben.email, metadata: { before: first, after: changed } }]);
  });

  it('rejects wrong settings with a sentence about each, and a service account with 409', async () => {
    const { hosts } = fixture;
    const { id_token: token } = await logIn(hosts, await newUser());
    const wrong = await put(token, { language: 'it', access_requests: 'yes', access_decisions: true });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_request']);
    expect(wrong.body.details.map(({ message }: { message: string }) => message).sort()).toEqual([
      'access_requests must be true or false',
      'grant_endings must be true or false',
      'language must be one of en, de, fr, es',
    ]);
    const client = await hosts.build.client(hosts.acme);
    const answer = await send(url(), { headers: { ...bearer(await clientToken(hosts, client)) } });
    expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
    expect((await send(url(), { headers: { ...basicOf(hosts.ann) } })).status).toBe(401);
  });
});

it('mails of a suspended tenant and of removed items are not sent', async () => {
  const { hosts, server } = fixture;
  await server.stop();
  const item = await fixture.item('suspended');
  await fixture.request(item);
  const removed = await fixture.item('removed');
  await fixture.request(removed);
  await hosts.rows('delete from marketplace_items where item_id = $1', [removed]);
  expect(await fixture.outboxOf(removed)).toEqual([]);
  await hosts.rows(`update tenants set state = 'suspended' where id = $1`, [hosts.acme.id]);
  try {
    await server.start();
    await fixture.makeDue();
    expect((await fixture.outboxOf(item)).map(({ state }) => state)).toEqual(['DROPPED']);
  } finally {
    await hosts.rows(`update tenants set state = 'active' where id = $1`, [hosts.acme.id]);
  }
});
