import { apiOperations } from '@sluice/contract';
import { json, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';

/** Far less than the day for which a key is published before it signs. */
const CACHED = { 'cache-control': 'public, max-age=60' };

export const jwks = ({ keyRing }: Pick<ApiContext, 'keyRing'>) =>
  route(apiOperations.jwks, async () => json(200, { keys: keyRing.publicJwks() }, CACHED));
