import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
  type ZodRequestBody,
  zodToOpenAPIRegistry,
} from '@asteasolutions/zod-to-openapi';
import {
  columnBody,
  type Operation,
  type OperationBody,
  type OperationUpload,
  oauthProblemBody,
  problemBody,
  SUBJECTS,
} from '@sluice/contract';
import type { z } from 'zod';
import { responsesOf } from './openapi-responses.ts';

/** Additional pattern of every path parameter: the kernel rejects control characters (`readParams`). */
const WITHOUT_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f]+$';

interface Parameter {
  readonly in: string;
  readonly schema?: Readonly<Record<string, unknown>>;
}

const isPathText = ({ in: place, schema }: Parameter): boolean =>
  place === 'path' && schema?.['type'] === 'string' && schema['enum'] === undefined && schema['pattern'] === undefined;

const withRule = (parameter: Parameter): Parameter =>
  isPathText(parameter)
    ? { ...parameter, schema: { ...parameter.schema, minLength: 1, pattern: WITHOUT_CONTROL_CHARACTERS } }
    : parameter;

interface Paths {
  readonly paths?: Readonly<Record<string, object>> | undefined;
}

/** Adds the rule that the kernel enforces to each path parameter. */
function withPathRules<D extends Paths>(document: D): D {
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods) as { parameters?: Parameter[] }[]) {
      if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(withRule);
    }
  }
  return document;
}

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

type RouteParameter = NonNullable<NonNullable<RouteConfig['request']>['query']>;

type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'E-mail and password, or client id and secret' },
  idtoken: { type: 'apiKey', in: 'header', name: 'idtoken', description: 'An `id_token`' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An `access_token`' },
} as const;

const OPERATOR_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: '`OPERATOR_TOKEN` of the deployment',
} as const;

/** Registers a schema with an id as a component of that name. */
function nameComponent(schema: z.ZodType): void {
  const id = schema.meta()?.id;
  if (id !== undefined && !zodToOpenAPIRegistry.has(schema)) {
    zodToOpenAPIRegistry.add(schema, { _internal: { refId: id } });
  }
}

/** Returns the schemas of the bodies of an operation. */
const schemasOf = ({ body, upload, responses, failedStatement }: Operation): readonly z.ZodType[] => {
  const contents = Object.values(responses).flatMap((answer) => [answer, ...(answer.alternatives ?? [])]);
  const schemas = [
    body?.schema,
    ...Object.values(upload?.contents ?? {}),
    failedStatement,
    ...contents.map(({ schema }) => schema),
  ];
  return schemas.filter((schema) => schema !== undefined);
};

function nameComponents(operations: readonly Operation[]): void {
  for (const operation of operations) for (const schema of schemasOf(operation)) nameComponent(schema);
}

/** Returns the component schemas, which the generator needs because responses refer to them by name. */
const componentsOf = (operations: readonly Operation[]): readonly z.ZodType[] => [
  ...new Set(operations.flatMap(schemasOf).filter((schema) => schema.meta()?.id !== undefined)),
];

const requestBody = (body: OperationBody): ZodRequestBody => ({
  required: body.optionalMember === undefined && body.isOptional !== true,
  content: Object.fromEntries(body.mediaTypes.map((mediaType) => [mediaType, { schema: body.schema }])),
});

const TEXT = { type: 'string' } as const;

const uploadBody = ({ contents }: OperationUpload): ZodRequestBody => ({
  required: true,
  content: Object.fromEntries(
    Object.entries(contents).map(([mediaType, schema]) => [mediaType, { schema: schema ?? TEXT }]),
  ),
});

const PARAMETERS_OF_LINKS =
  'Each `p.<name>=<value>` in the query string is the value of a declared parameter of the SQL (`$name`), and repeated, the items of a list.';

function describe({ permission, orPermission, isLink }: Operation): { readonly description?: string } {
  const other = orPermission === undefined ? '' : `, or \`${orPermission.permission}\` for ${orPermission.covers}`;
  const sentences = [
    ...(permission === undefined ? [] : [`Needs the permission \`${permission}\`${other}.`]),
    // Their names depend on the datamap, so `parameters` cannot list them.
    ...(isLink === true ? [PARAMETERS_OF_LINKS] : []),
  ];
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

function toRouteConfig(operation: Operation): RouteConfig {
  const { id, subject, method, path, summary, credentials, operatorOnly, params, query } = operation;
  const { body, upload } = operation;
  return {
    operationId: id,
    tags: [subject],
    method: method.toLowerCase() as RouteConfig['method'],
    path,
    summary,
    ...describe(operation),
    // The caller sends one of them. An empty list marks an anonymous operation.
    security: operatorOnly === true ? [{ operator: [] }] : credentials.map((kind) => ({ [kind]: [] })),
    request: {
      // The contract declares parameters as strict objects, as the registry requires.
      ...(params === undefined ? {} : { params: params as unknown as RouteParameter }),
      ...(query === undefined ? {} : { query: query as unknown as RouteParameter }),
      ...(body === undefined ? {} : { body: requestBody(body) }),
      ...(upload === undefined ? {} : { body: uploadBody(upload) }),
    },
    responses: responsesOf(operation),
  };
}

/** Describes the subjects of the operations, in the order in which `/docs` shows them. */
const tagsOf = (operations: readonly Operation[]) => {
  const used = new Set<string>(operations.map(({ subject }) => subject));
  return Object.entries(SUBJECTS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
};

/** Generates the OpenAPI 3.1 document of a host from its operations. */
export function createOpenApiDocument(operations: readonly Operation[], info: DocumentInfo): OpenApiDocument {
  const shared = [problemBody, oauthProblemBody, columnBody];
  for (const schema of shared) nameComponent(schema);
  nameComponents(operations);
  const registry = new OpenAPIRegistry();
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    registry.registerComponent('securitySchemes', name, scheme);
  }
  if (operations.some(({ operatorOnly }) => operatorOnly === true)) {
    registry.registerComponent('securitySchemes', 'operator', OPERATOR_SCHEME);
  }
  for (const operation of operations) registry.registerPath(toRouteConfig(operation));
  const generator = new OpenApiGeneratorV31([
    ...registry.definitions,
    { type: 'schema', schema: problemBody },
    { type: 'schema', schema: oauthProblemBody },
    ...componentsOf(operations).map((schema) => ({ type: 'schema' as const, schema })),
  ]);
  const tags = tagsOf(operations);
  const document = generator.generateDocument({ openapi: '3.1.0', info: { ...info }, servers: [{ url: '/' }], tags });
  return withPathRules(document);
}
