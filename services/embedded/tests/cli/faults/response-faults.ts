import { findFreePort } from '@sluice/testkit';
import type { FaultCase, FaultTarget } from './fault-case.ts';

const error = (code: string, message: string): string => JSON.stringify({ error: code, message, request_id: 'r1' });
const JSON_TYPE = { 'content-type': 'application/json', 'x-request-id': 'r1' };
const PAGE = { headers: { 'content-type': 'text/html' }, body: '<html><body><h1>Bad Gateway</h1></body></html>' };

const unauthorized = {
  status: 401,
  headers: JSON_TYPE,
  body: error('unauthorized', 'The token has expired. Log in again.'),
};
const tooMany = (seconds: string) => ({
  status: 429,
  headers: { ...JSON_TYPE, 'retry-after': seconds },
  body: error('too_many_requests', 'Too many of your queries run. Wait for one of them to end.'),
});
const unavailable = (seconds: string) => ({
  status: 503,
  headers: { ...JSON_TYPE, 'retry-after': seconds },
  body: error('shutting_down', 'The host is shutting down. Try again.'),
});

type Expected = Pick<FaultCase, 'exitCode' | 'message' | 'leaves'>;
const SAVED: Expected = { exitCode: 0, message: /^out\.file: [\d,]+ rows, .* match the receipt/, leaves: 'file' };
const failed = (exitCode: number, message: RegExp): Expected => ({ exitCode, message, leaves: 'nothing' });

/** Responses of hosts and proxies instead of the file. */
export function responseFaults({ name, words, path }: FaultTarget): FaultCase[] {
  const base = { target: name, words: words(''), file: 'out.file' };
  return [
    { ...base, fault: '401 once, and a new token', damage: (proxy) => proxy.reply(path, unauthorized), ...SAVED },
    {
      ...base,
      fault: '401 at the start',
      damage: (proxy) => proxy.reply(path, unauthorized, unauthorized),
      ...failed(4, /^error: The token has expired\. Log in again\. out\.file was not written\.$/),
    },
    {
      ...base,
      fault: '401 in mid-way, at the receipt',
      damage: (proxy) =>
        proxy.reply(
          '/query',
          ...(path === '/query/download' ? [{ delayMs: 0 } as const] : []),
          unauthorized,
          unauthorized,
        ),
      ...failed(4, /^error: The token has expired\./),
    },
    {
      ...base,
      fault: '502 page at the receipt',
      damage: (proxy) =>
        proxy.reply('/query', ...(path === '/query/download' ? [{ delayMs: 0 } as const] : []), {
          status: 500,
          ...PAGE,
        }),
      ...failed(
        3,
        /^error: All bytes seem to have arrived, but the receipt that proves it could not be read: .*proxies/,
      ),
    },
    { ...base, fault: '429 with Retry-After 1', damage: (proxy) => proxy.reply(path, tooMany('1')), ...SAVED },
    {
      ...base,
      fault: '429 with Retry-After 3600',
      damage: (proxy) => proxy.reply(path, tooMany('3600')),
      ...failed(1, /^error: Too many of your queries run\. Wait for one of them to end\. out\.file was not written\.$/),
    },
    { ...base, fault: '503 once', damage: (proxy) => proxy.reply(path, unavailable('0')), ...SAVED },
    {
      ...base,
      fault: '503 with Retry-After 3600',
      damage: (proxy) => proxy.reply(path, unavailable('3600')),
      ...failed(1, /^error: The host is shutting down\. Try again\. out\.file was not written\.$/),
    },
    {
      ...base,
      fault: '502 page of a proxy',
      damage: (proxy) => proxy.reply(path, { status: 502, ...PAGE }),
      ...failed(
        1,
        /^error: 127\.0\.0\.1:\d+ returned status 502 without an error of Sluice\. Check the URL and the proxies/,
      ),
    },
    {
      ...base,
      fault: '200 page of a portal',
      damage: (proxy) => proxy.reply(path, { status: 200, ...PAGE }),
      ...failed(1, /^error: The response has no X-Query-Id.*Check streamUrl and the proxies/),
    },
    {
      ...base,
      fault: 'closed before the headers',
      damage: (proxy) => proxy.reply(path, 'unsent'),
      ...failed(
        1,
        /^error: 127\.0\.0\.1:\d+ could not be reached, or closed the connection\. Check the URL and the network\./,
      ),
    },
  ];
}

/** Hosts that are not there. */
export async function addressFaults({ name, words }: FaultTarget): Promise<FaultCase[]> {
  const base = { target: name, words: words(''), file: 'out.file' };
  const unknown = failed(
    1,
    /^error: acme-stream\.invalid was not found in DNS\. Check the name and the network\. out\.file was not written\.$/,
  );
  const noListener = failed(
    1,
    /^error: 127\.0\.0\.1:\d+ refused the connection\. Check the port, and that the host is running\. out\.file was not written\.$/,
  );
  const refused = `http://127.0.0.1:${await findFreePort()}`;
  return [
    { ...base, fault: 'DNS failure', env: { SLUICE_STREAM_URL: 'http://acme-stream.invalid' }, ...unknown },
    { ...base, fault: 'refused connection', env: { SLUICE_STREAM_URL: refused }, ...noListener },
    { ...base, fault: 'refused login', env: { SLUICE_API_URL: refused }, ...noListener },
  ];
}
