import type { Finding } from '../report.ts';
import { startSluice } from '../sluice-process.ts';
import { importMetadata } from './import-metadata.ts';

/** Separate from the home of the query scenarios, because imported metadata remains. */
const HOME = '.sluice-bench-catalog';

interface CatalogBenchOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** Measures imports of metadata. */
export async function catalog({ rounds, print }: CatalogBenchOptions): Promise<readonly Finding[]> {
  await using sluice = await startSluice(HOME);
  print('Measuring imports ...');
  return await importMetadata({ sluice, rounds });
}
