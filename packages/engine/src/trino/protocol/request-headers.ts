import type { OutgoingHttpHeaders } from 'node:http';
import { ProblemError } from '@sluice/contract/problems';
import type { Statement } from '../../engine.ts';
import { sessionNamespace } from '../session-namespace.ts';
import type { TrinoCredentials, TrinoProfile } from './profile.ts';

/** Encodings of segments that Node can read, best first. */
const ENCODINGS = 'json';
/** Visible ASCII and inner spaces: what a header can contain unchanged. */
const HEADER_TEXT = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

export function authorization(credentials: TrinoCredentials): OutgoingHttpHeaders {
  switch (credentials.kind) {
    case 'password': {
      const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
      return { authorization: `Basic ${pair}` };
    }
    case 'jwt':
      return { authorization: `Bearer ${credentials.token}` };
    case 'none':
    case 'certificate':
      return {};
  }
}

/**
 * Returns the headers of every request of one statement. They are the whole session: it is new for each statement, and Trino's
 * `X-Trino-Set-*`, `X-Trino-Added-Prepare` and similar headers are never read.
 */
export function statementHeaders(profile: TrinoProfile, statement: Statement): OutgoingHttpHeaders {
  const { defaultCatalog, defaultSchema } = sessionNamespace(profile, statement);
  return {
    ...authorization(profile.credentials),
    'user-agent': 'sluice',
    'x-trino-user': headerText(userOf(profile, statement), 'user name'),
    'x-trino-source': profile.source ?? 'sluice',
    ...(profile.clientTags === undefined ? {} : { 'x-trino-client-tags': profile.clientTags.join(',') }),
    'x-trino-trace-token': statement.queryId,
    ...(statement.traceparent === undefined ? {} : { traceparent: statement.traceparent }),
    // Without it Trino sends every timestamp with three digits.
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    'x-trino-time-zone': checkedTimeZone(statement.timeZone),
    'x-trino-catalog': defaultCatalog,
    ...(defaultSchema === undefined ? {} : { 'x-trino-schema': headerText(defaultSchema, 'schema') }),
    ...(profile.spooling === 'off' ? {} : { 'x-trino-query-data-encoding': ENCODINGS }),
  };
}

const userOf = ({ userTemplate = '{user}' }: TrinoProfile, { user }: Statement): string =>
  userTemplate.replace('{user}', () => user);

function headerText(text: string, what: string): string {
  if (HEADER_TEXT.test(text)) return text;
  throw new ProblemError(
    'permission_denied',
    `Trino accepts a ${what} of ASCII characters only, and yours has other characters.`,
  );
}

/** An offset of a time zone, which Trino accepts as a name. */
const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;

/** Returns a time zone that both Trino and Node know, or an offset; throws otherwise. */
export function checkedTimeZone(timeZone: string): string {
  if (OFFSET.test(timeZone)) return timeZone;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new ProblemError(
      'invalid_request',
      'The time zone is not known. Send a name of the IANA database, like Europe/Berlin.',
    );
  }
  return timeZone;
}
