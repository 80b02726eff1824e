/** Tests run on the TypeScript sources (the export condition "source"), as ES modules. */
export default {
  testMatch: ['<rootDir>/{packages,services}/*/{src,tests,testing}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  globalSetup: '<rootDir>/packages/testkit/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/testkit/jest/global-teardown.mjs',
  testEnvironment: 'node',
  testEnvironmentOptions: { exportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.sluice'],
  maxWorkers: 2,
  testTimeout: 30_000,
};
