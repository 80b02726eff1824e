/** Clients of the proxies over TLS, by HTTP/1.1 and HTTP/2, from any loopback address and with any header. */
import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect as connectTls } from 'node:tls';

export const VERSIONS = ['HTTP/1.1', 'HTTP/2'];

/**
 * Creates a client. `send` resolves with the response's head; `stream` is its body, and fails unless it ended as HTTP says.
 * @param options.version - one of `VERSIONS`
 * @param options.address - address of the proxy; every host name is there
 * @param options.ca - certificate of the authority
 * @param options.from - own address
 * @param options.keepsConnections - whether HTTP/1.1 uses a connection for several requests
 */
export function createTlsClient({ version, address, port, ca, from = '127.0.0.1', keepsConnections = false }) {
  const options = { address, port, ca, from };
  return version === 'HTTP/2' ? createHttp2Client(options) : createHttp1Client(options, keepsConnections);
}

function createHttp1Client({ address, port, ca, from }, keepsConnections) {
  const agent = new Agent({ keepAlive: keepsConnections });
  return {
    async send(host, path, { method = 'GET', headers = {}, body, servername = host, signal } = {}) {
      const target = { host: address, port, path, method, servername, ca, agent, localAddress: from };
      const sent = request({ ...target, signal, headers: { host, ...headers } });
      sent.end(body);
      const [response] = await once(sent, 'response');
      return { status: response.statusCode, headers: response.headers, stream: response };
    },
    close: () => agent.destroy(),
  };
}

function createHttp2Client({ address, port, ca, from }) {
  const sessions = new Map();

  function open(servername) {
    const createConnection = () =>
      connectTls({ host: address, port, ca, servername, localAddress: from, ALPNProtocols: ['h2'] });
    const session = connect(`https://${servername}:${port}`, { createConnection });
    const forget = () => sessions.get(servername) === session && sessions.delete(servername);
    for (const event of ['close', 'goaway', 'error']) session.once(event, forget);
    sessions.set(servername, session);
    return session;
  }

  async function sendOnce(host, path, { method = 'GET', headers = {}, body, servername = host, signal }) {
    const session = sessions.get(servername) ?? open(servername);
    const stream = session.request({ ':method': method, ':path': path, ':authority': host, ...headers }, { signal });
    stream.end(body);
    const [head] = await once(stream, 'response');
    return { status: head[':status'], headers: head, stream };
  }

  return {
    async send(host, path, options = {}) {
      for (;;) {
        try {
          return await sendOnce(host, path, options);
        } catch (error) {
          if (!isUnprocessed(error)) throw error;
        }
      }
    },
    close() {
      for (const session of sessions.values()) session.destroy();
    },
  };
}

/** A server that goes away has not processed the streams that it refuses, so a client sends them again (RFC 9113 section 8.7). */
const isUnprocessed = ({ code, message }) =>
  ['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION'].includes(code) ||
  message.includes('NGHTTP2_REFUSED_STREAM');

/** Throws if the stream was reset. Node.js ends it as if it were whole if the code is CANCEL, which HAProxy sends. */
export function requireEnd(stream) {
  if (stream.rstCode) throw new Error(`the stream was reset with code ${stream.rstCode}`);
}

/** Returns the text of a body. */
export async function textOf({ stream }) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  requireEnd(stream);
  return text;
}

/** Sends a request and returns its status, headers and text. */
export async function fetchText(client, host, path, options) {
  const response = await client.send(host, path, options);
  return { ...response, text: await textOf(response) };
}
