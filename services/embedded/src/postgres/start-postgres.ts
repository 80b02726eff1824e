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
  /** Folder of the cluster, its log and, under root, the binaries. Under root every system user must be able to reach it. */
  readonly folder: string;
  readonly secrets: ClusterSecrets;
  readonly durability: ClusterPlace['durability'];
  /** Receives messages about changes of the system (a created user) and about slow steps. */
  readonly announce: (line: string) => void;
}

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** URL with the owner role, which is not a superuser but may create roles. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** Returns the URL for any role and database of this server. */
  urlOf(login: { readonly role: string; readonly password: string; readonly database?: string }): string;
  /** Resolves with the last error of the server's log when it has ended. */
  readonly ended: Promise<string>;
  /** Lets this process end while the server, which depends on a lifeline, keeps running. */
  unref(): void;
}

/**
 * Starts a PostgreSQL server on a free port of the loopback, and creates its cluster at the first start. It never attaches to an
 * existing server. The server stops on disposal, and shortly after this process has ended for any reason.
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
