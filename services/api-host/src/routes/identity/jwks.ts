import type { KeyRing } from '@sluice/auth';
import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';

/** One minute: much less than the day for which a key is published before it signs. */
const CACHED = { 'cache-control': 'public, max-age=60' };

export const jwks = (keyRing: Pick<KeyRing, 'publicJwks'>): Route =>
  route(apiOperations.jwks, async () => json(200, { keys: keyRing.publicJwks() }, CACHED));
