/** Tests run on the TypeScript sources (the export condition "source"), as ES modules. */
export default {
  testMatch: ['<rootDir>/{packages,services}/*/{src,tests,testing}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  testEnvironment: 'node',
  testEnvironmentOptions: { exportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.sluice'],
  maxWorkers: 2,
  testTimeout: 30_000,
};
