import type { PeriodicTask } from '@sluice/host-runtime';
import { openSmtpSession } from '@sluice/mail';
import type { Events, Logger } from '@sluice/observability';
import type { ApiHostSettings } from '../config.ts';
import { renderMail } from '../mails/render-mail.ts';
import { createSendMails } from '../use-cases/marketplace/send-mails.ts';
import type { MailSettings } from './mail-settings-of.ts';
import { openJobs } from './open-jobs.ts';
import type { Stores } from './stores.ts';

/** Mails of this host. */
export interface Mails extends AsyncDisposable {
  /** Tasks for the periodic work: finding mails that are due, and removing old ones. */
  readonly work: readonly PeriodicTask[];
}

interface MailsDependencies {
  readonly settings: ApiHostSettings;
  /** Undefined: this host sends no mails. */
  readonly mailSettings: MailSettings | undefined;
  readonly stores: Pick<Stores, 'mailOutbox'>;
  readonly events: Pick<Events, 'mailAttempted'>;
  readonly log: Logger;
}

const SEND_MAILS = 'send-mails';
const SOON_MS = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Opens the queue of the job that sends mails. One job of that id exists at a time, so one host of the deployment talks to the SMTP server.
 * Does not wait for a connection.
 */
export function openMails({ settings, mailSettings, stores, events, log }: MailsDependencies): Mails {
  const { mailOutbox: outbox } = stores;
  if (mailSettings === undefined) {
    // Requests are made at the stream hosts, which do not know whether mails are sent.
    const work = [{ name: 'delete unsent mails', everyMs: HOUR_MS, run: () => outbox.deleteUnsent() }];
    return { work, [Symbol.asyncDispose]: async () => undefined };
  }
  const { server } = mailSettings;
  const sendMails = createSendMails({
    outbox,
    openSession: (signal) => openSmtpSession({ server, signal }),
    render: (mail) => renderMail(mail, mailSettings),
    onAttempt: events.mailAttempted,
  });
  const jobs = openJobs(settings, {
    queue: 'sluice-mails',
    handlers: {
      // A failed job would wait for its next attempt, and keep its id meanwhile. A due mail adds a new one within seconds.
      [SEND_MAILS]: (_data, signal) =>
        sendMails(signal).catch((err: unknown) => {
          if (!signal.aborted) log.warn({ err }, 'sending mails stopped and will continue');
        }),
    },
    concurrency: 1,
    onWarning: (message, err) => log.warn({ event: 'jobs_failed', err }, message),
  });
  const sendDue = async (): Promise<void> => {
    // The queue reports its own outage once, and the mails wait in the database.
    if (await outbox.hasDue()) await jobs.add({ name: SEND_MAILS, id: SEND_MAILS, data: {} }).catch(() => undefined);
  };
  return {
    work: [
      { name: 'send due mails', everyMs: SOON_MS, run: sendDue },
      { name: 'announce ending grants', everyMs: MINUTE_MS, run: () => outbox.announceEndingGrants() },
      { name: 'delete old mails', everyMs: HOUR_MS, run: () => outbox.deleteEnded() },
    ],
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  };
}
