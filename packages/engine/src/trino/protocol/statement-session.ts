import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cancelStatement } from './cancel-statement.ts';
import { checkedBody } from './check-answer.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';
import { unreadable } from './json-scan.ts';
import { type FetchPage, PagesAhead } from './pages-ahead.ts';
import type { TrinoLimits } from './profile.ts';
import { ResultPage } from './result-page.ts';
import { withRetries } from './retry.ts';
import { unavailable } from './transport-failure.ts';

export interface SessionOptions {
  readonly http: HttpClient;
  readonly origin: string;
  readonly headers: OutgoingHttpHeaders;
  readonly limits: TrinoLimits;
  /** Told at what address the statement can be cancelled, when that is one of another kind than before. */
  readonly onPlace?: (url: string) => void;
}

/** Of small answers, which are not data. */
const CONTROL_BYTES_MAX = 1024 * 1024;
/** Trino itself waits before it answers that there is nothing yet; who answers so at once is asked less often. */
const PACE = { freePages: 6, quickMs: 20, pauseMs: 50 } as const;

/**
 * The conversation about one statement: it is submitted once, its pages are asked for ahead of the reader, and it is told to
 * stop as soon as nobody wants it any more. No page is given twice, and none is left out: each is known by the token of its
 * address, which only counts up.
 */
export class StatementSession {
  readonly #options: SessionOptions;
  readonly #stop = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #ahead = new PagesAhead((uri, options) => this.#fetch(uri, options));
  #submitted: Promise<ResultPage> | undefined;
  #cancelled: Promise<void> | undefined;
  /** Where the statement goes on; undefined before it was submitted and when it is over. */
  #nextUri: string | undefined;
  #isOver = false;
  #requests = 0;
  #quickPages = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), options.limits.heartbeatMs);
  }

  /** Every page in order, the last one without a `nextUri`. Throws what hinders them, and the reason of `stop`. */
  async *pages(sql: string): AsyncGenerator<ResultPage> {
    this.#submitted = this.#submit(sql);
    this.#submitted.catch(() => undefined); // a cancel may be the only one left to hear of it
    let uri: string | undefined;
    let page = await this.#unlessStopped(this.#submitted);
    for (;;) {
      const next = this.#follow(page, uri);
      const ahead = next === undefined ? undefined : this.#ahead.take(next, page);
      ahead?.catch(() => undefined); // it is awaited in the next round
      yield page;
      if (ahead === undefined) return;
      uri = next;
      page = await ahead;
    }
  }

  /** Stops what is under way, and tells Trino unless it said itself that the statement is over. Never rejects. */
  cancel(reason: unknown): Promise<void> {
    this.#cancelled ??= this.#cancel(reason);
    return this.#cancelled;
  }

  async #cancel(reason: unknown): Promise<void> {
    clearInterval(this.#heartbeat);
    const isOver = this.#isOver;
    this.#stop.abort(reason);
    if (isOver) return;
    try {
      const submitted = await this.#submitted; // until it has answered, there is no address to send the cancel to
      const url = this.#nextUri ?? (submitted === undefined ? undefined : this.#sameOrigin(submitted.nextUri));
      if (url === undefined) return;
      await cancelStatement(this.#options.http, url, this.#options.headers);
    } catch {
      // Trino cannot be reached. It drops a statement that nobody asks for.
    }
  }

  async #submit(sql: string): Promise<ResultPage> {
    const { origin, headers, limits } = this.#options;
    const request = {
      method: 'POST',
      url: `${origin}/v1/statement`,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      body: sql,
      bytesMax: limits.pageBytesMax,
      timeoutMs: limits.answerTimeoutMs,
    } as const;
    const signal = this.#stop.signal;
    // An attempt that is under way is never given up: without its answer the statement could not be cancelled.
    const answer = await withRetries(() => this.#send(request), { retryForMs: limits.retryForMs, signal });
    return new ResultPage(checkedBody(answer));
  }

  async #fetch(url: string, { before, onPart }: Parameters<FetchPage>[1]): Promise<ResultPage> {
    const { headers, limits } = this.#options;
    const signal = this.#stop.signal;
    this.#sameOrigin(url);
    if (before !== undefined) await this.#pace(before);
    const askedAt = performance.now();
    const request = {
      method: 'GET',
      url,
      headers,
      bytesMax: limits.pageBytesMax,
      timeoutMs: limits.answerTimeoutMs,
      signal,
      onPart,
    } as const;
    const answer = await withRetries(() => this.#send(request), { retryForMs: limits.retryForMs, signal });
    const page = new ResultPage(checkedBody(answer));
    const isQuick = page.dataAt === undefined && performance.now() - askedAt < PACE.quickMs;
    this.#quickPages = isQuick ? this.#quickPages + 1 : 0;
    return page;
  }

  async #pace(before: ResultPage): Promise<void> {
    if (before.dataAt === undefined && this.#quickPages > PACE.freePages) {
      await delay(PACE.pauseMs, undefined, { signal: this.#stop.signal });
    }
  }

  /** Where to go on after this page, whose own address is `uri`. */
  #follow(page: ResultPage, uri: string | undefined): string | undefined {
    const next = this.#sameOrigin(page.nextUri);
    if (next !== undefined && (uri === undefined || withoutToken(next) !== withoutToken(uri))) {
      this.#options.onPlace?.(next);
    }
    this.#nextUri = next;
    this.#isOver = next === undefined;
    if (this.#isOver) clearInterval(this.#heartbeat);
    if (next === undefined || uri === undefined || page.dataAt === undefined) return next;
    const isForward = withoutToken(next) !== withoutToken(uri) || token(next) > token(uri);
    if (!isForward) throw unreadable('it leads back to rows that were sent already');
    return next;
  }

  #sameOrigin(uri: string | undefined): string | undefined {
    if (uri === undefined) return undefined;
    if (URL.canParse(uri) && new URL(uri).origin === this.#options.origin) return uri;
    throw unavailable(
      'Trino names another address than its configured one for the rest of a result. Behind a proxy it needs http-server.process-forwarded=true.',
    );
  }

  /** A reader that takes nothing must not look to Trino like one that has gone. HEAD neither reads nor drops a page. */
  #beat(): void {
    if (this.#requests > 0 || this.#nextUri === undefined || this.#stop.signal.aborted) return;
    const { headers, limits } = this.#options;
    const request = {
      method: 'HEAD',
      url: this.#nextUri,
      headers,
      bytesMax: CONTROL_BYTES_MAX,
      timeoutMs: limits.answerTimeoutMs,
    } as const;
    // If it fails, the next page will tell why, or the next beat will not.
    this.#send({ ...request, signal: this.#stop.signal }).catch(() => undefined);
  }

  async #send(request: HttpRequest): Promise<HttpAnswer> {
    this.#requests += 1;
    try {
      return await this.#options.http.send(request);
    } finally {
      this.#requests -= 1;
    }
  }

  async #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    let onAbort: (() => void) | undefined;
    const stopped = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    }
  }
}

/** The number at the end of a page's address. */
const token = (uri: string): number => Number(/(\d+)$/.exec(new URL(uri).pathname)?.[1] ?? -1);
/** `.../executing/<query>/<slug of the token>/<token>`: what tells two kinds of addresses apart, without slug and token. */
const withoutToken = (uri: string): string => new URL(uri).pathname.split('/').slice(0, -2).join('/');
