// Selects Trino for the shared HTTP tests (packages/testkit/testing/hosts/tested-engine.ts).
process.env.SLUICE_TEST_ENGINE = 'trino';
