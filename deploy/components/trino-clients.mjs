/** Clients of Trino in Java, for tests of what answers its protocol: `node deploy/components/trino-clients.mjs install` fetches them (70 MB). */
import { installJar } from './maven-jars.mjs';
import { runCommand } from './run-command.mjs';
import { TRINO_CLIENT_JARS } from './versions.mjs';

function install() {
  for (const name of Object.keys(TRINO_CLIENT_JARS)) installJar(name);
}

await runCommand({
  name: 'trino-clients',
  command: { install }[process.argv[2]],
  usage: 'usage: node deploy/components/trino-clients.mjs install',
});
