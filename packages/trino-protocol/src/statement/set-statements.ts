import type { DoorStatement } from '../door-statement.ts';
import { checkSessionProperty, TIME_ZONE_PROPERTY } from '../session/session-properties.ts';
import { offsetZone, readTimeZone } from '../session/time-zone.ts';
import { TrinoError } from '../trino-error.ts';
import { readInterval } from '../values/interval.ts';
import { readIntervalLiteral } from '../values/interval-literal.ts';
import type { EngineKind } from '../values/put-values.ts';
import { changesSession, encoded, headerName } from './answers.ts';
import type { StatementContext, StatementKind } from './statement-kind.ts';
import type { StatementReader } from './statement-reader.ts';

const MINUTE_MS = 60_000;

/** USE catalog.schema, or USE schema. */
export const readUse: StatementKind = (reader, { session, engine }) => {
  reader.expect('USE');
  const parts = reader.qualifiedName().map((part) => folded(part, engine));
  if (parts.length > 2) throw reader.unexpected();
  reader.end();
  const [schema = '', given] = parts.toReversed();
  const catalog = given ?? session.catalog;
  if (catalog === undefined)
    throw new TrinoError(
      'MISSING_CATALOG_NAME',
      'Catalog must be specified when session catalog is not set: write USE catalog.schema.',
    );
  return {
    ...changesSession('USE', {
      ...(given === undefined ? {} : { 'x-trino-set-catalog': headerName(given) }),
      'x-trino-set-schema': headerName(schema),
    }),
    namespace: { catalog, schema },
  };
};

/** Trino compares names in lower case, quoted or not. DuckDB ignores their case, and shows them as they are. */
const folded = (name: string, engine: EngineKind): string => (engine === 'trino' ? name.toLowerCase() : name);

/** SET SESSION, SET SESSION AUTHORIZATION, SET TIME ZONE, SET PATH and SET ROLE. */
export const readSet: StatementKind = (reader, context) => {
  reader.expect('SET');
  if (reader.take('TIME', 'ZONE')) return setTimeZone(reader);
  if (reader.take('PATH')) return setPath(reader);
  if (reader.take('ROLE')) return setRole(reader);
  if (!reader.take('SESSION')) return undefined;
  const isAuthorization = reader.peek()?.text === 'AUTHORIZATION' && reader.peek(1)?.text !== '=';
  return isAuthorization ? setAuthorization(reader, context) : setProperty(reader);
};

/** RESET SESSION and RESET SESSION AUTHORIZATION. */
export const readReset: StatementKind = (reader, { session }) => {
  reader.expect('RESET');
  if (!reader.take('SESSION')) return undefined;
  if (reader.take('AUTHORIZATION')) {
    reader.end();
    checkNoTransaction(session.transactionId, 'reset');
    return changesSession('RESET SESSION AUTHORIZATION', { 'x-trino-reset-authorization-user': 'true' });
  }
  const name = propertyName(reader);
  reader.end();
  return changesSession('RESET SESSION', { 'x-trino-clear-session': headerName(name) });
};

function setProperty(reader: StatementReader): DoorStatement {
  const name = propertyName(reader);
  reader.expectMark('=');
  const value = propertyValue(reader, name);
  reader.end();
  checkSessionProperty(name, value);
  return changesSession('SET SESSION', { 'x-trino-set-session': `${headerName(name)}=${encoded(value)}` });
}

/** Clients send the names of all properties in one header, where a comma or an equals sign would make them unreadable. */
function propertyName(reader: StatementReader): string {
  const parts = reader.qualifiedName();
  if (parts.length > 2) throw reader.unexpected();
  const name = parts.join('.').toLowerCase();
  if (!/[\s,=]/.test(name)) return name;
  throw new TrinoError(
    'INVALID_SESSION_PROPERTY',
    'The name of a session property must have no blank, no comma and no equals sign.',
  );
}

function propertyValue(reader: StatementReader, name: string): string {
  if (reader.peek()?.kind === 'string') return reader.string();
  for (const word of ['TRUE', 'FALSE']) if (reader.take(word)) return word.toLowerCase();
  const sign = reader.takeMark('-') ? '-' : '';
  const token = reader.peek();
  if (token?.kind === 'number') return `${sign}${reader.token().text}`;
  throw new TrinoError(
    'INVALID_SESSION_PROPERTY',
    `The value of the session property ${name} must be a string, a number, true or false.`,
  );
}

function setTimeZone(reader: StatementReader): DoorStatement {
  if (reader.take('LOCAL')) {
    reader.end();
    return changesSession('SET TIME ZONE', { 'x-trino-clear-session': TIME_ZONE_PROPERTY });
  }
  const zone = reader.take('INTERVAL') ? zoneOfInterval(reader) : readTimeZone(reader.string());
  reader.end();
  return changesSession('SET TIME ZONE', { 'x-trino-set-session': `${TIME_ZONE_PROPERTY}=${encoded(zone)}` });
}

function zoneOfInterval(reader: StatementReader): string {
  const { months, milliseconds } = readInterval(readIntervalLiteral(reader));
  if (months !== 0 || milliseconds % MINUTE_MS !== 0)
    throw new TrinoError('INVALID_LITERAL', 'The offset of a time zone must be an interval of whole minutes.');
  return offsetZone(milliseconds / MINUTE_MS);
}

/** The path is of functions, and Sluice resolves them without it. */
function setPath(reader: StatementReader): DoorStatement {
  const elements: string[] = [];
  do {
    const parts = reader.qualifiedName();
    if (parts.length > 2) throw reader.unexpected();
    elements.push(parts.map(quotedUnlessPlain).join('.'));
  } while (reader.takeMark(','));
  reader.end();
  return changesSession('SET PATH', { 'x-trino-set-path': headerName(elements.join(', ')) });
}

const quotedUnlessPlain = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** The rights of a statement are those of its account, so there is no other role to take. */
function setRole(reader: StatementReader): DoorStatement {
  const isGeneral = reader.take('ALL') ? 'ALL' : reader.take('NONE') ? 'NONE' : undefined;
  const role = isGeneral ?? reader.identifier();
  const catalog = reader.take('IN') ? reader.identifier() : 'system';
  reader.end();
  if (isGeneral === undefined)
    throw new TrinoError(
      'ROLE_NOT_FOUND',
      `Role '${role}' does not exist: the rights of a statement are those of its account.`,
    );
  return changesSession('SET ROLE', { 'x-trino-set-role': `${headerName(catalog)}=${role}` });
}

/** Accepts the name of the caller's own account in any case, as X-Trino-User is. */
function setAuthorization(reader: StatementReader, { session, user: own }: StatementContext): DoorStatement {
  reader.expect('AUTHORIZATION');
  const user = reader.peek()?.kind === 'string' ? reader.string() : reader.identifier();
  reader.end();
  checkNoTransaction(session.transactionId, 'set');
  if (user.toLowerCase() !== own.toLowerCase())
    throw new TrinoError('PERMISSION_DENIED', `Access Denied: User ${own} cannot impersonate user ${user}`);
  return changesSession('SET SESSION AUTHORIZATION', { 'x-trino-set-authorization-user': headerName(user) });
}

function checkNoTransaction(transactionId: string | undefined, verb: string): void {
  if (transactionId !== undefined)
    throw new TrinoError('GENERIC_USER_ERROR', `Can't ${verb} authorization user in the middle of a transaction`);
}
