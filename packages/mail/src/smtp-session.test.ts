import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type MailServer, reservePort, startMailServer } from '@sluice/testkit';
import { SmtpError } from './smtp-error.ts';
import { openSmtpSession, type SmtpTimeouts } from './smtp-session.ts';
import { parseSmtpUrl } from './smtp-url.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

const SHORT: SmtpTimeouts = { openMs: 300, sendMs: 300 };
/** Long enough that only what is tested ends a step. */
const LONG: SmtpTimeouts = { openMs: 60_000, sendMs: 60_000 };
const ENVELOPE = { from: 'sluice@example.com', to: 'ann@example.com' };
const MESSAGE = Buffer.from('Subject: Hello\r\n\r\n.Text\r\n');

async function start(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  open.push(server);
  return server;
}

/** Opens a session, sends one mail, and returns the failure, if there is one. */
async function sendTo(url: string, timeouts = LONG, signal = new AbortController().signal): Promise<unknown> {
  try {
    await using session = await openSmtpSession({ server: parseSmtpUrl(url), timeouts, signal });
    await session.send(ENVELOPE, MESSAGE);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

/** Server whose connections get what `greet` writes, and no reply to a command. */
async function startSilentServer(greet: (write: (text: string) => void) => void): Promise<{ url: string }> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    greet((text) => void socket.write(text));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ [Symbol.asyncDispose]: async () => void server.close() });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const failure = (kind: string, message: RegExp) =>
  expect.objectContaining({ kind, message: expect.stringMatching(message) });

describe('a session', () => {
  it('sends several mails on one connection', async () => {
    const server = await start();
    await using session = await openSmtpSession({
      server: parseSmtpUrl(server.url),
      signal: new AbortController().signal,
    });
    for (let count = 0; count < 3; count += 1) await session.send(ENVELOPE, MESSAGE);
    expect([server.mails.length, server.connections]).toEqual([3, 1]);
    expect(server.mails[0]).toMatchObject({ subject: 'Hello', text: '.Text\n' });
    expect(server.mails[0]?.envelope).toEqual({ from: ENVELOPE.from, to: [ENVELOPE.to] });
  });

  it('logs in, on loopback also without TLS', async () => {
    const account = { user: 'ann@example.com', password: 'p:@ss' };
    const server = await start({ account });
    const url = (password: string) =>
      `smtp://ann%40example.com:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;
    expect(await sendTo(url(account.password))).toBeUndefined();
    expect(server.mails[0]).toMatchObject({ account: account.user, isSecure: false });
    const wrong = await sendTo(url('wrong-one'));
    expect(wrong).toEqual(
      failure('connection', /^The SMTP server 127\.0\.0\.1:\d+ rejected the user name and password/),
    );
    expect(String(wrong)).not.toContain('wrong-one');
  });
});

describe('a failure is one sentence', () => {
  it('for a port that is closed, and a name that does not exist', async () => {
    expect(await sendTo(`smtp://127.0.0.1:${await reservePort()}`)).toEqual(
      failure('connection', /refused the connection\.$/),
    );
    expect(await sendTo('smtp://mail.invalid')).toEqual(
      failure('connection', /^The name of the SMTP server mail\.invalid cannot be resolved\.$/),
    );
  });

  it('for a server that never greets, one that sends a byte at a time, and one that never replies', async () => {
    const hanging = await startSilentServer(() => undefined);
    const timers: NodeJS.Timeout[] = [];
    const dripping = await startSilentServer((write) => void timers.push(setInterval(() => write('2'), 20)));
    const mute = await startSilentServer((write) => write('220 ready\r\n'));
    for (const { url } of [hanging, dripping, mute]) {
      expect(await sendTo(url, SHORT)).toEqual(failure('connection', /did not reply within 0\.3 s\.$/));
    }
    for (const timer of timers) clearInterval(timer);
  });

  it('for a server that is not an SMTP server, and one that closes the connection', async () => {
    const { url } = await startSilentServer((write) => write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await sendTo(url)).toEqual(failure('connection', /failed \(Invalid greeting/));
    const closing = createServer((socket) => void socket.end()).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    open.push({ [Symbol.asyncDispose]: async () => void closing.close() });
    const { port } = closing.address() as AddressInfo;
    expect(await sendTo(`smtp://127.0.0.1:${port}`)).toEqual(
      failure('connection', /closed the connection\.|failed \(/),
    );
  });

  it('for a certificate that is not trusted, with STARTTLS and with TLS from the beginning', async () => {
    const server = await start({ hasStartTls: true });
    expect(await sendTo(server.url)).toEqual(
      failure('connection', /certificate that is not trusted .*NODE_EXTRA_CA_CERTS/),
    );
    const plain = await start();
    expect(await sendTo(plain.url.replace('smtp:', 'smtps:'))).toEqual(
      failure('connection', /does not offer the required TLS/),
    );
    expect([server.mails, plain.mails]).toEqual([[], []]);
  });

  it('for a mail that the server rejects', async () => {
    const server = await start();
    server.behave({ rejection: '550 no such mailbox' });
    expect(await sendTo(server.url)).toEqual(failure('mail', /rejected the mail: 550 no such mailbox/));
  });

  it('for a server that is slow with a mail', async () => {
    const server = await start();
    server.behave({ delayMs: 60_000 });
    expect(await sendTo(server.url, { ...LONG, sendMs: 300 })).toEqual(
      failure('connection', /did not reply within 0\.3 s/),
    );
  });

  it('for a host that stops, at once', async () => {
    const { url } = await startSilentServer(() => undefined);
    const stopping = new AbortController();
    const sending = sendTo(url, LONG, stopping.signal);
    stopping.abort();
    const thrown = await sending;
    expect(thrown).toBeInstanceOf(SmtpError);
    expect(thrown).toMatchObject({ kind: 'server_shutdown' });
  });
});
