import * as http from 'node:http';
import * as https from 'node:https';
import { ResponseTooLarge, TransportTimeout } from './transport-failure.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE';
  readonly url: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** More than this is not read: ResponseTooLarge. */
  readonly bytesMax: number;
  /** Without a byte for so long: TransportTimeout. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Hears of every part of the body that came: all of them so far, in order. */
  readonly onPart?: (parts: readonly Buffer[]) => void;
}

/** A whole answer, whatever its status. Redirects are answers like others: they are never followed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ClientTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/**
 * Requests over connections that are kept open. It is Node's own client, since the parser of undici is WebAssembly, which cannot
 * start where a worker's address space is capped.
 */
export class HttpClient implements Disposable {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure: https.Agent;

  /** `tls` goes to every https address that is asked: the custom authority counts for all, the certificate for who wants one. */
  constructor(tls: ClientTls) {
    this.#secure = new https.Agent({ keepAlive: true, minVersion: 'TLSv1.2', ...tls });
  }

  /** Rejects with what node:http says of the connection, with the signal's reason, or with one of our own two errors. */
  send(request: HttpRequest): Promise<HttpAnswer> {
    request.signal?.throwIfAborted();
    const isSecure = request.url.startsWith('https:');
    const options = {
      method: request.method,
      headers: { ...request.headers, ...lengthOf(request.body) },
      agent: isSecure ? this.#secure : this.#plain,
    };
    const sent = (isSecure ? https : http).request(request.url, options);
    return answerTo(sent, request);
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

const lengthOf = (body: string | undefined): http.OutgoingHttpHeaders =>
  body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };

function answerTo(sent: http.ClientRequest, request: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (failure: unknown): void => {
      stop();
      reject(failure);
      sent.destroy();
    };
    const timer = setTimeout(() => fail(new TransportTimeout()), request.timeoutMs);
    const onAbort = (): void => fail(request.signal?.reason);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const stop = (): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    };
    sent.on('error', fail); // stays for the life of the request: what comes after the first is not heard
    sent.on('response', (response) => {
      timer.refresh();
      const onPart = (parts: readonly Buffer[]): void => {
        timer.refresh();
        request.onPart?.(parts);
      };
      readBody(response, { bytesMax: request.bytesMax, onPart }).then((body) => {
        stop();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      }, fail);
    });
    sent.end(request.body);
  });
}

interface BodyOptions {
  readonly bytesMax: number;
  readonly onPart: (parts: readonly Buffer[]) => void;
}

function readBody(response: http.IncomingMessage, { bytesMax, onPart }: BodyOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) return reject(new ResponseTooLarge());
      chunks.push(chunk);
      onPart(chunks);
    });
    response.on('error', reject); // also for a connection that was lost in the middle
    response.on('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes));
    });
  });
}
