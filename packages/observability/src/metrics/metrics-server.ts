import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

interface MetricsServer extends AsyncDisposable {
  /** Bound port, also if port 0 was requested. */
  readonly port: number;
}

const scrape =
  (registries: readonly Registry[]): RequestListener =>
  async (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    try {
      const texts = await Promise.all(registries.map((registry) => registry.metrics()));
      response
        .writeHead(200, { 'content-type': registries[0]?.contentType ?? 'text/plain' })
        .end(request.method === 'HEAD' ? undefined : texts.join('\n'));
    } catch {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics cannot be collected.\n');
    }
  };

/** Serves `GET /metrics` on a separate port, never on the public one. Rejects if the port cannot be opened. */
export async function startMetricsServer(options: {
  readonly registries: readonly Registry[];
  readonly host: string;
  readonly port: number;
}): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, scrape(options.registries));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new Error(`Metrics cannot listen on ${options.host}:${options.port} (${cause.code ?? cause.message}).`, {
          cause,
        }),
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
