// Selects Trino for the shared HTTP tests (services/stream-host/tests/hosts/tested-engine.ts).
process.env.SLUICE_TEST_ENGINE = 'trino';
