import * as http from 'node:http';
import * as https from 'node:https';
import { ResponseTooLarge, TransportTimeout } from './transport-failure.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE';
  readonly url: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** Larger responses are not read: ResponseTooLarge. */
  readonly bytesMax: number;
  /** Time without a byte after which the request fails: TransportTimeout. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Receives all parts of the body so far, in order, after each new part. */
  readonly onPart?: (parts: readonly Buffer[]) => void;
}

/** A complete response with any status. Redirects are responses like others: they are never followed. */
export interface HttpResponse {
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
 * Sends requests over connections that are kept open. It uses Node's own client, because the parser of undici is WebAssembly,
 * which cannot start in a worker with a limited address space.
 */
export class HttpClient implements Disposable {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure: https.Agent;

  /** `tls` applies to every https address: the custom authority for all, the certificate for servers that request one. */
  constructor(tls: ClientTls) {
    this.#secure = new https.Agent({ keepAlive: true, minVersion: 'TLSv1.2', ...tls });
  }

  /** Rejects with node:http's error about the connection, with the signal's reason, or with one of our own two errors. */
  send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    const isSecure = request.url.startsWith('https:');
    const options = {
      method: request.method,
      headers: { ...request.headers, ...lengthOf(request.body) },
      agent: isSecure ? this.#secure : this.#plain,
    };
    const sent = (isSecure ? https : http).request(request.url, options);
    return receiveResponse(sent, request);
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

const lengthOf = (body: string | undefined): http.OutgoingHttpHeaders =>
  body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };

function receiveResponse(sent: http.ClientRequest, request: HttpRequest): Promise<HttpResponse> {
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
    sent.on('error', fail); // stays for the life of the request: errors after the first are ignored
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
