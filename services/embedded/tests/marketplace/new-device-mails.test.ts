import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type BuiltUser, type ReceivedMail, until } from '@sluice/testkit';
import { post, postForm } from '@sluice/testkit/requests';
import { CONSOLE_URL, type MailFixture, startMailFixture } from './mail-fixture.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';

let fixture: MailFixture;
beforeAll(async () => {
  fixture = await startMailFixture();
}, 120_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

const logIn = ({ email, password }: BuiltUser, userAgent: string) =>
  post(`${fixture.hosts.api.url}/auth/login/acme`, { email, password }, { 'user-agent': userAgent });
const signIn = ({ email, password }: BuiltUser, userAgent: string) => {
  const headers = { origin: new URL(CONSOLE_URL).origin, 'user-agent': userAgent };
  return postForm(`${fixture.hosts.api.url}/auth/sign-in/acme`, { email, password }, headers);
};
const textOf = ({ text = '' }: ReceivedMail): string => text.replaceAll(/\s+/g, ' ');

/** Waits until no mail to a user waits, and returns how their mails ended. */
const endsOf = ({ id }: BuiltUser) =>
  until(
    async () => {
      const rows = await fixture.hosts.rows<{ state: string }>(
        'select state from device_mails where user_id = $1 order by created',
        [id],
      );
      return rows.some(({ state }) => state === 'WAITING') ? undefined : rows;
    },
    { what: 'the end of the mails' },
  );

it('a login from a new browser sends a mail with the device, the address, the time and what to do, and no secret', async () => {
  const { hosts } = fixture;
  const user = await hosts.build.user(hosts.acme);
  const { body: tokens } = await logIn(user, 'curl/8.5.0');
  expect((await signIn(user, FIREFOX)).status).toBeLessThan(400);
  const [mail, ...others] = await fixture.mailsTo(user);
  expect(others).toEqual([]);
  if (mail === undefined) throw new Error('no mail');
  const text = textOf(mail);
  expect(text).toContain('Firefox (Windows), from the address 127.0.0.1, on ');
  expect(text).toMatch(/on \w+ \d+, 20\d\d at .* UTC\. If it was you/);
  expect(text).toContain('end that session, change your password, and tell your administrator');
  expect(text).toContain(`${CONSOLE_URL}account`);
  for (const secret of [user.password, tokens.id_token, tokens.refresh_token]) expect(mail.raw).not.toContain(secret);
  expect(await endsOf(user)).toEqual([{ state: 'SENT' }]);
});

it('the mail is in the language of the user, who may turn it off', async () => {
  const { hosts } = fixture;
  const [german, silent] = [await hosts.build.user(hosts.acme), await hosts.build.user(hosts.acme)];
  await fixture.setNotifications(german, { language: 'de' });
  await fixture.setNotifications(silent, { new_devices: false });
  for (const user of [german, silent]) await logIn(user, 'curl/8.5.0');
  const [mail] = await fixture.mailsTo(german);
  expect(mail === undefined ? '' : textOf(mail)).toContain('curl, von der Adresse 127.0.0.1');
  expect(await endsOf(silent)).toEqual([{ state: 'DROPPED' }]);
  // A client that does not know the setting gets the mail.
  await fixture.setNotifications(silent, { new_devices: undefined });
  await logIn(silent, 'wget/1');
  expect((await fixture.mailsTo(silent)).length).toBe(1);
});

it('the first login sends none', async () => {
  const { hosts, server } = fixture;
  const user = await hosts.build.user(hosts.acme);
  await signIn(user, FIREFOX);
  expect(await endsOf(user)).toEqual([]);
  expect(server.mails.filter(({ envelope }) => envelope.to.includes(user.email))).toEqual([]);
});
