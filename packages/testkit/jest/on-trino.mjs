// What the shared HTTP tests run on (services/stream-host/tests/hosts/tested-engine.ts), in a run where other files run on DuckDB.
// biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
process.env.SLUICE_TEST_ENGINE = 'trino';
