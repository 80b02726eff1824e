import { Counter, type Registry } from 'prom-client';

const MAIL_OUTCOMES = ['sent', 'failed', 'given_up', 'dropped'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

export interface MailMetrics {
  /** Has a value for every outcome from the start: Prometheus sees no increase in a series that begins with 1. */
  readonly mails: Counter<'outcome'>;
}

/** Creates the metrics of the mails that a host sends. */
export function createMailMetrics(registers: Registry[]): MailMetrics {
  const mails = new Counter({
    name: 'sluice_mails_total',
    help: 'Attempts to send a mail: sent, failed and repeated later, given up, or dropped because it is not wanted any more',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0);
  return { mails };
}
