import { composeMail, isDeliverable, type Mail, SmtpError, type SmtpSession } from '@sluice/mail';
import type { ClaimedMail, MailOutbox } from '@sluice/store/marketplace';

/** Outcome of an attempt, for the log and the metrics. `reason` is a sentence. */
export interface MailAttempt {
  readonly outcome: 'sent' | 'failed' | 'given_up' | 'dropped';
  readonly tenant: string;
  readonly mailId: string;
  readonly kind: ClaimedMail['kind'];
  readonly attempt: number;
  readonly reason?: string;
}

interface SendMailsDependencies {
  readonly outbox: Pick<MailOutbox, 'claim' | 'end' | 'postpone'>;
  openSession(signal: AbortSignal): Promise<SmtpSession>;
  render(mail: ClaimedMail & { readonly email: string }): Mail;
  onAttempt(attempt: MailAttempt): void;
}

/** Sends all mails that are due, one after the other. Throws when the host stops. */
export type SendMails = (signal: AbortSignal) => Promise<void>;

/** Longer than an attempt can take. A host that dies during it leaves the mail to others after this time. */
const LEASE_MS = 150_000;
const DELAY_FIRST_MS = 10_000;
const DELAY_MAX_MS = 6 * 3_600_000;
/** Two and a half days with the delays above: an outage over a weekend loses no mail. */
const ATTEMPTS_MAX = 22;

/** Returns the time until the next attempt. */
export const retryDelayMs = (attempt: number): number => Math.min(DELAY_FIRST_MS * 2 ** (attempt - 1), DELAY_MAX_MS);

export function createSendMails({ outbox, openSession, render, onAttempt }: SendMailsDependencies): SendMails {
  const report = (mail: ClaimedMail, outcome: MailAttempt['outcome'], reason?: string): void => {
    const { tenantName: tenant, mailId, kind, attempt } = mail;
    onAttempt({ outcome, tenant, mailId, kind, attempt, ...(reason === undefined ? {} : { reason }) });
  };

  const fail = async (mail: ClaimedMail, reason: string): Promise<void> => {
    const isLast = mail.attempt >= ATTEMPTS_MAX;
    if (isLast) await outbox.end(mail, 'GIVEN_UP');
    else await outbox.postpone(mail, retryDelayMs(mail.attempt));
    report(mail, isLast ? 'given_up' : 'failed', reason);
  };

  return async (signal) => {
    let session: SmtpSession | undefined;
    const send = async (mail: ClaimedMail, email: string): Promise<void> => {
      const rendered = render({ ...mail, email });
      const message = await composeMail(rendered);
      session ??= await openSession(signal);
      await session.send({ from: rendered.from.address, to: email }, message);
    };
    try {
      for (;;) {
        signal.throwIfAborted();
        const mail = await outbox.claim(LEASE_MS);
        if (mail === undefined) return;
        const { email } = mail;
        if (email === null || !isDeliverable(email)) {
          await outbox.end(mail, 'DROPPED');
          report(mail, 'dropped');
          continue;
        }
        const failure = await send(mail, email).catch((thrown: Error) => thrown);
        if (failure === undefined) {
          await outbox.end(mail, 'SENT');
          report(mail, 'sent');
          continue;
        }
        // The server may have accepted the mail. After the lease it is sent again, with the same Message-ID.
        signal.throwIfAborted();
        await fail(mail, failure.message);
        if (!(failure instanceof SmtpError)) continue;
        session = undefined; // A failure has closed it.
        // Further mails would only wait for the same server.
        if (failure.kind === 'connection') return;
      }
    } finally {
      await session?.[Symbol.asyncDispose]();
    }
  };
}
