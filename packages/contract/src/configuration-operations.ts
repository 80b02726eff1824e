import { appliedConfiguration, configurationBody } from './configuration.ts';
import { BODY_BYTES_MAX, jsonBody, type Operation } from './operation.ts';

const VALUES_MAX = 50_000;

/** A tenant's administration as one file. */
export const configurationOperations = {
  applyConfiguration: {
    id: 'applyConfiguration',
    method: 'POST',
    path: '/admin/apply',
    summary:
      'Bring roles, users and service accounts to what the body says, all of it or nothing; again changes nothing',
    credentials: ['idtoken'],
    permission: 'admin',
    body: { ...jsonBody(configurationBody, BODY_BYTES_MAX), valuesMax: VALUES_MAX },
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
