import config from './jest.config.mjs';

/** Tests on real servers, which `npm test` does not need: `npm run contract -- --on servers` starts those first. */
export default {
  ...config,
  testMatch: ['<rootDir>/{packages,services}/*/{src,tests,testing}/**/*.servers.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
