import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './component.mjs';
import { HELM_VERSION, KUBE_SCORE_VERSION, MINIO_VERSION } from './versions.mjs';

const TOOLS = {
  helm: { package: 'helm.sh/helm/v3/cmd/helm', version: HELM_VERSION },
  'kube-score': { package: 'github.com/zegl/kube-score/cmd/kube-score', version: KUBE_SCORE_VERSION },
  minio: { package: 'github.com/minio/minio', version: MINIO_VERSION },
};

/** Returns the path of a program that Go builds once from its source (helm: three minutes of processor time, minio: more). All checkouts share it. */
export function installGoTool(name) {
  const { package: path, version } = TOOLS[name];
  const folder = join(CACHE, `${name}-${version}`);
  const binary = join(folder, name);
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  process.stdout.write(`${name}: building ${version} from source (some minutes, the first time only) ...\n`);
  // biome-ignore lint/style/noProcessEnv: Go needs the environment of the caller
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' };
  // Suites that run side by side need the same tool: the first one builds it, the others wait.
  const build = 'test -x "$1" || go install "$2"';
  const command = ['sh', '-c', build, 'sh', binary, `${path}@${version}`];
  const { status, error } = spawnSync('flock', [join(folder, 'lock'), ...command], { stdio: 'inherit', env });
  if (status !== 0)
    throw new Error(
      `${name} could not be built: ${error?.message ?? 'see the output above'}. Go and its module proxy are needed.`,
    );
  return binary;
}
