import { type CredentialKind, jsonBody, type Operation, type OperationContent } from '../operations/operation.ts';
import { type ProblemCode, STATEMENT_PROBLEMS } from '../problems/problem.ts';
import { failedResultSetBody, resultSetBody } from '../queries/query.ts';
import {
  accessApprovalBody,
  accessRefusalBody,
  accessRequest,
  accessRequestBody,
  accessRequestParams,
  accessRequests,
  marketplaceChangeBody,
  marketplaceDownloadQuery,
  marketplaceGrants,
  marketplaceItem,
  marketplaceItemBody,
  marketplacePage,
  marketplaceParams,
  marketplaceQuery,
} from './marketplace.ts';

const ANY_CREDENTIAL: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];
const DOWNLOAD_PROBLEMS: readonly ProblemCode[] = ['not_found', 'conflict', ...STATEMENT_PROBLEMS, 'too_many_requests'];

const item = (description: string) => ({ description, mediaType: 'application/json', schema: marketplaceItem });
const request = (description: string) => ({ description, mediaType: 'application/json', schema: accessRequest });

/** Any failure of a statement can occur before the first byte. For an item with several queries its body is the error JSON, not a result set. */
const download = (id: string, format: 'csv' | 'json', content: OperationContent) =>
  ({
    id,
    method: 'POST',
    path: `/marketplace/{id}/download/${format}`,
    summary: `Download an item as ${format.toUpperCase()}`,
    credentials: ANY_CREDENTIAL,
    permission: 'marketplace:download',
    params: marketplaceParams,
    streams: true,
    responses: {
      200: {
        ...content,
        description:
          'The file. For an item with several queries: a ZIP archive with one file per query and manifest.json',
        alternatives: [ZIP],
      },
    },
    ...(format === 'json' ? { failedStatement: failedResultSetBody } : {}),
    problems: DOWNLOAD_PROBLEMS,
  }) as const;

const CSV = { mediaType: 'text/csv' };
const JSON_RESULT = { mediaType: 'application/json', schema: resultSetBody };
const WORKBOOK = { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };
const ZIP = { mediaType: 'application/zip' };

export const marketplaceOperations = {
  listMarketplace: {
    id: 'listMarketplace',
    method: 'GET',
    path: '/marketplace',
    summary: 'List the marketplace items of the tenant, sorted by title',
    credentials: ANY_CREDENTIAL,
    query: marketplaceQuery,
    responses: { 200: { description: 'Items', mediaType: 'application/json', schema: marketplacePage } },
    problems: [],
  },
  createMarketplaceItem: {
    id: 'createMarketplaceItem',
    method: 'POST',
    path: '/marketplace',
    summary: 'Create an item from published datamaps. Needs `admin` or `datamap:write`',
    credentials: ANY_CREDENTIAL,
    body: jsonBody(marketplaceItemBody),
    responses: { 201: item('The new item') },
    problems: ['access_denied', 'conflict'],
  },
  downloadMarketplace: {
    id: 'downloadMarketplace',
    method: 'POST',
    path: '/marketplace/download',
    summary: 'Download an item in a format of your choice',
    credentials: ANY_CREDENTIAL,
    permission: 'marketplace:download',
    query: marketplaceDownloadQuery,
    streams: true,
    responses: {
      200: {
        ...JSON_RESULT,
        description: 'The file. For an item with several queries: a ZIP archive (csv, json) or one workbook',
        alternatives: [CSV, ZIP, WORKBOOK],
      },
    },
    failedStatement: failedResultSetBody,
    problems: DOWNLOAD_PROBLEMS,
  },
  downloadMarketplaceCsv: download('downloadMarketplaceCsv', 'csv', CSV),
  downloadMarketplaceJson: download('downloadMarketplaceJson', 'json', JSON_RESULT),
  getMarketplaceItem: {
    id: 'getMarketplaceItem',
    method: 'GET',
    path: '/marketplace/{id}',
    summary: 'Get an item',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    responses: { 200: item('The item') },
    problems: ['not_found'],
  },
  updateMarketplaceItem: {
    id: 'updateMarketplaceItem',
    method: 'PUT',
    path: '/marketplace/{id}',
    summary: 'Change an item (owner and admins)',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    body: jsonBody(marketplaceChangeBody),
    responses: { 200: item('The changed item') },
    problems: ['access_denied', 'not_found', 'precondition_failed'],
  },
  deleteMarketplaceItem: {
    id: 'deleteMarketplaceItem',
    method: 'DELETE',
    path: '/marketplace/{id}',
    summary: 'Delete an item with its grants and access requests (owner and admins)',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['access_denied', 'not_found', 'precondition_failed'],
  },
  getMarketplaceGrants: {
    id: 'getMarketplaceGrants',
    method: 'GET',
    path: '/marketplace/{id}/grants',
    summary: 'List the grants of an item (owner and admins)',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    responses: { 200: { description: 'All grants', mediaType: 'application/json', schema: marketplaceGrants } },
    problems: ['access_denied', 'not_found'],
  },
  putMarketplaceGrants: {
    id: 'putMarketplaceGrants',
    method: 'PUT',
    path: '/marketplace/{id}/grants',
    summary: 'Replace the grants of an item (owner and admins)',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    body: jsonBody(marketplaceGrants),
    responses: { 200: { description: 'All grants', mediaType: 'application/json', schema: marketplaceGrants } },
    problems: ['access_denied', 'not_found'],
  },
  requestMarketplaceAccess: {
    id: 'requestMarketplaceAccess',
    method: 'POST',
    path: '/marketplace/{id}/access-requests',
    summary: 'Request access to an item from its owner',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    body: jsonBody(accessRequestBody),
    responses: { 201: request('The new access request') },
    problems: ['conflict', 'not_found'],
  },
  listMarketplaceAccess: {
    id: 'listMarketplaceAccess',
    method: 'GET',
    path: '/marketplace/{id}/access-requests',
    summary: 'List the access requests for an item. Owner and admins see all, other users only their own',
    credentials: ANY_CREDENTIAL,
    params: marketplaceParams,
    responses: { 200: { description: 'Access requests', mediaType: 'application/json', schema: accessRequests } },
    problems: ['not_found'],
  },
  approveMarketplaceAccess: {
    id: 'approveMarketplaceAccess',
    method: 'POST',
    path: '/marketplace/{id}/access-requests/{request_id}/approve',
    summary: 'Approve an access request (owner of the item and admins)',
    credentials: ANY_CREDENTIAL,
    params: accessRequestParams,
    body: jsonBody(accessApprovalBody),
    responses: { 200: request('The access request with the decision') },
    problems: ['access_denied', 'conflict', 'not_found'],
  },
  refuseMarketplaceAccess: {
    id: 'refuseMarketplaceAccess',
    method: 'POST',
    path: '/marketplace/{id}/access-requests/{request_id}/refuse',
    summary: 'Reject an access request (owner of the item and admins)',
    credentials: ANY_CREDENTIAL,
    params: accessRequestParams,
    body: jsonBody(accessRefusalBody),
    responses: { 200: request('The access request with the decision') },
    problems: ['access_denied', 'conflict', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
