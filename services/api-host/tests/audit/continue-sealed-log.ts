import { createAuditSigner } from '@sluice/audit';
import { migrate } from '@sluice/store/schema';
import { appendSealed, readSealed, verifySealed } from './sealed-log.ts';

/** Input of the process, as JSON in its first argument. */
export interface ContinueOptions {
  readonly database: Parameters<typeof migrate>[0] & { readonly apiUrl: string };
  readonly tenantId: string;
  /** Seed of the signing key in hex. */
  readonly seed: string;
  /** Number of records to append before the log is verified. */
  readonly records: number;
}

const [text = ''] = process.argv.slice(2);
const { database, tenantId, seed, records }: ContinueOptions = JSON.parse(text);
const log = { url: database.apiUrl, tenantId, signer: createAuditSigner(Buffer.from(seed, 'hex')) };
await migrate(database);
for (let record = 0; record < records; record += 1) await appendSealed(log);
const verdict = await verifySealed(log);
process.stdout.write(JSON.stringify({ verdict, ...(await readSealed(log)) }));
