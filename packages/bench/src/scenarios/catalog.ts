import type { Finding } from '../report.ts';
import { startSluice } from '../sluice-process.ts';
import { importMetadata } from './import-metadata.ts';

/** Apart from the one that queries are measured in: what is imported stays. */
const HOME = '.sluice-bench-catalog';

export interface CatalogBench {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** What the catalog promises: imports. */
export async function catalog({ rounds, print }: CatalogBench): Promise<readonly Finding[]> {
  await using sluice = await startSluice(HOME);
  print('Measuring imports ...');
  return await importMetadata({ sluice, rounds });
}
