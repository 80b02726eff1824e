import {
  createChangeDatamapState,
  createCreateDatamap,
  createRemoveDatamap,
  createUpdateDatamap,
} from '../use-cases/datamaps/change-datamaps.ts';
import { createDescribeSql } from '../use-cases/datamaps/describe-sql.ts';
import { createFindDatamap, createSearchDatamaps } from '../use-cases/datamaps/find-datamaps.ts';
import { createSetDatamapActivity } from '../use-cases/datamaps/set-datamap-activity.ts';
import type { ApiContext } from './context.ts';

/** The finished use-cases of datamaps. */
export type DatamapUseCases = ReturnType<typeof createDatamapUseCases>;

export function createDatamapUseCases({ stores, engines }: Pick<ApiContext, 'stores' | 'engines'>) {
  const describeSql = createDescribeSql({ engines, audit: stores.audit });
  const described = { datamaps: stores.datamaps, describeSql };
  return {
    describeSql,
    findDatamap: createFindDatamap(stores),
    searchDatamaps: createSearchDatamaps(stores),
    createDatamap: createCreateDatamap(described),
    updateDatamap: createUpdateDatamap(described),
    changeDatamapState: createChangeDatamapState(stores),
    removeDatamap: createRemoveDatamap(stores),
    setDatamapActivity: createSetDatamapActivity(stores),
  };
}
