import type { ClientSession } from '../client-session.ts';
import { HeaderReader, type RequestHeaders, violation } from './header-reader.ts';
import { TIME_ZONE_PROPERTY } from './session-properties.ts';
import { readTimeZone } from './time-zone.ts';

const NAME_CHARACTERS_MAX = 256;
const TEXT_CHARACTERS_MAX = 4_096;
const TAGS = { itemsMax: 100, charactersMax: NAME_CHARACTERS_MAX };
const CAPABILITIES = { itemsMax: 100, charactersMax: NAME_CHARACTERS_MAX };
const PROPERTIES = {
  itemsMax: 200,
  nameCharactersMax: NAME_CHARACTERS_MAX,
  valueCharactersMax: TEXT_CHARACTERS_MAX,
};
const ROLES = { itemsMax: 100, nameCharactersMax: NAME_CHARACTERS_MAX, valueCharactersMax: NAME_CHARACTERS_MAX };
/** The limit of all headers together is lower than these statements could be. */
const PREPARED = { itemsMax: 1_000, nameCharactersMax: NAME_CHARACTERS_MAX, valueCharactersMax: 262_144 };

const ROLE = /^(?:ALL|NONE|ROLE\{.+\})$/;
const TRANSACTION = /^[\w-]{1,64}$/;
const NO_TRANSACTION = 'NONE';

/** Names of the headers that `readClientSession` reads. */
export const SESSION_HEADERS = [
  'x-trino-catalog',
  'x-trino-client-capabilities',
  'x-trino-client-info',
  'x-trino-client-tags',
  'x-trino-path',
  'x-trino-prepared-statement',
  'x-trino-role',
  'x-trino-schema',
  'x-trino-session',
  'x-trino-source',
  'x-trino-time-zone',
  'x-trino-trace-token',
  'x-trino-transaction-id',
  'x-trino-user',
] as const;

/**
 * Reads the session of a request. Throws `invalid_request` for a header that cannot be read, and a TrinoError with the name
 * INVALID_SESSION_PROPERTY for an unknown time zone. `readStatement` checks the session properties, so that RESET SESSION can repair them.
 */
export function readClientSession(headers: RequestHeaders): ClientSession {
  const reader = new HeaderReader(headers);
  const properties = reader.map('x-trino-session', PROPERTIES);
  // SET TIME ZONE sets a property, which wins over the zone that the client reports.
  const zone = properties.get(TIME_ZONE_PROPERTY) ?? reader.name('x-trino-time-zone', NAME_CHARACTERS_MAX);
  const capabilities = new Set(reader.list('x-trino-client-capabilities', CAPABILITIES));
  return {
    user: reader.name('x-trino-user', NAME_CHARACTERS_MAX),
    catalog: reader.name('x-trino-catalog', NAME_CHARACTERS_MAX),
    schema: reader.name('x-trino-schema', NAME_CHARACTERS_MAX),
    timeZone: zone === undefined ? undefined : readTimeZone(zone),
    properties,
    prepared: reader.map('x-trino-prepared-statement', PREPARED),
    transactionId: readTransaction(reader),
    capabilities: {
      parametricDatetime: capabilities.has('PARAMETRIC_DATETIME'),
      number: capabilities.has('NUMBER'),
    },
    path: reader.text('x-trino-path', TEXT_CHARACTERS_MAX),
    roles: readRoles(reader),
    source: reader.text('x-trino-source', TEXT_CHARACTERS_MAX),
    clientInfo: reader.text('x-trino-client-info', TEXT_CHARACTERS_MAX),
    clientTags: reader.list('x-trino-client-tags', TAGS),
    traceToken: reader.text('x-trino-trace-token', TEXT_CHARACTERS_MAX),
  };
}

function readTransaction(reader: HeaderReader): string | undefined {
  const header = 'x-trino-transaction-id';
  const id = reader.text(header, NAME_CHARACTERS_MAX);
  if (id === undefined || id.toUpperCase() === NO_TRANSACTION) return undefined;
  if (!TRANSACTION.test(id)) throw violation(header, `must be ${NO_TRANSACTION} or the id of a transaction`);
  return id;
}

function readRoles(reader: HeaderReader): ReadonlyMap<string, string> {
  const header = 'x-trino-role';
  const roles = reader.map(header, ROLES);
  for (const role of roles.values())
    if (!ROLE.test(role)) throw violation(header, 'must have roles of the form ALL, NONE or ROLE{name}');
  return roles;
}
