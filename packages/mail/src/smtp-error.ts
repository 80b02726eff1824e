import type { SmtpServer } from './smtp-url.ts';

/** `connection`: no mail can be sent now. `mail`: the server rejected this one. */
type SmtpErrorKind = 'connection' | 'mail' | 'server_shutdown';

/** Failure to send a mail. Its message is a sentence for the log, without credentials and without the content of the mail. */
export class SmtpError extends Error {
  readonly kind: SmtpErrorKind;

  constructor(kind: SmtpErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SmtpError';
    this.kind = kind;
  }
}

/** Error of nodemailer or of a socket. */
interface ThrownError extends Error {
  readonly code?: string;
  /** Text of the server's reply, with its code (RFC 5321, section 4.2). */
  readonly response?: string;
  readonly command?: string;
}

const REPLY_CHARACTERS_MAX = 200;
const CONTROLS = /[\p{Cc}\p{Cf}]+/gu;

/** Messages of OpenSSL and Node.js about certificates. nodemailer replaces their codes. */
const CERTIFICATE = /certificate|altnames|issuer/i;
const TLS = /\b(?:tls|ssl)\b|wrong version number|EPROTO/i;
/** Commands that are about a mail, as nodemailer names them. */
const OF_A_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA', 'API']);

export const serverName = ({ host, port }: SmtpServer): string => `The SMTP server ${host}:${port}`;

const shorten = (text: string): string => text.replace(CONTROLS, ' ').slice(0, REPLY_CHARACTERS_MAX).trim();

/** Returns the failure of a step as one sentence. */
export function smtpErrorOf(thrown: Error, server: SmtpServer): SmtpError {
  if (thrown instanceof SmtpError) return thrown;
  const { code = '', command = '', message, response = '' } = thrown as ThrownError;
  const name = serverName(server);
  const reply = response === '' ? '' : `: ${shorten(response)}`;
  const connection = (sentence: string) => new SmtpError('connection', sentence, { cause: thrown });
  if (code === 'ECONNREFUSED') return connection(`${name} refused the connection.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return connection(`The name of the SMTP server ${server.host} cannot be resolved.`);
  }
  if (code === 'EAUTH') return connection(`${name} rejected the user name and password${reply}`);
  if (OF_A_MAIL.has(command)) return new SmtpError('mail', `${name} rejected the mail${reply}`, { cause: thrown });
  if (CERTIFICATE.test(message)) {
    return connection(
      `${name} has a certificate that is not trusted (${shorten(message)}). Name the file of its authority in NODE_EXTRA_CA_CERTS.`,
    );
  }
  if (code === 'ETLS' || TLS.test(message))
    return connection(`${name} does not offer the required TLS (${shorten(message)}).`);
  return connection(`${name} failed (${shorten(message === '' ? code : message)}).`);
}
