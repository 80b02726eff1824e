import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useClient } from '../../api/use-client.ts';

/** Schemas and tables on one page. */
export const COVERAGE_PAGE_SIZE = 25;

/** Part of the catalog whose tables are listed. Undefined members: all. */
export interface CoverageFilter {
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

/** Returns how many tables are described, of the tenant and of a page of its schemas. */
export function useCoverage(from: number) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.coverage(from),
    queryFn: ({ signal }) => client.api.getMetadataCoverage({ query: { from, size: COVERAGE_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Returns a page of the tables without a description, most read first. */
export function useUndescribed({ catalog, schema }: CoverageFilter, from: number) {
  const client = useClient();
  const query = {
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
    ...{ from, size: COVERAGE_PAGE_SIZE },
  };
  return useQuery({
    queryKey: QUERY_KEYS.undescribed(query),
    queryFn: ({ signal }) => client.api.listUndescribedTables({ query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
