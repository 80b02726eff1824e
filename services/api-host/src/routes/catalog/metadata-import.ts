import { apiOperations, callerOf, invalidRequest } from '@sluice/contract';
import { bytes, matchedVersion, type Route, type RouteRequest, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';

type MetadataImportContext = Pick<UseCases, 'authorizeImport' | 'importMetadata'> & Pick<ApiContext, 'events'>;

/** Visible ASCII without spaces. Most keys are UUIDs. */
const KEY = /^[\x21-\x7e]{1,255}$/;

const keyOf = (text: string | undefined): string | undefined => {
  if (text === undefined || KEY.test(text)) return text;
  throw invalidRequest({ path: 'header.idempotency-key', message: 'must be 1 to 255 visible ASCII characters' });
};

/** An entity tag is that of one object. */
const versionOf = (headers: RouteRequest['headers'], objects: readonly unknown[]): number | undefined => {
  const version = matchedVersion(headers);
  if (version === undefined || objects.length === 1) return version;
  throw invalidRequest({ path: 'header.if-match', message: 'needs a request with one object' });
};

/** POST /metadata/import */
export const metadataImportRoute = ({ authorizeImport, importMetadata, events }: MetadataImportContext): Route =>
  route(
    apiOperations.importMetadata,
    async (request) => {
      const { principal, requestId, operation, headers, body } = request;
      const key = keyOf(headers.get('idempotency-key'));
      const version = versionOf(headers, body.metadata_objects);
      const response = await importMetadata(callerOf(request), { request: body, key, version });
      if (response.status === 403) {
        events.accessDenied({
          tenant: principal.tenant.name,
          user: principal.name,
          requestId,
          permission: 'metadata:write',
          operation: operation.id,
        });
      }
      return bytes(
        response.status,
        'application/json',
        new TextEncoder().encode(response.body),
        response.isReplay ? { 'idempotency-replayed': 'true' } : {},
      );
    },
    (principal) => authorizeImport({ principal }),
  );
