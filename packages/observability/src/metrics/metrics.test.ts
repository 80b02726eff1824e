import { describe, expect, it } from '@jest/globals';
import { createEvents, createLogger, createMetrics, startMetricsServer } from './index.ts';

const log = createLogger({ service: 't', level: 'silent' });

describe('metrics', () => {
  it('are served on a separate port for several hosts', async () => {
    const api = createMetrics('api-host');
    const stream = createMetrics('stream-host');
    stream.httpRequests.inc({ route: '/query', method: 'POST', status: '200' });
    await using server = await startMetricsServer({
      registries: [api.registry, stream.registry],
      host: '127.0.0.1',
      port: 0,
    });
    const address = `http://127.0.0.1:${server.port}`;
    const response = await fetch(`${address}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(text).toContain(
      'sluice_http_requests_total{route="/query",method="POST",status="200",service="stream-host"} 1',
    );
    expect(text).toMatch(/sluice_nodejs_eventloop_lag_p99_seconds\{service="api-host"\}/);
    expect((await fetch(`${address}/`)).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('report a port that is in use', async () => {
    await using first = await startMetricsServer({ registries: [], host: '127.0.0.1', port: 0 });
    await expect(startMetricsServer({ registries: [], host: '127.0.0.1', port: first.port })).rejects.toThrow(
      `Metrics cannot listen on 127.0.0.1:${first.port} (EADDRINUSE).`,
    );
  });
});

describe('events', () => {
  it('count running and ended queries', async () => {
    const metrics = createMetrics('t');
    const events = createEvents({ log, metrics });
    const query = { queryId: 'q', format: 'csv' };
    events.queryStarted(query);
    expect((await metrics.queriesRunning.get()).values[0]?.value).toBe(1);
    events.queryEnded({ ...query, outcome: 'FINISHED', rows: 7, bytes: 70, durationMs: 1500 });
    events.accessDenied({ operation: 'streamQuery', permission: 'query:run' });
    events.authentication('login_failed', { tenant: 'acme', user: 'ann@acme.example' });
    const text = await metrics.registry.metrics();
    expect(text).toContain('sluice_queries_running{service="t"} 0');
    expect(text).toContain('sluice_queries_ended_total{state="finished",format="csv",service="t"} 1');
    expect(text).toContain('sluice_result_rows_total{service="t"} 7');
    expect(text).toContain('sluice_access_denied_total{permission="query:run",service="t"} 1');
    expect(text).toContain('sluice_authentications_total{event="login_failed",service="t"} 1');
  });
});
