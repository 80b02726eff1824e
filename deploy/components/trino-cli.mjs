/** Trino's command line client: `node deploy/components/trino-cli.mjs` fetches it and prints its path and that of its Java as JSON. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './component.mjs';
import { findJava } from './java.mjs';
import { TRINO_VERSION } from './versions.mjs';

/** The CLI supports older versions of Java than the server. */
const JAVA_MAJOR_MIN = 11;

const folder = join(CACHE, `trino-cli-${TRINO_VERSION}`);
const jar = join(folder, `trino-cli-${TRINO_VERSION}-executable.jar`);
if (!existsSync(jar)) {
  mkdirSync(join(folder, 'home'), { recursive: true });
  const artifact = `-Dartifact=io.trino:trino-cli:${TRINO_VERSION}:jar:executable`;
  const run = spawnSync('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`]);
  if (run.status !== 0) {
    process.stderr.write(`Trino's CLI could not be fetched by Maven: ${run.error?.message ?? run.stdout}\n`);
    process.exitCode = 1;
  }
}
if (existsSync(jar))
  process.stdout.write(`${JSON.stringify({ jar, java: join(findJava(JAVA_MAJOR_MIN), 'bin', 'java') })}\n`);
