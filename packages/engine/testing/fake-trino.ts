import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeFault, type FakeRequest, kindOf } from './fake-request.ts';
import type { FakePage, FakeResult } from './fake-result.ts';
import type { SelfSigned } from './self-signed.ts';

const UNTIL_MS = 60_000;

export interface FakeTrinoOptions {
  /** The same for every statement, or by its text. */
  readonly result: FakeResult | ((sql: string) => FakeResult);
  readonly fault?: (request: FakeRequest) => FakeFault | undefined;
  /** Headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly version?: string;
  readonly isStarting?: boolean;
  /** Serves TLS with this certificate. */
  readonly tls?: SelfSigned;
  /** Bodies by the number in `/segments/<n>`. */
  readonly segments?: readonly string[];
}

/** A statement that was submitted. */
interface FakeStatement {
  readonly number: number;
  readonly result: FakeResult;
  newestPage: number;
}

/**
 * Implements Trino's protocol over real HTTP and fails on demand. Like Trino it returns the newest page again on request, and
 * forgets a page when the next one is requested. Every request is kept.
 */
export class FakeTrino implements AsyncDisposable {
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;
  readonly #options: FakeTrinoOptions;
  readonly #statements: FakeStatement[] = [];

  private constructor(server: Server, options: FakeTrinoOptions) {
    this.#server = server;
    this.#options = options;
  }

  static async start(options: FakeTrinoOptions): Promise<FakeTrino> {
    const { tls } = options;
    const server = tls === undefined ? createServer() : createTlsServer({ cert: tls.certificate, key: tls.key });
    const fake = new FakeTrino(server, options);
    server.on('request', (request, response) => void fake.#serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get url(): string {
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  count(kind: FakeRequest['kind']): number {
    return this.requests.filter((request) => request.kind === kind).length;
  }

  /** Resolves once there was such a request, and rejects after a timeout. */
  async until(kind: FakeRequest['kind']): Promise<FakeRequest> {
    for (const giveUpAt = performance.now() + UNTIL_MS; performance.now() < giveUpAt; ) {
      const found = this.requests.find((request) => request.kind === kind);
      if (found !== undefined) return found;
      await this.tick();
    }
    throw new Error(`There was no request of the kind ${kind}`);
  }

  /** Waits for a moment, for tests that watch the requests. */
  async tick(ms = 5): Promise<void> {
    await delay(ms);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = this.#record(incoming, await text(incoming));
    const fault = this.#options.fault?.(request);
    if (fault === undefined) {
      this.#respond(request, response);
      return;
    }
    switch (fault.kind) {
      case 'status':
        response.writeHead(fault.status, fault.headers).end(fault.body);
        return;
      case 'answer':
        response.writeHead(200, { 'content-type': fault.contentType }).end(fault.body);
        return;
      case 'hang':
        return;
      case 'reset':
        incoming.socket.resetAndDestroy();
        return;
      case 'cut': {
        const body = this.#begin(request, response);
        response.write(body.subarray(0, fault.bytes), () => incoming.socket.destroy());
        return;
      }
      case 'held': {
        const body = this.#begin(request, response);
        response.write(body.subarray(0, fault.bytes));
        await fault.until;
        response.end(body.subarray(fault.bytes));
        return;
      }
      case 'repeat':
        this.#send(response, this.#pageText(this.#statementOf(request), request.page - 1));
        return;
      case 'late':
        setTimeout(() => this.#respond(request, response), fault.ms);
    }
  }

  /** Sends the head of the response and returns its body. The next page may be requested from now on. */
  #begin(request: FakeRequest, response: ServerResponse): Buffer {
    const statement = this.#statementOf(request);
    statement.newestPage = Math.max(statement.newestPage, request.page);
    const body = Buffer.from(this.#pageText(statement, request.page));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength });
    return body;
  }

  #record(incoming: IncomingMessage, body: string): FakeRequest {
    const path = incoming.url ?? '';
    const kind = kindOf(incoming.method ?? '', path);
    const page = Number(/\/(\d+)$/.exec(path)?.[1] ?? 0);
    const before = this.requests.filter((other) => other.kind === kind && other.page === page).length;
    const request = { kind, page, attempt: before + 1, path, headers: incoming.headers, body };
    this.requests.push(request);
    return request;
  }

  #respond(request: FakeRequest, response: ServerResponse): void {
    switch (request.kind) {
      case 'info': {
        const nodeVersion = { version: this.#options.version ?? '476' };
        this.#send(response, JSON.stringify({ nodeVersion, starting: this.#options.isStarting ?? false }));
        return;
      }
      case 'submit':
        this.#send(response, this.#pageText(this.#submit(request.body), 0));
        return;
      case 'page': {
        const statement = this.#statementOf(request);
        if (request.page < statement.newestPage || request.page > statement.newestPage + 1) {
          response.writeHead(410).end();
          return;
        }
        statement.newestPage = request.page;
        this.#send(response, this.#pageText(statement, request.page));
        return;
      }
      case 'segment':
        this.#send(response, this.#options.segments?.[request.page] ?? '[]');
        return;
      case 'cancel':
        response.writeHead(204).end();
        return;
      default:
        response.writeHead(200).end();
    }
  }

  #send(response: ServerResponse, body: string): void {
    response.writeHead(200, { 'content-type': 'application/json', ...this.#options.headers }).end(body);
  }

  #submit(sql: string): FakeStatement {
    const { result } = this.#options;
    const number = this.#statements.length;
    const statement = { number, result: typeof result === 'function' ? result(sql) : result, newestPage: 0 };
    this.#statements.push(statement);
    return statement;
  }

  #statementOf({ path }: FakeRequest): FakeStatement {
    const number = Number(/\/fake(\d+)\//.exec(path)?.[1] ?? this.#statements.length - 1);
    return this.#statements[number] ?? this.#submit('');
  }

  /** Returns a page with its members in Trino's order. Page 0 is the response to the submission. */
  #pageText({ number: statement, result }: FakeStatement, number: number): string {
    const { submission = { state: 'QUEUED', isWithoutColumns: true } } = result;
    const page: FakePage | undefined = number === 0 ? submission : result.pages[number - 1];
    const isLast = number >= result.pages.length || page?.error !== undefined;
    const state = page?.state ?? (page?.error !== undefined ? 'FAILED' : isLast ? 'FINISHED' : 'RUNNING');
    const members = [
      `"id":"20260101_000000_00000_fake${statement}","infoUri":"${this.url}/ui/query.html"`,
      ...(isLast
        ? []
        : [`"nextUri":"${this.url}/v1/statement/executing/fake${statement}/slug${number + 1}/${number + 1}"`]),
      ...(page?.isWithoutColumns === true ? [] : [`"columns":${JSON.stringify(result.columns)}`]),
      ...(page?.rows === undefined ? [] : [`"data":${page.rows}`]),
      `"stats":${JSON.stringify({ state, completedSplits: number, totalSplits: result.pages.length })}`,
      ...(page?.error === undefined ? [] : [`"error":${JSON.stringify(page.error)}`]),
      '"warnings":[]',
    ];
    return `{${members.join(',')}}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
