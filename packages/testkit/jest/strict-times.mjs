// Asserts promised times as they are (packages/testkit/src/time-limit.ts).
process.env.SLUICE_TEST_STRICT_TIMES = '1';
