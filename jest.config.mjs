/** Tests run on the TypeScript sources (the export condition "source"), as ES modules. */
export default {
  testMatch: ['<rootDir>/{packages,services}/*/{src,tests,testing}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  globalSetup: '<rootDir>/packages/testkit/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/testkit/jest/global-teardown.mjs',
  setupFiles: ['<rootDir>/packages/testkit/jest/property-seed.mjs'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  // Packages of ours resolve to their sources, and so does this one of others, which names its own the same.
  transformIgnorePatterns: ['/node_modules/(?!.*eventsource-parser)'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.sluice'],
  maxWorkers: 2,
  // Of a test that hangs. What a test promises of time it judges itself; a busy machine may take three times what an idle one does.
  testTimeout: 60_000,
};
