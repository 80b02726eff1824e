import { TRINO_URL } from '@sluice/testkit/hosts';
import { SCHEMA, TRINO_CATALOG } from './client-tables.ts';
import type { ClientTarget } from './client-target.ts';

/** Trino itself, which takes any name without a password. It has the form of the names of users. */
export const TRINO_TARGET: ClientTarget = {
  url: TRINO_URL,
  user: 'ann@acme.example',
  catalog: TRINO_CATALOG,
  schema: SCHEMA,
};
