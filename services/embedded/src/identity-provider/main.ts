/**
 * Process of the development identity provider. It reads its options from one line of JSON and prints the line `ready` once it
 * listens. It ends when its standard input closes, which also happens when the parent process is killed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createProvider } from './create-provider.ts';
import { IDENTITY_PROVIDER_HOST, type IdentityProviderOptions } from './identity-provider-options.ts';
import { serveInteractions } from './serve-interactions.ts';

for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(0));
// Ctrl-C in a terminal reaches this process too, but the hosts stop first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
const options = JSON.parse(line) as IdentityProviderOptions;
const issuer = `http://${IDENTITY_PROVIDER_HOST}:${options.port}`;
const serve = serveInteractions(createProvider(issuer, options), options.people);
const server = createServer((request, response) => void serve(request, response));

process.stdout.on('error', () => undefined);
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen(options.port, IDENTITY_PROVIDER_HOST, () => process.stdout.write('ready\n'));
