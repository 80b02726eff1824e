export { composeMail, isDeliverable, type Mail, type Mailbox, oneLine, parseMailbox } from './compose-mail.ts';
export { SmtpError } from './smtp-error.ts';
export { openSmtpSession, type SmtpSession, type SmtpTimeouts } from './smtp-session.ts';
export { parseSmtpUrl, type SmtpServer } from './smtp-url.ts';
