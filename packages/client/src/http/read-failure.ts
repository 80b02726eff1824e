import { type FaultDetail, ResponseError, type SqlLocation } from '../errors.ts';

/** The three shapes of an error body: the error JSON, a failed result set, and RFC 6749 section 5.2. */
interface ErrorBody {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly error_description?: unknown;
  readonly code?: unknown;
  readonly request_id?: unknown;
  readonly query_id?: unknown;
  readonly location?: SqlLocation;
  readonly details?: readonly FaultDetail[];
}

const EXCERPT_CHARACTERS = 200;

const textOr = (value: unknown, fallback: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : fallback;

/** Reads `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

function parseObject(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an error response. A body that is not Sluice's, such as the page of a proxy, gets the code `unexpected_response`. */
export async function readFailure(response: Response): Promise<ResponseError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  const fields = {
    status,
    requestId: textOr(body?.request_id, headers.get('x-request-id') ?? undefined),
    queryId: textOr(body?.query_id, headers.get('x-query-id') ?? undefined),
    retryAfterSeconds: retryAfterSeconds(headers),
  };
  // A failed result set has the sentence in `error` and the code in `code`.
  const code = textOr(body?.code, textOr(body?.error, undefined));
  if (body === undefined || code === undefined) {
    const excerpt = text.slice(0, EXCERPT_CHARACTERS).trim();
    const message = `${new URL(response.url).host} returned status ${status} without an error of Sluice. Check the URL and the proxies on the way.`;
    return new ResponseError('unexpected_response', message, { ...fields, body: body ?? excerpt });
  }
  const message = textOr(body.message, textOr(body.error_description, `The host returned status ${status}.`)) ?? '';
  return new ResponseError(code.toLowerCase(), message, {
    ...fields,
    location: body.location,
    details: body.details,
    body,
  });
}
