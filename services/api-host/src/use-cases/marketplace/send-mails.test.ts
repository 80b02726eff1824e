import { describe, expect, it } from '@jest/globals';
import { type Mail, SmtpError } from '@sluice/mail';
import type { ClaimedMail } from '@sluice/store/marketplace';
import { createSendMails, type MailAttempt, retryDelayMs } from './send-mails.ts';

const MAIL: ClaimedMail = {
  tenantId: 't',
  mailId: 'm1',
  kind: 'ACCESS_REQUEST',
  attempt: 1,
  createdMs: 0,
  tenantName: 'acme',
  email: 'ann@example.com',
  language: null,
  itemId: 'sales',
  itemTitle: 'Sales',
  requester: 'ben@example.com',
  decidedBy: null,
  isApproved: false,
  expiresMs: null,
  device: null,
  address: null,
};

const render = (mail: ClaimedMail & { readonly email: string }): Mail => ({
  from: { name: '', address: 'sluice@example.com' },
  to: mail.email,
  subject: 'Subject',
  text: 'Text',
  html: '<p>Text</p>',
  messageId: `<${mail.mailId}@example.com>`,
  date: new Date(0),
  unsubscribeUrl: 'https://api.example.com/console/account',
});

interface FixtureOptions {
  readonly mails: readonly Partial<ClaimedMail>[];
  /** Failure of the mail with this id. */
  readonly failures?: Readonly<Record<string, Error>>;
  readonly opening?: Error;
  readonly rendering?: Error;
}

/** Outbox and sessions that note what is done with them. */
function fixture({ mails, failures = {}, opening, rendering }: FixtureOptions) {
  const waiting = mails.map((mail) => ({ ...MAIL, ...mail }));
  const done: string[] = [];
  const attempts: MailAttempt[] = [];
  let sessions = 0;
  const sendMails = createSendMails({
    outbox: {
      claim: async () => waiting.shift(),
      end: async ({ mailId }, end) => void done.push(`${mailId} ${end}`),
      postpone: async ({ mailId }, delayMs) => void done.push(`${mailId} ${delayMs}`),
    },
    openSession: async () => {
      sessions += 1;
      const session = sessions;
      if (opening !== undefined) throw opening;
      return {
        send: async (_envelope, message) => {
          const mailId = /Message-ID: <(\w+)@/i.exec(message.toString())?.[1] ?? '';
          const failure = failures[mailId];
          if (failure !== undefined) throw failure;
          done.push(`${mailId} on ${session}`);
        },
        [Symbol.asyncDispose]: async () => void done.push(`close ${session}`),
      };
    },
    render: (mail) => {
      if (rendering !== undefined && mail.mailId === 'm1') throw rendering;
      return render(mail);
    },
    onAttempt: (attempt) => void attempts.push(attempt),
  });
  return { sendMails, done, attempts, waiting, run: () => sendMails(new AbortController().signal) };
}

describe('mails that are due', () => {
  it('are sent on one session, and those without a recipient are dropped', async () => {
    const { run, done } = fixture({
      mails: [
        { mailId: 'm1' },
        { mailId: 'm2', email: null },
        { mailId: 'm3', email: 'not an address' },
        { mailId: 'm4' },
      ],
    });
    await run();
    expect(done).toEqual(['m1 on 1', 'm1 SENT', 'm2 DROPPED', 'm3 DROPPED', 'm4 on 1', 'm4 SENT', 'close 1']);
  });

  it('follow a mail that the server rejects, on another session', async () => {
    const failures = { m1: new SmtpError('mail', 'rejected') };
    const { run, done, attempts } = fixture({ mails: [{ mailId: 'm1' }, { mailId: 'm2' }], failures });
    await run();
    expect(done).toEqual(['m1 10000', 'm2 on 2', 'm2 SENT', 'close 2']);
    expect(attempts).toMatchObject([{ outcome: 'failed', reason: 'rejected' }, { outcome: 'sent' }]);
  });

  it('follow a mail that cannot be written', async () => {
    const { run, done } = fixture({ mails: [{ mailId: 'm1' }, { mailId: 'm2' }], rendering: new TypeError('bug') });
    await run();
    expect(done).toEqual(['m1 10000', 'm2 on 1', 'm2 SENT', 'close 1']);
  });

  it('wait while the server cannot be reached', async () => {
    const opening = new SmtpError('connection', 'refused');
    const { run, done, waiting } = fixture({ mails: [{ mailId: 'm1', attempt: 3 }, { mailId: 'm2' }], opening });
    await run();
    expect([done, waiting.length]).toEqual([['m1 40000'], 1]);
  });

  it('are given up after the last attempt', async () => {
    const opening = new SmtpError('connection', 'refused');
    const { run, done, attempts } = fixture({ mails: [{ mailId: 'm1', attempt: 22 }], opening });
    await run();
    expect([done, attempts]).toMatchObject([['m1 GIVEN_UP'], [{ outcome: 'given_up', reason: 'refused' }]]);
  });

  it('are neither ended nor postponed when the host stops', async () => {
    const stopping = new AbortController();
    const reason = new Error('stopping');
    const opening = new SmtpError('server_shutdown', 'This server is stopping.');
    const { sendMails, done } = fixture({ mails: [{ mailId: 'm1' }], opening });
    const sending = sendMails(stopping.signal);
    stopping.abort(reason);
    await expect(sending).rejects.toBe(reason);
    expect(done).toEqual([]);
  });
});

it('attempts go on for more than two days, first after seconds and then at most every six hours', () => {
  const delays = Array.from({ length: 21 }, (_none, index) => retryDelayMs(index + 1));
  expect([delays[0], delays[1], delays.at(-1)]).toEqual([10_000, 20_000, 21_600_000]);
  const days = delays.reduce((sum, delay) => sum + delay, 0) / 86_400_000;
  expect([days > 2.4, days < 3]).toEqual([true, true]);
});
