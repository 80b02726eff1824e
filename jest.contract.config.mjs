import servers from './jest.servers.config.mjs';
import trino from './jest.trino.config.mjs';

/** What jest takes for a whole run alone. */
const { maxWorkers: _, testTimeout, ...ofServers } = servers;
const { maxWorkers: _workers, testTimeout: _timeout, ...ofTrino } = trino;

/** They judge how soon hosts see that a server is away or back, or a statement ends on Trino, so nothing else may run beside them. */
export const TESTS_BY_THEMSELVES = [
  '/redis-[^/]*\\.servers\\.ts$',
  '/postgres-outage\\.servers\\.ts$',
  '/trino-stops\\.servers\\.ts$',
];

/** They have a server of their own, which runs while they do. */
export const TESTS_ON_KEYCLOAK = '/keycloak-[^/]*\\.servers\\.ts$';

/** The rest of the contract on servers in one run, two files at a time: most of what they do is to wait for a server. */
export default {
  projects: [
    { ...ofServers, testPathIgnorePatterns: ['/node_modules/', ...TESTS_BY_THEMSELVES, TESTS_ON_KEYCLOAK] },
    { ...ofTrino, setupFiles: [...trino.setupFiles, '<rootDir>/packages/testkit/jest/on-trino.mjs'] },
  ],
  maxWorkers: 2,
  testTimeout,
};
