import { errorOf, pageOf, tooMany, UNAUTHORIZED, unavailable } from './canned-responses.ts';
import type { FaultCase } from './fault-case.ts';
import type { QueryTarget } from './query-faults.ts';

type Expected = Pick<FaultCase, 'exitCode' | 'message'>;

const PRINTED: Expected = { exitCode: 0, message: /^1,000 rows in [\d.]+ s$/ };
const failed = (exitCode: number, message: RegExp): Expected => ({ exitCode, message });

/** Errors that the host sends with a sentence of its own, which is shown as it is. */
const REFUSALS = [
  errorOf(400, 'invalid_parameters', 'The parameter n is missing. Add it.'),
  errorOf(403, 'forbidden', 'You may not run queries. Ask an administrator.'),
  errorOf(404, 'not_found', 'There is no such address. Check the URL.'),
  errorOf(413, 'payload_too_large', 'The statement has more than 1 MiB. Make it shorter.'),
  errorOf(500, 'internal_error', 'The host failed. Tell its operator the request id.'),
];

const sentenceOf = (body = '{}'): string => (JSON.parse(body) as { readonly message: string }).message;

/** Responses of hosts and proxies instead of the rows. */
export function queryResponseFaults({ format, sql, printed }: QueryTarget): FaultCase[] {
  const at = (
    fault: string,
    replies: Parameters<Parameters<NonNullable<FaultCase['damage']>>[0]['reply']>[1][],
    expected: Expected,
  ): FaultCase => ({
    target: `query ${format}`,
    fault,
    words: ['query', sql, '--format', format],
    damage: (proxy) => proxy.reply('/query', ...replies),
    ...expected,
    leaves: 'nothing',
    ...(printed === undefined ? {} : { isPartOf: printed }),
  });
  return [
    at('401 once, and a new token', [UNAUTHORIZED], PRINTED),
    at('401 at the start', [UNAUTHORIZED, UNAUTHORIZED], failed(4, /^error: The token has expired\. Log in again\.$/)),
    ...REFUSALS.map((response) =>
      at(
        `${response.status} with an error`,
        [response],
        failed(1, new RegExp(`^error: ${sentenceOf(response.body).replaceAll('.', '\\.')}$`)),
      ),
    ),
    at('429 without Retry-After', [tooMany()], PRINTED),
    at('429 with Retry-After 1', [tooMany('1')], PRINTED),
    at(
      '429 with Retry-After 3600',
      [tooMany('3600')],
      failed(1, /^error: Too many of your queries run\. .* to end\.$/),
    ),
    at('503 once', [unavailable('0')], PRINTED),
    at(
      '503 with Retry-After 3600',
      [unavailable('3600')],
      failed(1, /^error: The host is shutting down\. Try again\.$/),
    ),
    at(
      '502 page of a proxy',
      [pageOf(502)],
      failed(
        1,
        /^error: 127\.0\.0\.1:\d+ returned status 502 without an error of Sluice\. Check the URL and the proxies/,
      ),
    ),
    at(
      '200 page of a portal',
      [pageOf(200)],
      failed(
        1,
        /^error: 127\.0\.0\.1:\d+ did not return a stream of rows\. Check streamUrl and the proxies on the way\.$/,
      ),
    ),
    at(
      'closed before the headers',
      ['unsent'],
      failed(
        1,
        /^error: 127\.0\.0\.1:\d+ could not be reached, or closed the connection\. Check the URL and the network\.$/,
      ),
    ),
  ];
}
