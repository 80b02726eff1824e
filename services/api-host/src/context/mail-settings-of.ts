import { SettingsError } from '@sluice/config';
import type { MailLanguage } from '@sluice/contract';
import { type Mailbox, parseMailbox, parseSmtpUrl, type SmtpServer } from '@sluice/mail';
import type { ApiHostSettings } from '../config.ts';

/** Server, sender and links of the mails that a host sends. */
export interface MailSettings {
  readonly server: SmtpServer;
  readonly from: Mailbox;
  readonly publicUrl: string;
  readonly languageDefault: MailLanguage;
}

/** Returns undefined without SMTP_URL: then the host sends no mails. Throws a SettingsError that names all that is missing or wrong. */
export function mailSettingsOf({
  smtpUrl,
  mailFrom,
  mailLanguage,
  publicUrl,
}: ApiHostSettings): MailSettings | undefined {
  if (smtpUrl === undefined) return undefined;
  const violations: string[] = [];
  let server: SmtpServer | undefined;
  try {
    server = parseSmtpUrl(smtpUrl.reveal());
  } catch (thrown) {
    violations.push(`SMTP_URL ${thrown instanceof Error ? thrown.message : 'is not valid'}`);
  }
  const from = mailFrom === undefined ? undefined : parseMailbox(mailFrom);
  if (mailFrom === undefined) violations.push('MAIL_FROM is missing: with SMTP_URL, mails need a sender');
  else if (from === undefined) violations.push('MAIL_FROM must be an address, or a name and <address>');
  if (publicUrl === undefined) violations.push('API_PUBLIC_URL is missing: with SMTP_URL, mails link to the console');
  if (server === undefined || from === undefined || publicUrl === undefined) throw new SettingsError(violations);
  return { server, from, publicUrl, languageDefault: mailLanguage };
}
