import { apiOperations, ProblemError } from '@sluice/contract';
import { bytes, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { createImportMetadata } from '../../use-cases/catalog/import-metadata.ts';

/** Visible ASCII without spaces, as such keys are: UUIDs mostly. */
const KEY = /^[\x21-\x7e]{1,255}$/;

const keyOf = (text: string | undefined): string | undefined => {
  if (text === undefined || KEY.test(text)) return text;
  const message = 'must be 1 to 255 visible ASCII characters';
  throw new ProblemError('invalid_request', `The request is not valid: header.idempotency-key: ${message}.`, {
    details: [{ path: 'header.idempotency-key', message }],
  });
};

/** POST /metadata/import */
export const metadataImportRoute = ({ stores, events }: Pick<ApiContext, 'stores' | 'events'>): Route => {
  const importMetadata = createImportMetadata(stores.metadata);
  return route(
    apiOperations.importMetadata,
    async ({ body, headers, ...caller }) => {
      const key = keyOf(headers.get('idempotency-key'));
      const answer = await importMetadata.run({ caller, request: body, key });
      const { principal, requestId, operation } = caller;
      if (answer.status === 403) {
        events.accessDenied({
          tenant: principal.tenant.name,
          user: principal.name,
          requestId,
          permission: 'metadata:write',
          operation: operation.id,
        });
      }
      return bytes(
        answer.status,
        'application/json',
        new TextEncoder().encode(answer.body),
        answer.isReplay ? { 'idempotency-replayed': 'true' } : {},
      );
    },
    importMetadata.admit,
  );
};
