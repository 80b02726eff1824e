import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cancelStatement } from './cancel-statement.ts';
import { checkedBody } from './checked-body.ts';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';
import { unreadable } from './json-scan.ts';
import { type FetchPage, PagePrefetcher } from './page-prefetcher.ts';
import type { TrinoLimits } from './profile.ts';
import { ResultPage } from './result-page.ts';
import { withRetries } from './retry.ts';
import { unavailable } from './transport-failure.ts';

interface SessionOptions {
  readonly http: HttpClient;
  readonly origin: string;
  readonly headers: OutgoingHttpHeaders;
  readonly limits: TrinoLimits;
  /** Receives the address at which the statement can be cancelled, whenever its kind changes. */
  readonly onCancelUrl?: (url: string) => void;
}

/** Largest response that has no rows. */
const CONTROL_BYTES_MAX = 1024 * 1024;
/** Trino itself waits before it responds that there is nothing yet; a server that responds immediately is asked less often. */
const PACE = { freePages: 6, quickMs: 20, pauseMs: 50 } as const;

/**
 * The requests of one statement: it is submitted once, its pages are prefetched, and it is stopped as soon as no reader needs it.
 * No page is returned twice and none is skipped: each has a token in its address that only counts up.
 */
export class StatementSession {
  readonly #options: SessionOptions;
  readonly #stop = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #prefetcher = new PagePrefetcher((uri, options) => this.#fetch(uri, options));
  #submitted: Promise<ResultPage> | undefined;
  #cancelled: Promise<void> | undefined;
  /** Address of the next page; undefined before the submission and at the end. */
  #nextUri: string | undefined;
  #isOver = false;
  #queryId: string | undefined;
  #requests = 0;
  #quickPages = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), options.limits.heartbeatMs);
  }

  /** Trino's id of the statement; undefined before Trino has accepted it. */
  get queryId(): string | undefined {
    return this.#queryId;
  }

  /** Yields every page in order, the last one without a `nextUri`. Throws transport errors, and the reason of `stop`. */
  async *pages(sql: string): AsyncGenerator<ResultPage> {
    this.#submitted = this.#submit(sql);
    this.#submitted.catch(() => undefined); // a cancel may be the only one left to handle the failure
    let uri: string | undefined;
    let page = await this.#unlessStopped(this.#submitted);
    for (;;) {
      const next = this.#follow(page, uri);
      const ahead = next === undefined ? undefined : this.#prefetcher.take(next, page);
      ahead?.catch(() => undefined); // awaited in the next round
      yield page;
      if (ahead === undefined) return;
      uri = next;
      page = await ahead;
    }
  }

  /** Aborts the pending requests, and cancels the statement unless Trino reported its end. Never rejects. */
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
      const submitted = await this.#submitted; // until the submission has a response, there is no address for the cancel
      const url = this.#nextUri ?? (submitted === undefined ? undefined : this.#sameOrigin(submitted.nextUri));
      if (url === undefined) return;
      await cancelStatement(this.#options.http, url, this.#options.headers);
    } catch {
      // Trino cannot be reached. It drops a statement that is not requested any more.
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
    // An attempt that is under way is never aborted: without its response the statement could not be cancelled.
    const response = await withRetries(() => this.#send(request), { retryForMs: limits.retryForMs, signal });
    return new ResultPage(checkedBody(response));
  }

  async #fetch(url: string, { before, onPart }: Parameters<FetchPage>[1]): Promise<ResultPage> {
    const { headers, limits } = this.#options;
    const signal = this.#stop.signal;
    this.#sameOrigin(url);
    if (before !== undefined) await this.#pace(before);
    const requestedAt = performance.now();
    const request = {
      method: 'GET',
      url,
      headers,
      bytesMax: limits.pageBytesMax,
      timeoutMs: limits.answerTimeoutMs,
      signal,
      onPart,
    } as const;
    const response = await withRetries(() => this.#send(request), { retryForMs: limits.retryForMs, signal });
    const page = new ResultPage(checkedBody(response));
    const isQuick = page.dataAt === undefined && performance.now() - requestedAt < PACE.quickMs;
    this.#quickPages = isQuick ? this.#quickPages + 1 : 0;
    return page;
  }

  async #pace(before: ResultPage): Promise<void> {
    if (before.dataAt === undefined && this.#quickPages > PACE.freePages) {
      await delay(PACE.pauseMs, undefined, { signal: this.#stop.signal });
    }
  }

  /** Returns where to continue after this page, whose own address is `uri`. */
  #follow(page: ResultPage, uri: string | undefined): string | undefined {
    this.#queryId ??= page.queryId;
    const next = this.#sameOrigin(page.nextUri);
    if (next !== undefined && (uri === undefined || withoutToken(next) !== withoutToken(uri))) {
      this.#options.onCancelUrl?.(next);
    }
    this.#nextUri = next;
    this.#isOver = next === undefined;
    if (this.#isOver) clearInterval(this.#heartbeat);
    if (next === undefined || uri === undefined || page.dataAt === undefined) return next;
    const isForward = withoutToken(next) !== withoutToken(uri) || token(next) > token(uri);
    if (!isForward) throw unreadable('it leads back to rows that were already sent');
    return next;
  }

  #sameOrigin(uri: string | undefined): string | undefined {
    if (uri === undefined) return undefined;
    if (URL.canParse(uri) && new URL(uri).origin === this.#options.origin) return uri;
    throw unavailable(
      'Trino names an address other than its configured one for the rest of a result. Behind a proxy it needs http-server.process-forwarded=true.',
    );
  }

  /** Keeps the statement of a reader that takes nothing alive in Trino. HEAD neither reads nor drops a page. */
  #sendHeartbeat(): void {
    if (this.#requests > 0 || this.#nextUri === undefined || this.#stop.signal.aborted) return;
    const { headers, limits } = this.#options;
    const request = {
      method: 'HEAD',
      url: this.#nextUri,
      headers,
      bytesMax: CONTROL_BYTES_MAX,
      timeoutMs: limits.answerTimeoutMs,
    } as const;
    // If it fails, the next page reports why, or the next heartbeat succeeds.
    this.#send({ ...request, signal: this.#stop.signal }).catch(() => undefined);
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
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

/** Returns the number at the end of a page's address. */
const token = (uri: string): number => Number(/(\d+)$/.exec(new URL(uri).pathname)?.[1] ?? -1);
/** Removes slug and token from `.../executing/<query>/<slug of the token>/<token>`; the rest distinguishes kinds of addresses. */
const withoutToken = (uri: string): string => new URL(uri).pathname.split('/').slice(0, -2).join('/');
