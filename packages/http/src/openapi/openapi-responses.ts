import type { ResponseConfig, ZodMediaTypeObject } from '@asteasolutions/zod-to-openapi';
import {
  type Operation,
  type OperationResponse,
  PROBLEMS,
  type ProblemCode,
  STATEMENT_PROBLEMS,
} from '@sluice/contract';
import type { z } from 'zod';
import { problemsByStatus } from './openapi-problems.ts';

const header = (description: string) => ({ description, required: true, schema: { type: 'string' as const } });
const REQUEST_ID = { 'X-Request-Id': header('Identifies the request in the server log') };

function headersOf(status: number) {
  return {
    ...REQUEST_ID,
    ...(status === 401
      ? { 'WWW-Authenticate': header('Accepted authentication schemes (RFC 9110 section 11.6.1)') }
      : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': header('Seconds') } : {}),
  };
}

type Schema = NonNullable<ZodMediaTypeObject['schema']>;
type Content = Record<string, readonly Schema[]>;

const JSON_TYPE = 'application/json';
const componentOf = (id: string) => ({ $ref: `#/components/schemas/${id}` });

/** Returns a reference for a component schema: the generator does not resolve components inside `anyOf`. */
const schemaOf = (schema: z.ZodType): Schema => {
  const id = schema.meta()?.id;
  return id === undefined ? schema : componentOf(id);
};

/**
 * Schema of one event with JSON data. OpenAPI 3.1 cannot describe event streams, so the schema of the media type describes each
 * event, as `itemSchema` does in 3.2.
 */
const eventOf = (data: Schema): Schema =>
  ({
    type: 'object',
    properties: {
      id: { type: 'string' },
      data: { type: 'string', contentMediaType: JSON_TYPE, contentSchema: data },
    },
    required: ['data'],
  }) as Schema;

const contentSchemaOf = (mediaType: string, schema: z.ZodType): Schema =>
  mediaType === 'text/event-stream' ? eventOf(schemaOf(schema)) : schemaOf(schema);

function answerContent(answer: OperationResponse): Content {
  const contents = [answer, ...(answer.alternatives ?? [])];
  return Object.fromEntries(
    contents.flatMap(({ mediaType, schema }): [string, readonly Schema[]][] =>
      mediaType === undefined ? [] : [[mediaType, schema === undefined ? [] : [contentSchemaOf(mediaType, schema)]]],
    ),
  );
}

/** Schemas of an error: the error JSON, and the operation's own body of a failed statement. */
function problemSchemas(operation: Operation, codes: readonly ProblemCode[]): readonly Schema[] {
  // RFC 6749 has its own names for some codes, so the codes are not listed.
  if (operation.oauthErrors === true) return [componentOf('OAuthError')];
  const error = { allOf: [componentOf('Error'), { properties: { error: { enum: [...codes] } } }] };
  const { failedStatement } = operation;
  const isStatements = codes.some((code) => STATEMENT_CODES.has(code));
  return failedStatement === undefined || !isStatements ? [error] : [error, schemaOf(failedStatement)];
}

const STATEMENT_CODES: ReadonlySet<ProblemCode> = new Set(STATEMENT_PROBLEMS);

const hasPage = ({ pages = [] }: Operation, codes: readonly ProblemCode[]): boolean =>
  pages === 'any' ? codes.length > 0 : codes.some((code) => pages.includes(code));

const problemText = (codes: readonly ProblemCode[]): string =>
  codes.map((code) => `\`${code}\`: ${PROBLEMS[code].summary}`).join('\n\n');

function mediaTypeObject(schemas: readonly Schema[]): { schema?: Schema } {
  const [first, second] = schemas;
  if (first === undefined) return {};
  return { schema: second === undefined ? first : ({ anyOf: schemas } as Schema) };
}

interface ResponseParts {
  readonly answer: OperationResponse | undefined;
  readonly codes: readonly ProblemCode[];
}

function responseOf(operation: Operation, status: number, { answer, codes }: ResponseParts): ResponseConfig {
  const content: Content = answer === undefined ? {} : answerContent(answer);
  const problems =
    codes.length === 0 ? {} : { [JSON_TYPE]: [...(content[JSON_TYPE] ?? []), ...problemSchemas(operation, codes)] };
  const pages = hasPage(operation, codes) ? { 'text/html': [] } : {};
  const merged = Object.entries({ ...content, ...problems, ...pages });
  return {
    description: [...(answer === undefined ? [] : [answer.description]), problemText(codes)]
      .filter(Boolean)
      .join('\n\n'),
    headers: headersOf(status),
    ...(merged.length === 0
      ? {}
      : { content: Object.fromEntries(merged.map(([mediaType, schemas]) => [mediaType, mediaTypeObject(schemas)])) }),
  };
}

/** Returns all responses of an operation by status. A status of both a success and a problem has either body. */
export function responsesOf(operation: Operation): Record<string, ResponseConfig> {
  const problems = problemsByStatus(operation);
  const statuses = new Set([...problems.keys(), ...Object.keys(operation.responses).map(Number)]);
  return Object.fromEntries(
    [...statuses].map((status) => [
      String(status),
      responseOf(operation, status, { answer: operation.responses[status], codes: problems.get(status) ?? [] }),
    ]),
  );
}
