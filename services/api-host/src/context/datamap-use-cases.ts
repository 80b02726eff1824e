import { createDescribeSql } from '../use-cases/datamaps/describe-sql.ts';
import { createSearchDatamaps } from '../use-cases/datamaps/search-datamaps.ts';
import type { ApiContext } from './context.ts';

/** The finished use-cases of datamaps. */
export type DatamapUseCases = ReturnType<typeof createDatamapUseCases>;

export const createDatamapUseCases = ({ stores, engines }: Pick<ApiContext, 'stores' | 'engines'>) => ({
  describeSql: createDescribeSql({ engines, audit: stores.audit }),
  searchDatamaps: createSearchDatamaps(stores),
});
