import { defineOperations, FOR_ALL, jsonResponse } from '../operations/define-operations.ts';
import {
  jsonBody,
  type OperationContent,
  PARAMETER_MEMBERS_MAX,
  PARAMETER_VALUES_MAX,
} from '../operations/operation.ts';
import { type ProblemCode, STATEMENT_PROBLEMS } from '../problems/problem.ts';
import {
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  downloadFormats,
} from '../queries/download-formats.ts';
import { failedResultSetBody } from '../queries/query.ts';
import {
  archiveQuery,
  marketplaceChangeBody,
  marketplaceDownloadBody,
  marketplaceDownloadQuery,
  marketplaceItem,
  marketplaceItemBody,
  marketplaceItemDetails,
  marketplacePage,
  marketplaceParams,
  marketplaceQuery,
} from './marketplace.ts';
import {
  accessApprovalBody,
  accessRefusalBody,
  accessRequest,
  accessRequestBody,
  accessRequestCounts,
  accessRequestPage,
  accessRequestParams,
  accessRequests,
  accessRequestsQuery,
  marketplaceGrants,
  marketplaceGrantsQuery,
} from './marketplace-access.ts';

const DOWNLOAD_PROBLEMS: readonly ProblemCode[] = ['not_found', 'conflict', ...STATEMENT_PROBLEMS, 'too_many_requests'];

const item = (description: string) => jsonResponse(description, marketplaceItem);
const request = (description: string) => jsonResponse(description, accessRequest);

const ZIP: OperationContent = { mediaType: 'application/zip' };

const contentOf = ({ mediaType, schema }: DownloadFormat): OperationContent =>
  schema === undefined ? { mediaType } : { mediaType, schema };

const PARAMETERS = {
  ...jsonBody(marketplaceDownloadBody, { valuesMax: PARAMETER_VALUES_MAX, membersMax: PARAMETER_MEMBERS_MAX }),
  optionalMember: 'parameters',
  exactNumbersIn: 'parameters',
} as const;

/** `POST /marketplace/{id}/download/<format>`. An item of several queries is a ZIP archive, whatever the format of its members. */
const download = (name: DownloadFormatName) => {
  const format: DownloadFormat = DOWNLOAD_FORMATS[name];
  return {
    endpoint: `POST /marketplace/{id}/download/${name}`,
    summary: `Download an item as ${format.label}`,
    permission: 'marketplace:download',
    params: marketplaceParams,
    query: archiveQuery,
    body: PARAMETERS,
    streams: true,
    responses: {
      200: {
        ...contentOf(format),
        description:
          'The file. For an item with several queries: a ZIP archive with one file per query and manifest.json',
        alternatives: [ZIP],
      },
    },
    ...(format.failedStatement === undefined ? {} : { failedStatement: format.failedStatement }),
    problems: DOWNLOAD_PROBLEMS,
  } as const;
};

const OFFERED = downloadFormats.filter(([, { marketplaceNames }]) => marketplaceNames.length > 0);
const ARCHIVED = OFFERED.filter(([, { assembly }]) => assembly === 'text').map(([name]) => name);

export const marketplaceOperations = defineOperations('marketplace', FOR_ALL, {
  listMarketplace: {
    endpoint: 'GET /marketplace',
    scopeNeeds: ['marketplace:download'],
    summary: 'List the marketplace items of the tenant, sorted by title',
    query: marketplaceQuery,
    responses: { 200: jsonResponse('Items', marketplacePage) },
  },
  createMarketplaceItem: {
    endpoint: 'POST /marketplace',
    scopeNeeds: ['datamap:write'],
    summary: 'Create an item from published datamaps. Needs `admin` or `datamap:write`',
    body: jsonBody(marketplaceItemBody),
    responses: { 201: item('The new item') },
    problems: ['access_denied', 'conflict'],
  },
  downloadMarketplace: {
    endpoint: 'POST /marketplace/download',
    summary: 'Download an item in a format of your choice',
    permission: 'marketplace:download',
    query: marketplaceDownloadQuery,
    body: PARAMETERS,
    streams: true,
    responses: {
      200: {
        ...contentOf(DOWNLOAD_FORMATS.json),
        description: `The file. For an item with several queries: a ZIP archive (${ARCHIVED.join(', ')}) or one workbook`,
        alternatives: [...OFFERED.filter(([name]) => name !== 'json').map(([, format]) => contentOf(format)), ZIP],
      },
    },
    failedStatement: failedResultSetBody,
    problems: DOWNLOAD_PROBLEMS,
  },
  downloadMarketplaceCsv: download('csv'),
  downloadMarketplaceJson: download('json'),
  getMarketplaceItem: {
    endpoint: 'GET /marketplace/{id}',
    scopeNeeds: ['marketplace:download'],
    summary: 'Get an item',
    params: marketplaceParams,
    responses: { 200: jsonResponse('The item', marketplaceItemDetails) },
    problems: ['not_found'],
  },
  updateMarketplaceItem: {
    endpoint: 'PUT /marketplace/{id}',
    scopeNeeds: ['datamap:write'],
    summary: 'Change an item (owner and admins)',
    params: marketplaceParams,
    body: jsonBody(marketplaceChangeBody),
    responses: { 200: item('The changed item') },
    problems: ['access_denied', 'not_found', 'precondition_failed'],
  },
  deleteMarketplaceItem: {
    endpoint: 'DELETE /marketplace/{id}',
    scopeNeeds: ['datamap:write'],
    summary: 'Delete an item with its grants and access requests (owner and admins)',
    params: marketplaceParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['access_denied', 'not_found', 'precondition_failed'],
  },
  getMarketplaceGrants: {
    endpoint: 'GET /marketplace/{id}/grants',
    scopeNeeds: ['datamap:write'],
    summary: 'List the grants of an item (owner and admins)',
    params: marketplaceParams,
    responses: { 200: jsonResponse('All grants', marketplaceGrants) },
    problems: ['access_denied', 'not_found'],
  },
  putMarketplaceGrants: {
    endpoint: 'PUT /marketplace/{id}/grants',
    scopeNeeds: ['datamap:write'],
    summary: 'Replace the grants of an item (owner and admins); If-Match prevents lost updates',
    params: marketplaceParams,
    query: marketplaceGrantsQuery,
    body: jsonBody(marketplaceGrants),
    responses: { 200: jsonResponse('All grants', marketplaceGrants) },
    problems: ['access_denied', 'not_found', 'precondition_failed'],
  },
  requestMarketplaceAccess: {
    endpoint: 'POST /marketplace/{id}/access-requests',
    scopeNeeds: ['marketplace:download'],
    summary: 'Request access to an item from its owner',
    params: marketplaceParams,
    body: jsonBody(accessRequestBody),
    responses: { 201: request('The new access request') },
    problems: ['conflict', 'not_found'],
  },
  listMarketplaceAccess: {
    endpoint: 'GET /marketplace/{id}/access-requests',
    scopeNeeds: ['marketplace:download'],
    summary: 'List the access requests for an item. Owner and admins see all, other users only their own',
    params: marketplaceParams,
    responses: { 200: jsonResponse('Access requests', accessRequests) },
    problems: ['not_found'],
  },
  listAccessRequests: {
    endpoint: 'GET /access-requests',
    scopeNeeds: ['marketplace:download'],
    summary: 'List access requests for all items: your own, or those that you may decide',
    query: accessRequestsQuery,
    responses: { 200: jsonResponse('Access requests', accessRequestPage) },
  },
  countAccessRequests: {
    endpoint: 'GET /access-requests/counts',
    scopeNeeds: ['marketplace:download'],
    summary:
      'Count access requests for all items: your own, and those that you may decide. Not recorded in the audit log',
    responses: { 200: jsonResponse('Numbers of access requests', accessRequestCounts) },
  },
  approveMarketplaceAccess: {
    endpoint: 'POST /marketplace/{id}/access-requests/{request_id}/approve',
    scopeNeeds: ['datamap:write'],
    summary: 'Approve an access request (owner of the item and admins)',
    params: accessRequestParams,
    body: jsonBody(accessApprovalBody),
    responses: { 200: request('The access request with the decision') },
    problems: ['access_denied', 'conflict', 'not_found'],
  },
  refuseMarketplaceAccess: {
    endpoint: 'POST /marketplace/{id}/access-requests/{request_id}/refuse',
    scopeNeeds: ['datamap:write'],
    summary: 'Reject an access request (owner of the item and admins)',
    params: accessRequestParams,
    body: jsonBody(accessRefusalBody),
    responses: { 200: request('The access request with the decision') },
    problems: ['access_denied', 'conflict', 'not_found'],
  },
});
