import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { installGoTool } from '../../components/go-tools.mjs';

export const CHART = fileURLToPath(new URL('../sluice/', import.meta.url));
/** Version that manifests are rendered and validated for; the oldest that Kubernetes itself supports today. */
export const KUBERNETES_VERSION = '1.34';

/** Names of the value sets in `ci/`. */
export const valueSets = readdirSync(join(CHART, 'ci')).map((name) => name.replace(/-values\.yaml$/, ''));

export const valuesFile = (set) => join(CHART, 'ci', `${set}-values.yaml`);

/** Runs helm and returns its exit code and output. */
export function helm(args) {
  const { status, stdout, stderr, error } = spawnSync(installGoTool('helm'), args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** Renders the chart with values from files and, after them, `--set` arguments. */
export function template(files, settings = []) {
  const values = [...files.map((file) => `--values=${file}`), ...settings.flatMap((setting) => ['--set', setting])];
  const version = `--kube-version=${KUBERNETES_VERSION}.0`;
  return helm(['template', 'sluice', CHART, '--namespace=data', version, ...values]);
}

/** Returns the objects in rendered manifests. */
export const objectsIn = (manifests) =>
  parseAllDocuments(manifests)
    .map((document) => document.toJSON())
    .filter((object) => object !== null);

/** Rendered files with tests of their own, whose content is not repeated in golden files. */
const OWN_FILES =
  /^---\n# Source: sluice\/templates\/observability\/(?:dashboard|prometheus-rule)\.yaml\n[\s\S]*?(?=^---\n|(?![\s\S]))/gm;

/** Returns what the golden file of rendered manifests holds. */
export const withoutOwnFiles = (manifests) => manifests.replaceAll(OWN_FILES, '');

/** Returns the names and contents of the files that the chart ships in a folder of `files/`. */
export function shippedFiles(folder) {
  const path = join(CHART, 'files', folder);
  const names = existsSync(path) ? readdirSync(path) : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}
