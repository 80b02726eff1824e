import { describe, expect, it } from '@jest/globals';
import {
  apiOperations,
  type Operation,
  operatorOperations,
  PROBLEMS,
  SUBJECTS,
  streamOperations,
} from '@sluice/contract';
import { startApp } from '../../testing/start-app.ts';
import { createOpenApiDocument, documentOperations, documentRoutes, json, route } from '../index.ts';
import { problemCodesOf } from './openapi-problems.ts';

const INFO = { title: 'Sluice', version: '0.1.0', description: 'Governed SQL over HTTP' };

/** The document as a client gets it: JSON, read again. */
interface Document {
  openapi: string;
  info: typeof INFO;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}
interface DocumentedOperation {
  operationId: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> };
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content?: Record<string, { schema?: unknown }> }
  >;
}

const hosts: [string, readonly Operation[]][] = [
  ['stream host', Object.values(streamOperations)],
  ['API host', Object.values(apiOperations)],
];

const documentOf = (operations: readonly Operation[]): Document =>
  JSON.parse(JSON.stringify(createOpenApiDocument(operations, INFO)));

function referencesIn(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref') found.push(String(item));
    else referencesIn(item, found);
  }
  return found;
}

describe.each(hosts)('the OpenAPI document of the %s', (_name, operations) => {
  const document = documentOf(operations);
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, content]) => ({ path, method: method.toUpperCase(), content })),
  );
  const find = (operation: Operation): DocumentedOperation => {
    const content = document.paths[operation.path]?.[operation.method.toLowerCase()];
    if (content === undefined) throw new Error(`${operation.id} is missing`);
    return content;
  };

  it('is a valid OpenAPI 3.1 document', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toEqual(INFO);
    expect(new Set(documented.map(({ content }) => content.operationId)).size).toBe(documented.length);
    for (const { content } of documented) {
      expect(Object.keys(content.responses).every((status) => /^[1-5]\d\d$/.test(status))).toBe(true);
      expect(Object.values(content.responses).every(({ description }) => description !== '')).toBe(true);
    }
  });

  it('has exactly the operations of the contract', () => {
    const sorted = (items: { method: string; path: string }[]) =>
      items.map(({ method, path }) => `${method} ${path}`).sort();
    expect(sorted(documented)).toEqual(sorted([...operations]));
  });

  it('has no dangling reference', () => {
    for (const reference of referencesIn(document)) {
      const keys = reference.replace('#/', '').split('/');
      const target = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document);
      expect([reference, target !== undefined]).toEqual([reference, true]);
    }
  });

  it('lists the credentials of each operation by defined schemes', () => {
    for (const operation of operations) {
      const kinds = find(operation).security.flatMap((scheme) => Object.keys(scheme));
      expect(kinds).toEqual([...operation.credentials]);
      for (const kind of kinds) expect(document.components.securitySchemes).toHaveProperty(kind);
    }
  });

  it('has the parameters of each path and the media types of bodies', () => {
    for (const operation of operations) {
      const { parameters = [], requestBody } = find(operation);
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      const mediaTypes = operation.body?.mediaTypes ?? Object.keys(operation.upload?.contents ?? {});
      expect(Object.keys(requestBody?.content ?? {})).toEqual([...mediaTypes]);
      const isOptional = operation.body?.optionalMember !== undefined || operation.body?.isOptional === true;
      expect(requestBody?.required ?? true).toBe(!isOptional);
    }
  });

  it('lists every response and problem of each operation by status', () => {
    for (const operation of operations) {
      const { responses } = find(operation);
      for (const status of Object.keys(operation.responses)) expect(responses).toHaveProperty(status);
      for (const code of problemCodesOf(operation)) {
        const status = PROBLEMS[code].status;
        if (status in operation.responses) continue;
        expect(responses[status]?.description).toContain(`\`${code}\``);
      }
    }
  });

  it('lists 431 for operations with parameters, and the headers of 401, 429 and 503', () => {
    for (const operation of operations) {
      const { responses } = find(operation);
      expect([operation.id, '431' in responses]).toEqual([
        operation.id,
        operation.params !== undefined || operation.query !== undefined,
      ]);
      for (const [status, header] of [
        ['401', 'WWW-Authenticate'],
        ['429', 'Retry-After'],
        ['503', 'Retry-After'],
      ] as const) {
        if (responses[status] !== undefined)
          expect(responses[status].headers).toHaveProperty([header, 'required'], true);
      }
    }
  });

  it('has a length limit or a pattern for every string of a request', () => {
    const unbounded = documented.flatMap(({ content }) =>
      (content.parameters ?? [])
        .filter(
          ({ schema }) =>
            schema['type'] === 'string' &&
            schema['pattern'] === undefined &&
            schema['enum'] === undefined &&
            schema['maxLength'] === undefined,
        )
        .map(({ name }) => `${content.operationId} ${name}`),
    );
    expect(unbounded).toEqual([]);
  });

  it('defines bodies once, as components', () => {
    for (const operation of operations) {
      const id = operation.body?.schema.meta()?.id;
      if (id === undefined) continue;
      const contents = Object.values(find(operation).requestBody?.content ?? {});
      expect(contents.map(({ schema }) => schema)).toEqual(
        contents.map(() => ({ $ref: `#/components/schemas/${id}` })),
      );
      expect(document.components.schemas).toHaveProperty(id);
    }
  });
});

describe.each([
  ...hosts,
  ['API host with an operator', [...Object.values(apiOperations), ...Object.values(operatorOperations)]],
  ['documentation', Object.values(documentOperations)],
] as const)('the tags of the %s', (_name, operations) => {
  const { tags, paths } = documentOf(operations);
  const documented = Object.values(paths).flatMap((methods) => Object.values(methods));

  it('are one subject for each operation', () => {
    expect(documented).toHaveLength(operations.length);
    for (const { operationId, tags: own } of documented) {
      expect([operationId, own.length, Object.keys(SUBJECTS).includes(own[0] ?? '')]).toEqual([operationId, 1, true]);
    }
  });

  it('are described once, in the order of the subjects', () => {
    const used = new Set(documented.flatMap(({ tags: own }) => own));
    expect(tags.map(({ name }) => name)).toEqual(Object.keys(SUBJECTS).filter((subject) => used.has(subject)));
    for (const { description } of tags) expect(description).not.toBe('');
  });
});

describe('documents of several hosts in one process', () => {
  it('do not depend on each other or on repetition', () => {
    const [first, second] = hosts.map(([, operations]) => JSON.stringify(documentOf(operations)));
    expect(hosts.map(([, operations]) => JSON.stringify(documentOf(operations)))).toEqual([first, second]);
  });
});

describe('documentation routes', () => {
  const routes = [route(streamOperations.health, async () => json(200, {}))];
  const start = () => startApp({ routes: [...routes, ...documentRoutes({ routes, info: INFO })] });

  it('describe all routes at /openapi.json', async () => {
    await using started = await start();
    const response = await fetch(started.address('/openapi.json'));
    expect(response.headers.get('content-type')).toBe('application/json');
    const document = (await response.json()) as Document;
    const served = started.app.routes.map(({ operation }) => operation.path);
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(served)].sort());
    expect(Object.keys(documentOperations)).toHaveLength(3);
  });

  it('serve a page at /docs that loads only local files and runs no inline script', async () => {
    await using started = await start();
    for (const path of ['/docs', '/docs/']) {
      const response = await fetch(started.address(path));
      const page = await response.text();
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(page).not.toMatch(/https?:|\/\/|<script>|onload=/);
      const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      expect(loaded).toHaveLength(4);
      for (const address of loaded) {
        const asset = await fetch(started.address(address));
        expect([address, asset.status]).toEqual([address, 200]);
        expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(50);
        expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
    for (const name of ['nosuch.js', '..%2fpackage.json', '__proto__', 'package.json']) {
      expect((await fetch(started.address(`/docs/${name}`))).status).toBe(404);
    }
  });
});
