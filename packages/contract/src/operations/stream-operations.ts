import { adminQueryOperations } from '../administration/admin-query.ts';
import { datamapDownloadOperations } from '../datamaps/datamap-download-operations.ts';
import { meOperation } from '../identity/me.ts';
import { protectedResourceOperations } from '../identity/protected-resource.ts';
import { marketplaceLinkOperations } from '../marketplace/marketplace-link-operations.ts';
import { marketplaceOperations } from '../marketplace/marketplace-operations.ts';
import { downloadOperations } from '../queries/download-operations.ts';
import { keptResultOperations } from '../queries/kept-result-operations.ts';
import { queryOperations } from '../queries/query-operations.ts';
import { ticketOperations } from '../queries/ticket-operations.ts';
import { ANY_CREDENTIAL, type Operation } from './operation.ts';
import { probeOperations } from './probe-operations.ts';

const { streamQuery, ...otherQueryOperations } = queryOperations;

/** Operations of the stream host. */
export const streamOperations = {
  ...probeOperations,
  getMe: meOperation(ANY_CREDENTIAL),
  ...protectedResourceOperations,
  ...adminQueryOperations,
  ...marketplaceOperations,
  ...marketplaceLinkOperations,
  ...datamapDownloadOperations,
  ...ticketOperations,
  streamQuery,
  ...downloadOperations,
  ...otherQueryOperations,
  ...keptResultOperations,
} as const satisfies Record<string, Operation>;
