import { doorOperations } from '@sluice/contract';
import { json, type Lifecycle, type Route, route } from '@sluice/http';

/** Version of Trino whose client protocol the door speaks. */
const PROTOCOL_VERSION = '476-sluice';

/** `/v1/info`: what clients of Trino and proxies ask about a server. */
export const doorServerRoutes = ({ lifecycle }: { readonly lifecycle: Lifecycle }): Route[] => [
  route(doorOperations.describeDoor, async () =>
    json(200, {
      nodeVersion: { version: PROTOCOL_VERSION },
      environment: 'sluice',
      coordinator: true,
      starting: false,
      uptime: `${process.uptime().toFixed(2)}s`,
    }),
  ),
  route(doorOperations.describeDoorState, async () =>
    json(200, lifecycle.state === 'serving' ? 'ACTIVE' : 'SHUTTING_DOWN'),
  ),
];
