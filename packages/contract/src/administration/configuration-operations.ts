import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { BODY_BYTES_MAX } from '../operations/operation.ts';
import { appliedConfiguration, applyQuery, configurationBody } from './configuration.ts';

const VALUES_MAX = 50_000;

/** Administration of a tenant by one configuration file. */
export const configurationOperations = defineOperations('administration', FOR_API, {
  applyConfiguration: {
    endpoint: 'POST /admin/apply',
    summary:
      'Apply a configuration of roles, accounts, identity provider, domains, datamaps and marketplace items in one transaction',
    permission: 'admin',
    query: applyQuery,
    body: {
      schema: configurationBody,
      mediaTypes: ['application/json', 'application/yaml'],
      bytesMax: BODY_BYTES_MAX,
      valuesMax: VALUES_MAX,
    },
    responses: {
      200: jsonResponse('The changes, or the changes that a dry run would make', appliedConfiguration),
    },
    problems: ['conflict', 'audit_unavailable'],
  },
});
