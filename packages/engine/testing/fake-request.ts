import type { IncomingHttpHeaders } from 'node:http';

/** Purpose of a request. Pages count from 1; the response to a submission has no rows. */
export interface FakeRequest {
  readonly kind: 'info' | 'submit' | 'page' | 'cancel' | 'heartbeat' | 'segment' | 'ack' | 'other';
  readonly page: number;
  /** Number of the attempt for the same kind and page, from 1. */
  readonly attempt: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Fault of the fake server: a response that is replaced, cut, late or missing. */
export type FakeFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly kind: 'answer'; readonly contentType: string; readonly body: string }
  /** There is never a response. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  /** This many bytes of the response, and then the connection is lost. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** This many bytes of the response, and the rest once it is released. */
  | { readonly kind: 'held'; readonly bytes: number; readonly until: Promise<void> }
  /** The response for the previous page, again. */
  | { readonly kind: 'repeat' }
  | { readonly kind: 'late'; readonly ms: number };

/** Returns the purpose of a request by the protocol's paths. */
export function kindOf(method: string, path: string): FakeRequest['kind'] {
  if (path === '/v1/info') return 'info';
  if (path.startsWith('/segments/')) return 'segment';
  if (path.startsWith('/acks/')) return 'ack';
  if (!path.startsWith('/v1/statement')) return 'other';
  const kinds: Readonly<Record<string, FakeRequest['kind']>> = {
    POST: 'submit',
    DELETE: 'cancel',
    HEAD: 'heartbeat',
    GET: 'page',
  };
  return kinds[method] ?? 'other';
}
