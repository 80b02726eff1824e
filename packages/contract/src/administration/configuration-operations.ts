import { BODY_BYTES_MAX, type Operation } from '../operations/operation.ts';
import { appliedConfiguration, configurationBody } from './configuration.ts';

const VALUES_MAX = 50_000;

/** A tenant's administration as one file. */
export const configurationOperations = {
  applyConfiguration: {
    id: 'applyConfiguration',
    method: 'POST',
    path: '/admin/apply',
    summary:
      'Bring roles, accounts, the identity provider, domains, datamaps and marketplace items to what the body says, all or nothing',
    credentials: ['idtoken'],
    permission: 'admin',
    body: {
      schema: configurationBody,
      mediaTypes: ['application/json', 'application/yaml'],
      bytesMax: BODY_BYTES_MAX,
      valuesMax: VALUES_MAX,
    },
    answers: {
      200: {
        description: 'What was changed, or would be',
        mediaType: 'application/json',
        schema: appliedConfiguration,
      },
    },
    problems: ['conflict', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
