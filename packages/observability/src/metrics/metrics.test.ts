import { describe, expect, it } from '@jest/globals';
import { createEvents, createLogger, createMetrics, startMetricsServer } from '../index.ts';

const log = createLogger({ service: 't', level: 'silent' });

describe('metrics', () => {
  it('are served on a separate port for several hosts', async () => {
    const api = createMetrics('api-host');
    const stream = createMetrics('stream-host');
    const request = { http_request_method: 'POST', http_route: '/query', http_response_status_code: '200' };
    stream.httpRequestDuration.observe(request, 0.06);
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
      'http_server_request_duration_seconds_bucket{le="0.075",service_name="stream-host",http_request_method="POST",http_route="/query",http_response_status_code="200"} 1',
    );
    expect(text).toMatch(/sluice_nodejs_eventloop_lag_p99_seconds\{service_name="api-host"\}/);
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
    expect(text).toContain('sluice_queries_running{service_name="t"} 0');
    expect(text).toContain('sluice_queries_ended_total{state="finished",format="csv",service_name="t"} 1');
    expect(text).toContain('sluice_result_rows_total{service_name="t"} 7');
    expect(text).toContain('sluice_access_denied_total{permission="query:run",service_name="t"} 1');
    expect(text).toContain('sluice_authentications_total{event="login_failed",service_name="t"} 1');
  });
});
