import { pageOf, tooMany, UNAUTHORIZED, unavailable } from './canned-responses.ts';
import type { FaultCase, FaultTarget } from './fault-case.ts';

type Expected = Pick<FaultCase, 'exitCode' | 'message' | 'leaves'>;
const SAVED: Expected = { exitCode: 0, message: /^out\.file: [\d,]+ rows, .* match the receipt/, leaves: 'file' };
const failed = (exitCode: number, message: RegExp): Expected => ({ exitCode, message, leaves: 'nothing' });

/** Responses of hosts and proxies instead of the file. */
export function responseFaults({ name, words, path }: FaultTarget): FaultCase[] {
  const base = { target: name, words: words(''), file: 'out.file' };
  return [
    { ...base, fault: '401 once, and a new token', damage: (proxy) => proxy.reply(path, UNAUTHORIZED), ...SAVED },
    {
      ...base,
      fault: '401 at the start',
      damage: (proxy) => proxy.reply(path, UNAUTHORIZED, UNAUTHORIZED),
      ...failed(4, /^error: The token has expired\. Log in again\. out\.file was not written\.$/),
    },
    {
      ...base,
      fault: '401 in mid-way, at the receipt',
      damage: (proxy) =>
        proxy.reply(
          '/query',
          ...(path === '/query/download' ? [{ delayMs: 0 } as const] : []),
          UNAUTHORIZED,
          UNAUTHORIZED,
        ),
      ...failed(4, /^error: The token has expired\./),
    },
    {
      ...base,
      fault: '502 page at the receipt',
      damage: (proxy) =>
        proxy.reply('/query', ...(path === '/query/download' ? [{ delayMs: 0 } as const] : []), pageOf(500)),
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
      damage: (proxy) => proxy.reply(path, pageOf(502)),
      ...failed(
        1,
        /^error: 127\.0\.0\.1:\d+ returned status 502 without an error of Sluice\. Check the URL and the proxies/,
      ),
    },
    {
      ...base,
      fault: '200 page of a portal',
      damage: (proxy) => proxy.reply(path, pageOf(200)),
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
