// Rows of the tables in limits.md: limits of settings, of bodies, and of the fields in the OpenAPI documents.
import { describeSettings } from '../packages/config/src/index.ts';
import {
  apiOperations,
  FILE_OBJECT_BYTES_MAX,
  FILE_OBJECTS_MAX,
  IMPORT_KEPT_DAYS,
  OPEN_IMPORTS_MAX,
  operatorOperations,
  streamOperations,
} from '../packages/contract/src/index.ts';
import { createOpenApiDocument } from '../packages/http/src/index.ts';

/** Effect of reaching the limit of a setting: the error code that the client gets, or a sentence if no client gets one. */
const AT_THE_LIMIT = {
  QUERY_TIME: '`time_limit`',
  QUERIES_PER_USER: 'the query waits',
  QUERIES_PER_TENANT: 'the query waits',
  QUEUED_PER_USER: '`too_many_requests`',
  QUEUED_PER_TENANT: '`too_many_requests`',
  QUEUE_TIMEOUT: '`too_many_requests`',
  RESULT_KEEP_MAX: '`invalid_request`',
  RESULT_BYTES_MAX: 'the result is not kept',
  RESULT_RESUME_WAIT: '`query_cancelled`',
  TRINO_POLL_WAIT: '`query_cancelled`',
  RESULT_FILES_MAX: '`resource_limit`, or `storage_unavailable` while others use it',
  TICKETS_PER_USER: '`too_many_requests`',
  TICKET_LIFETIME: '`not_found`',
  TENANT_SLOTS_PERCENT: 'the query waits',
  SLOW_READER: '`reader_too_slow`',
  SLOW_READER_TIME: '`reader_too_slow`',
  STALL_TIMEOUT: 'the connection is cut and the query stopped',
  WORKER_MEMORY: '`resource_limit`',
  WORKER_TEMP: '`resource_limit`',
  DUCKDB_PLANNING_TIME: '`resource_limit`',
  ENGINE_ANSWER_TIMEOUT: '`engine_unavailable`',
  DATABASE_TIMEOUT: '`service_unavailable`',
  CONNECTIONS_MAX: 'the connection is closed at once',
  SESSIONS_PER_ACCOUNT: 'the session that is idle longest ends',
  TOKEN_LIFETIME: '`unauthorized`',
  SESSION_LIFETIME: '`invalid_grant`',
  SSO_SESSION_LIFETIME: '`invalid_grant`',
  INVITATION_LIFETIME: '`not_found`',
  DRAIN_GRACE: '`server_shutdown`',
};

/** Returns a row per limit that a setting changes. Throws if a setting of the table above does not exist. */
export function settingLimits(definitions) {
  const settings = new Map(
    definitions.flatMap((each) => describeSettings(each)).map((setting) => [setting.name, setting]),
  );
  return Object.entries(AT_THE_LIMIT).map(([name, result]) => {
    const setting = settings.get(name);
    if (setting === undefined) throw new Error(`docs/request-limits.mjs names ${name}, which is not a setting.`);
    return [setting.description.split('. ')[0].replace(/\.$/, ''), setting.default, `\`${name}\``, result];
  });
}

const operations = [
  ...Object.values(streamOperations),
  ...Object.values(apiOperations),
  ...Object.values(operatorOperations),
];

const sizeOf = (bytes) => (bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes / 1024} KiB`);

/** Returns a row per size of a body, with the operations that have it. */
export const bodyLimits = () => rowsBy(({ body, upload }) => (body ?? upload)?.bytesMax, sizeOf);

/** Returns a row per value of a limit, ascending. */
function rowsBy(limitOf, textOf) {
  const groups = new Map();
  for (const operation of operations) {
    const limit = limitOf(operation);
    if (limit === undefined) continue;
    groups.set(limit, [...(groups.get(limit) ?? []), `\`${operation.method} ${operation.path}\``]);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([limit, paths]) => [
      textOf(limit),
      paths.length > 12 ? `the other ${paths.length} operations with a body` : paths.join(', '),
    ]);
}

/** Returns a row per limit of members and elements of a body, with the operations that have it. */
export const valueLimits = () =>
  rowsBy(
    ({ body }) => body?.valuesMax,
    (values) => values.toLocaleString('en'),
  );

/** Returns a row per limit of a metadata file. */
export const uploadLimits = () => [
  ['objects of a file', FILE_OBJECTS_MAX.toLocaleString('en'), '`invalid_request`; nothing is applied'],
  ['JSON of one object', sizeOf(FILE_OBJECT_BYTES_MAX), '`invalid_request`; nothing is applied'],
  ['imports of a tenant that wait or run', OPEN_IMPORTS_MAX, '`too_many_requests`'],
  ['days for which an import and its report are kept after its end', IMPORT_KEPT_DAYS, '`not_found`'],
];

const limitsOf = (schema) =>
  [
    ['minLength', (n) => (n > 1 ? `at least ${n} characters` : undefined)],
    ['maxLength', (n) => `at most ${n.toLocaleString('en')} characters`],
    ['minimum', (n) => (n > 0 ? `at least ${n.toLocaleString('en')}` : undefined)],
    ['maximum', (n) => `at most ${n.toLocaleString('en')}`],
    ['minItems', (n) => (n > 0 ? `at least ${n} items` : undefined)],
    ['maxItems', (n) => `at most ${n.toLocaleString('en')} items`],
  ]
    .filter(([key]) => typeof schema[key] === 'number')
    .map(([key, text]) => text(schema[key]))
    .filter((text) => text !== undefined);

/** Yields name and limits of every field below a schema. */
function* fieldsOf(schema, document, name = '', seen = []) {
  if (schema === undefined || seen.includes(schema)) return;
  const reference = schema.$ref?.split('/').at(-1);
  if (reference !== undefined)
    return yield* fieldsOf(document.components.schemas[reference], document, name, [...seen, schema]);
  const limits = limitsOf(schema);
  if (name !== '' && limits.length > 0) yield [name, limits.join(', ')];
  const below = [...seen, schema];
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* fieldsOf(part, document, name, below);
  if (schema.items !== undefined) yield* fieldsOf(schema.items, document, `${name}[]`, below);
  for (const [key, part] of Object.entries(schema.properties ?? {}))
    yield* fieldsOf(part, document, name === '' ? key : `${name}.${key}`, below);
}

/** Returns a row per limited field of a request, with the operations whose field of this name has the same limits. */
export function fieldLimits() {
  const info = { title: 'Sluice', version: '0', description: '' };
  const document = createOpenApiDocument(operations, info);
  const rows = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => ({ schema, name: '' }));
      for (const { schema, name } of [...(operation.parameters ?? []), ...body]) {
        for (const [field, limits] of fieldsOf(schema, document, name)) {
          const key = JSON.stringify([field, limits]);
          rows.set(key, (rows.get(key) ?? new Set()).add(`\`${method.toUpperCase()} ${path}\``));
        }
      }
    }
  }
  return [...rows]
    .map(([key, places]) => {
      const [field, limits] = JSON.parse(key);
      const named = [...places];
      return [
        `\`${field}\``,
        limits,
        named.length > 3 ? `${named.slice(0, 2).join(', ')} and ${named.length - 2} more` : named.join(', '),
      ];
    })
    .sort(([a], [b]) => a.localeCompare(b, 'en'));
}
