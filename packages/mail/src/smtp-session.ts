import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { SmtpError, serverName, smtpErrorOf } from './smtp-error.ts';
import type { SmtpServer } from './smtp-url.ts';

/** Time limits of a session, in milliseconds. */
export interface SmtpTimeouts {
  /** Connection, greeting, TLS and login together. */
  readonly openMs: number;
  /** One mail, from its envelope to the reply to its content. */
  readonly sendMs: number;
}

/** Servers with greylisting or a virus scanner take several seconds. */
const TIMEOUTS: SmtpTimeouts = { openMs: 20_000, sendMs: 60_000 };
const QUIT_MS = 1_000;

/** Open connection to an SMTP server, on which several mails can be sent one after the other. */
export interface SmtpSession extends AsyncDisposable {
  /** Resolves when the server has accepted the mail. Rejects with an SmtpError, and the session is closed then. */
  send(envelope: { readonly from: string; readonly to: string }, message: Buffer): Promise<void>;
}

interface SmtpSessionOptions {
  readonly server: SmtpServer;
  readonly timeouts?: SmtpTimeouts;
  /** Closes the session, and rejects what runs on it. */
  readonly signal: AbortSignal;
}

type Done = (error?: Error | null) => void;

/** Connects and logs in. Rejects with an SmtpError whose message is a sentence for the operator, without the credentials. */
export async function openSmtpSession({
  server,
  timeouts = TIMEOUTS,
  signal,
}: SmtpSessionOptions): Promise<SmtpSession> {
  const { host, port, isImplicitTls, requiresTls, credentials } = server;
  // Loaded with the first mail: most hosts send none.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const openUntil = performance.now() + timeouts.openMs;
  const socket = connect({ host, port });
  let dialogue: SMTPConnection | undefined;
  let isOpen = true;
  // Without listeners, an error between two steps would end the process.
  socket.on('error', () => undefined);

  const close = (): void => {
    isOpen = false;
    dialogue?.close();
    // The dialogue only ends its half of a connection, and a server that hangs never ends the other one.
    socket.destroy();
  };

  /** Runs one step. The first of its callback, an event, its time limit and the signal ends it; a failure closes the session. */
  const step = (begin: (done: Done) => void, limitMs: number, leftMs = limitMs): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle: Done = (error) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        dialogue?.off('error', settle).off('end', onEnd);
        if (error == null) return resolve();
        close();
        reject(smtpErrorOf(error, server));
      };
      const onAbort = (): void => settle(new SmtpError('server_shutdown', 'This server is stopping.'));
      const onEnd = (): void => settle(new SmtpError('connection', `${serverName(server)} closed the connection.`));
      const onTimeout = (): void =>
        settle(new SmtpError('connection', `${serverName(server)} did not reply within ${limitMs / 1000} s.`));
      const timer = setTimeout(onTimeout, Math.max(0, leftMs));
      signal.addEventListener('abort', onAbort);
      dialogue?.on('error', settle).on('end', onEnd);
      if (signal.aborted) return onAbort();
      begin(settle);
    });

  const openingStep = (begin: (done: Done) => void): Promise<void> =>
    step(begin, timeouts.openMs, openUntil - performance.now());

  await openingStep((done) => void once(socket, 'connect').then(() => done(), done));
  dialogue = new Connection({
    host,
    port,
    secure: isImplicitTls,
    requireTLS: requiresTls,
    connection: socket,
    // A server that sends a byte now and then never exceeds these. The limits of the steps hold for it too.
    connectionTimeout: timeouts.openMs,
    greetingTimeout: timeouts.openMs,
    socketTimeout: timeouts.sendMs,
    tls: { minVersion: 'TLSv1.2', ...(isIP(host) === 0 ? { servername: host } : {}) },
  });
  const connection = dialogue;
  connection.on('error', () => undefined);
  await openingStep((done) => connection.connect(done));
  if (credentials !== undefined) {
    const auth = { user: credentials.user, pass: credentials.password };
    await openingStep((done) => connection.login(auth, done));
  }

  return {
    send: ({ from, to }, message) =>
      step((done) => connection.send({ from, to: [to] }, message, (error) => done(error)), timeouts.sendMs),
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      const ended = once(connection, 'end', { signal: AbortSignal.timeout(QUIT_MS) }).catch(() => undefined);
      connection.quit();
      await ended;
      close();
    },
  };
}
