// Runs the shared HTTP tests on Trino (services/stream-host/tests/hosts/tested-engine.ts). Other files of the run use DuckDB.
// biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
process.env.SLUICE_TEST_ENGINE = 'trino';
