import {
  type ClusterPlace,
  type ClusterSecrets,
  createCluster,
  DATABASE,
  dataFolderOf,
  OWNER,
  SUPERUSER,
} from './create-cluster.ts';
import { copyBinaries, locateBinaries } from './postgres-binaries.ts';
import { type RunningServer, type RunSettings, runServer } from './run-server.ts';
import { findServerAccount } from './server-account.ts';
import { makeServerFolder } from './server-folder.ts';
import { stopOrphan } from './stop-orphan.ts';

export interface PostgresSettings extends RunSettings {
  /** Holds the cluster, its log and, as root, the binaries. Must be reachable by every user of the system when we are root. */
  readonly folder: string;
  readonly secrets: ClusterSecrets;
  readonly durability: ClusterPlace['durability'];
  /** Told in plain words what happens to the system (a user that is made) and what takes time. */
  readonly announce: (line: string) => void;
}

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** Of the owner role: not a superuser, may create roles. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** Of any role on any database of this server. */
  urlOf(login: { readonly role: string; readonly password: string; readonly database?: string }): string;
  /** Settles with the last words of the server's log when it has ended. */
  readonly ended: Promise<string>;
  /** Lets this process end while the server runs on, where its life hangs on a lifeline. */
  unref(): void;
}

/**
 * A real PostgreSQL of our own on a free port of the loopback, made at the first start. Never attaches to a server that is
 * there already. It stops when disposed of, and within moments of this process's end, however that ends.
 * @throws StartFailure
 */
export async function startPostgres(settings: PostgresSettings): Promise<PostgresServer> {
  const account = await findServerAccount(settings.announce);
  await makeServerFolder(settings.folder);
  const located = await locateBinaries();
  const binaries = account === undefined ? located : await copyBinaries(located, settings.folder);
  const place: ClusterPlace = { folder: settings.folder, binaries, account, durability: settings.durability };
  await createCluster(place, settings.secrets);
  await stopOrphan(dataFolderOf(place));
  return serverOf(await runServer(place, settings), settings.secrets);
}

const serverOf = (running: RunningServer, secrets: ClusterSecrets): PostgresServer => {
  const urlOf: PostgresServer['urlOf'] = ({ role, password, database }) =>
    `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${running.port}/${database ?? DATABASE}`;
  return {
    port: running.port,
    ownerUrl: urlOf({ role: OWNER, password: secrets.ownerPassword }),
    superuserUrl: urlOf({ role: SUPERUSER, password: secrets.superuserPassword }),
    urlOf,
    ended: running.ended,
    unref() {
      running.guardian.unref();
      running.guardian.stdin?.destroy();
      running.guardian.stdout?.destroy();
    },
    async [Symbol.asyncDispose]() {
      running.guardian.stdin?.end();
      await running.ended;
    },
  };
};
