/**
 * Process of the development identity provider. It takes one JSON argument and prints the line `ready` once it listens. It ends when
 * its standard input closes, which also happens when the parent process is killed.
 */
import { createServer } from 'node:http';
import { createProvider } from './create-provider.ts';
import { IDENTITY_PROVIDER_HOST, type IdentityProviderOptions } from './identity-provider-options.ts';
import { serveInteractions } from './serve-interactions.ts';

const options = JSON.parse(process.argv[2] ?? '') as IdentityProviderOptions;
const issuer = `http://${IDENTITY_PROVIDER_HOST}:${options.port}`;
const serve = serveInteractions(createProvider(issuer, options), options.people);
const server = createServer((request, response) => void serve(request, response));

for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(0));
process.stdin.resume();
// Ctrl-C in a terminal reaches this process too, but the hosts stop first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdout.on('error', () => undefined);
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen(options.port, IDENTITY_PROVIDER_HOST, () => process.stdout.write('ready\n'));
