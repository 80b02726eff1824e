import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** Mail as the server received it. */
export interface ReceivedMail extends ParsedMail {
  /** Sender and recipients of the envelope. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** Account that logged in; undefined without a login. */
  readonly account: string | undefined;
  readonly isSecure: boolean;
  readonly raw: string;
}

/** Behavior of the server towards connections and mails. */
interface MailServerBehavior {
  /** Never greets. */
  readonly isHanging?: boolean;
  /** Reply to a recipient, such as `451 try later`. */
  readonly rejection?: string | undefined;
  /** Time until it accepts the content of a mail. */
  readonly delayMs?: number;
}

interface MailServerOptions {
  /** Whether it offers STARTTLS, with a certificate that no client trusts. */
  readonly hasStartTls?: boolean;
  /** Account that may log in. */
  readonly account?: { readonly user: string; readonly password: string };
}

/** SMTP server that keeps what it receives. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** `smtp://` URL without an account. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Connections so far. */
  readonly connections: number;
  behave(behavior: MailServerBehavior): void;
  /** Refuses connections until it is started again, on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts an SMTP server on a free port of the loopback. */
export async function startMailServer({ hasStartTls = false, account }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let behavior: MailServerBehavior = {};
  let connections = 0;

  const create = (): SMTPServer => {
    const server = new SMTPServer({
      authOptional: account === undefined,
      hideSTARTTLS: !hasStartTls,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      // It would warn about its own certificate, which no client trusts on purpose.
      logger: false,
      onConnect(_session, done) {
        connections += 1;
        if (behavior.isHanging !== true) done();
      },
      onAuth({ username, password }, _session, done) {
        const isRight = account !== undefined && username === account.user && password === account.password;
        if (isRight) done(null, { user: username });
        else done(new Error('535 wrong password'));
      },
      onRcptTo(_address, _session, done) {
        const { rejection } = behavior;
        if (rejection === undefined) return done();
        const responseCode = Number(rejection.slice(0, 3));
        done(Object.assign(new Error(rejection.slice(4)), { responseCode }));
      },
      onData(stream, { envelope: { mailFrom, rcptTo }, user, secure: isSecure }, done) {
        void (async () => {
          const chunks: Uint8Array[] = [];
          for await (const chunk of stream) chunks.push(chunk as Uint8Array);
          const raw = Buffer.concat(chunks);
          if (behavior.delayMs !== undefined) await wait(behavior.delayMs, undefined, { ref: false });
          const envelope = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
          };
          mails.push({ ...(await simpleParser(raw)), envelope, account: user, isSecure, raw: raw.toString() });
        })().then(() => done(), done);
      },
    });
    // A client that leaves in the middle of a mail.
    server.on('error', () => undefined);
    return server;
  };

  const listen = async (server: SMTPServer, at: number): Promise<SMTPServer> => {
    server.listen(at, HOST, () => undefined);
    await once(server.server, 'listening');
    return server;
  };
  const close = (server: SMTPServer): Promise<void> => new Promise((resolve) => server.close(resolve));

  let running: SMTPServer | undefined = await listen(create(), 0);
  const { port } = running.server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    if (stopped !== undefined) await close(stopped);
  };
  return {
    port,
    url: `smtp://${HOST}:${port}`,
    mails,
    get connections() {
      return connections;
    },
    behave(next) {
      behavior = next;
    },
    stop,
    async start() {
      running ??= await listen(create(), port);
    },
    [Symbol.asyncDispose]: stop,
  };
}
