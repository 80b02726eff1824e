/**
 * The process of the development identity provider: one JSON argument, one line `ready` once it listens, and it ends when whoever
 * started it is gone, however that went, for then its standard input closes.
 */
import { createServer } from 'node:http';
import { createProvider } from './create-provider.ts';
import { IDENTITY_PROVIDER_HOST, type IdentityProviderOptions } from './order.ts';
import { serveInteractions } from './serve-interactions.ts';

const order = JSON.parse(process.argv[2] ?? '') as IdentityProviderOptions;
const issuer = `http://${IDENTITY_PROVIDER_HOST}:${order.port}`;
const serve = serveInteractions(createProvider(issuer, order), order.people);
const server = createServer((request, response) => void serve(request, response));

for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(0));
process.stdin.resume();
// A terminal's Ctrl-C reaches this process too; the hosts stop first, and then it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdout.on('error', () => undefined);
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen(order.port, IDENTITY_PROVIDER_HOST, () => process.stdout.write('ready\n'));
