import config from './jest.servers.config.mjs';

/** Tests on a Trino that keeps results in a store: `npm run contract -- --on spooled`. */
export default {
  ...config,
  testMatch: ['<rootDir>/packages/engine/testing/**/*.spooled.ts'],
};
