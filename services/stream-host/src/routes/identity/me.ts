import { callerOf, streamOperations } from '@sluice/contract';
import type { DescribeCaller } from '@sluice/host-runtime';
import { json, type Route, route } from '@sluice/http';

/** GET /me: the caller. */
export const meRoute = ({ describeCaller }: { readonly describeCaller: DescribeCaller }): Route =>
  route(streamOperations.getMe, async (request) => json(200, await describeCaller(callerOf(request))));
