import { isIP } from 'node:net';

/** SMTP server that accepts mails for delivery. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS (RFC 8314). Otherwise STARTTLS is used if the server offers it. */
  readonly isImplicitTls: boolean;
  /** Whether to send nothing without TLS. True with a password, except on loopback. */
  readonly requiresTls: boolean;
  readonly credentials?: { readonly user: string; readonly password: string };
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const FORM = 'must be smtp://user:password@host:port or smtps://user:password@host:port';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Reads the URL of an SMTP server. Throws an error whose message completes the name of the setting and contains no part of the URL. */
export function parseSmtpUrl(text: string): SmtpServer {
  if (!URL.canParse(text)) throw new Error(FORM);
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new Error(FORM);
  if (hostname === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '') {
    throw new Error(`${FORM}, without a path or parameters`);
  }
  if ((username === '') !== (password === '')) throw new Error('must have both a user name and a password, or neither');
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const server = {
    host,
    port: port === '' ? PORTS[protocol] : Number(port),
    isImplicitTls: protocol === 'smtps:',
    requiresTls: username !== '' && !isLoopback(host),
  };
  return username === '' ? server : { ...server, credentials: credentialsOf(username, password) };
}

function credentialsOf(username: string, password: string): { readonly user: string; readonly password: string } {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch (cause) {
    throw new Error('must have a percent-encoded user name and password', { cause });
  }
}
