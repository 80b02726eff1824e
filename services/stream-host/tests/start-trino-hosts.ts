import { startHosts, type TestHosts } from './start-hosts.ts';

/** A Trino of `deploy/components/trino.mjs start`, unless the environment names another. */
// biome-ignore lint/style/noProcessEnv: a test run is told where its server is like a service is
export const TRINO_URL = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';

/** Both hosts, with Trino in the place of DuckDB. */
export const startTrinoHosts = (settings: Readonly<Record<string, string>> = {}): Promise<TestHosts> =>
  startHosts({ ENGINE_URL: TRINO_URL, ENGINE_CATALOGS: 'tpch,memory', ENGINE_SCHEMA: 'tiny', ...settings });
