import type { Finding } from '../report.ts';
import { startSluice } from '../sluice-process.ts';
import { importMetadata } from './import-metadata.ts';

/** Apart from the one that queries are measured in: what is imported stays. */
const HOME = '.sluice-bench-catalog';

export interface CatalogBench {
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** What the catalog promises: imports. */
export async function catalog({ rounds, say }: CatalogBench): Promise<readonly Finding[]> {
  await using sluice = await startSluice(HOME);
  say('Measuring imports ...');
  return await importMetadata({ sluice, rounds });
}
