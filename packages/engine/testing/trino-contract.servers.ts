import { describeEngine } from './engine-contract.ts';
import { createTrinoFixture } from './trino-fixture.ts';

// Run by `npm run test:trino` where a Trino is started for it; `npm test` needs no server.
// biome-ignore lint/style/noProcessEnv: a test run is told where its server is like a service is
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';

describeEngine('Trino', () => createTrinoFixture(baseUrl));
