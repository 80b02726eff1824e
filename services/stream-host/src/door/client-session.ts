import { invalidRequest, timeZoneNamed } from '@sluice/contract';
import type { Reader } from '@sluice/http';
import type { ClientSession } from '@sluice/trino-protocol';

const textOf = (headers: Reader, name: string): string | undefined => {
  const text = headers.get(name)?.trim();
  return text === '' ? undefined : text;
};

const listOf = (headers: Reader, name: string): readonly string[] =>
  (headers.get(name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Reads the session of a client from the headers of its statement. Throws `invalid_request` for a time zone that does not exist. */
export function clientSessionOf(headers: Reader): ClientSession {
  const capabilities = new Set(listOf(headers, 'x-trino-client-capabilities'));
  const transaction = textOf(headers, 'x-trino-transaction-id');
  return {
    user: textOf(headers, 'x-trino-user'),
    catalog: textOf(headers, 'x-trino-catalog'),
    schema: textOf(headers, 'x-trino-schema'),
    timeZone: timeZoneOf(headers),
    properties: new Map(),
    prepared: new Map(),
    transactionId: transaction === 'NONE' ? undefined : transaction,
    capabilities: {
      parametricDatetime: capabilities.has('PARAMETRIC_DATETIME'),
      number: capabilities.has('NUMBER'),
    },
    source: textOf(headers, 'x-trino-source'),
    clientInfo: textOf(headers, 'x-trino-client-info'),
    clientTags: listOf(headers, 'x-trino-client-tags'),
    traceToken: textOf(headers, 'x-trino-trace-token'),
  };
}

function timeZoneOf(headers: Reader): string | undefined {
  const given = textOf(headers, 'x-trino-time-zone');
  if (given === undefined) return undefined;
  const zone = timeZoneNamed(given);
  if (zone === undefined)
    throw invalidRequest({ path: 'header.x-trino-time-zone', message: 'must be an IANA name such as Europe/Berlin' });
  return zone;
}
