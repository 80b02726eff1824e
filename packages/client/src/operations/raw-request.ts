import type { SendRequest } from '../http/send-request.ts';
import { apiOperationTable } from './api-operation-table.ts';
import { streamOperationTable } from './stream-operation-table.ts';

export type HostName = 'stream' | 'api';

/** A request that is sent as it is. */
export interface RawRequest {
  readonly method: string;
  /** Path with its query, percent-encoded. */
  readonly path: string;
  /** Default: the host that has an operation at the path; the API host if both do. */
  readonly host?: HostName;
  /** Request headers. With `authorization` or `idtoken`, the client adds no token of its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless the headers have a `content-type`. */
  readonly body?: string | Uint8Array | Blob | ReadableStream<Uint8Array>;
  readonly signal?: AbortSignal;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Returns a pattern of the paths of a template such as `/query/{id}`. */
const toPattern = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map(escaped)
      .join('[^/]+')}/?$`,
  );

const PATHS: Readonly<Record<HostName, Iterable<readonly [method: string, path: string, ...unknown[]]>>> = {
  api: Object.values(apiOperationTable),
  stream: Object.values(streamOperationTable),
};

/** Returns the hosts that have an operation at a path, with any method. */
export function hostsOf(path: string): readonly HostName[] {
  const [name = ''] = path.split(/[?#]/);
  return (['api', 'stream'] as const).filter((host) =>
    [...PATHS[host]].some(([, template]) => toPattern(template).test(name)),
  );
}

function findHost({ host, path }: RawRequest): HostName {
  const found = host ?? hostsOf(path)[0];
  if (found === undefined) throw new TypeError(`Neither host has an operation at ${path}.`);
  return found;
}

/** Creates the function that sends requests as they are. */
export function createRawRequest(send: SendRequest): (request: RawRequest) => Promise<Response> {
  return async (request) => {
    const headers = new Headers(request.body === undefined ? {} : { 'content-type': 'application/json' });
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    return await send({
      operation: 'request',
      host: findHost(request),
      method: request.method,
      path: request.path,
      headers: Object.fromEntries(headers),
      body: request.body,
      isAuthenticated: !headers.has('authorization') && !headers.has('idtoken'),
      repeatability: 'change',
      signal: request.signal,
      returnsRedirect: true,
      returnsFailures: true,
    });
  };
}
