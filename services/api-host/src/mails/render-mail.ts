import type { MailLanguage } from '@sluice/contract';
import { type Mail, type Mailbox, oneLine } from '@sluice/mail';
import type { ClaimedMail } from '@sluice/store/marketplace';
import { MAIL_MESSAGES, type MailForm } from './mail-messages.ts';

interface MailContext {
  readonly from: Mailbox;
  /** Origin of this host for users, with `{tenant}` if each tenant has its own. */
  readonly publicUrl: string;
  /** Language of users who have not chosen one. */
  readonly languageDefault: MailLanguage;
}

const NAME_CHARACTERS_MAX = 120;

const formOf = ({ kind, isApproved, expiresMs }: ClaimedMail): MailForm => {
  if (kind === 'ACCESS_REQUEST') return 'requested';
  if (kind === 'GRANT_ENDING') return 'ending';
  if (kind === 'NEW_DEVICE') return 'newDevice';
  if (!isApproved) return 'refused';
  return expiresMs === null ? 'approved' : 'approvedUntil';
};

/** Path of the page where the recipient acts on the mail. */
const pathOf = (form: MailForm, itemId: string): string => {
  if (form === 'requested') return 'requests?list=open';
  if (form === 'refused') return 'requests?list=own';
  if (form === 'newDevice') return 'account';
  return `marketplace/${encodeURIComponent(itemId)}`;
};

const timeOf = (language: MailLanguage, ms: number): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const domainOf = ({ address }: Mailbox): string => address.slice(address.lastIndexOf('@') + 1);

/** Writes a mail in the language of its recipient. Names are on one line, without invisible characters. */
export function renderMail(
  mail: ClaimedMail & { readonly email: string },
  { from, publicUrl, languageDefault }: MailContext,
): Mail {
  const language = mail.language ?? languageDefault;
  const form = formOf(mail);
  const { settings, [form]: message } = MAIL_MESSAGES[language];
  const facts = {
    item: oneLine(mail.itemTitle, NAME_CHARACTERS_MAX),
    tenant: mail.tenantName,
    requester: oneLine(mail.requester ?? '', NAME_CHARACTERS_MAX),
    decidedBy: oneLine(mail.decidedBy ?? '', NAME_CHARACTERS_MAX),
    until: mail.expiresMs === null ? '' : timeOf(language, mail.expiresMs),
    device: oneLine(mail.device ?? '', NAME_CHARACTERS_MAX),
    address: oneLine(mail.address ?? '', NAME_CHARACTERS_MAX),
    time: timeOf(language, mail.createdMs),
  };
  const consoleUrl = `${publicUrl.replaceAll('{tenant}', mail.tenantName)}/console/`;
  const link = `${consoleUrl}${pathOf(form, mail.itemId)}`;
  const settingsUrl = `${consoleUrl}account`;
  const body = message.body(facts);
  return {
    from,
    to: mail.email,
    subject: message.subject(facts),
    text: `${body}\n\n${message.link}:\n${link}\n\n-- \n${message.why}\n${settings}:\n${settingsUrl}\n`,
    html: `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(message.subject(facts))}</title></head>
<body>
<p>${escapeHtml(body)}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(message.link)}</a></p>
<hr>
<p><small>${escapeHtml(message.why)} <a href="${escapeHtml(settingsUrl)}">${escapeHtml(settings)}</a></small></p>
</body>
</html>
`,
    messageId: `<${mail.mailId}@${domainOf(from)}>`,
    date: new Date(mail.createdMs),
    unsubscribeUrl: settingsUrl,
  };
}
