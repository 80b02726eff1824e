import { API_CREDENTIALS, BODY_BYTES_MAX, type Operation } from '../operations/operation.ts';
import { appliedConfiguration, applyQuery, configurationBody } from './configuration.ts';

const VALUES_MAX = 50_000;

/** Administration of a tenant by one configuration file. */
export const configurationOperations = {
  applyConfiguration: {
    id: 'applyConfiguration',
    subject: 'administration',
    method: 'POST',
    path: '/admin/apply',
    summary:
      'Apply a configuration of roles, accounts, identity provider, domains, datamaps and marketplace items in one transaction',
    credentials: API_CREDENTIALS,
    permission: 'admin',
    query: applyQuery,
    body: {
      schema: configurationBody,
      mediaTypes: ['application/json', 'application/yaml'],
      bytesMax: BODY_BYTES_MAX,
      valuesMax: VALUES_MAX,
    },
    responses: {
      200: {
        description: 'The changes, or the changes that a dry run would make',
        mediaType: 'application/json',
        schema: appliedConfiguration,
      },
    },
    problems: ['conflict', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
