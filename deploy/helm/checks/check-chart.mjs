/**
 * Checks the Helm chart without a cluster: `npm run test:chart [-- --update] [--report FILE]`. `--update` rewrites the golden files.
 * `--report` writes `{ passed, failed, failures }`. The last line is "N passed, N failed".
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installGoTool } from '../../components/go-tools.mjs';
import { installPythonTools } from '../../components/python-tools.mjs';
import { BAD_VALUES } from './bad-values.mjs';
import { MANIFEST_RULES } from './manifest-rules.mjs';
import {
  CHART,
  helm,
  KUBERNETES_VERSION,
  objectsIn,
  template,
  valueSets,
  valuesFile,
  withoutOwnFiles,
} from './render-chart.mjs';
import { SET_RULES } from './set-rules.mjs';
import '../../../packages/testkit/jest/native/register.mjs';

// They import the sources of packages, which only a process with the hooks can load.
const { assertSettings } = await import('./settings-rule.mjs');

/** A CPU limit delays short queries while the node is idle. Requests divide the processors where they are scarce. */
const WITHOUT_CPU_LIMIT = '--ignore-container-cpu-limit';
const fileHere = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values: options } = parseArgs({
  options: { update: { type: 'boolean', default: false }, report: { type: 'string' } },
});
const counts = { passed: 0, failed: 0, failures: [] };

function check(name, test) {
  try {
    test();
    counts.passed += 1;
  } catch (error) {
    counts.failed += 1;
    counts.failures.push(`${name}: ${error.message}`);
    process.stderr.write(`FAILED: ${name}\n${error.message}\n`);
  }
}

function mustSucceed(file, args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' });
  assert.equal(status, 0, error?.message ?? `${stdout}${stderr}`);
  return stdout;
}

function checkGenerated() {
  check('the schema and the README are up to date', () => {
    mustSucceed(process.execPath, [fileHere('../generate-values-docs.mjs'), '--check']);
  });
}

/** Renders all value sets into the folder, and compares them with the golden files. */
function checkRendered(folder) {
  for (const set of valueSets) {
    check(`helm lint: ${set}`, () => {
      const { status, stdout, stderr } = helm(['lint', '--strict', CHART, `--values=${valuesFile(set)}`]);
      assert.equal(status, 0, stdout + stderr);
    });
    check(`golden file: ${set}`, () => {
      const { status, stdout, stderr } = template([valuesFile(set)]);
      assert.equal(status, 0, stderr);
      writeFileSync(join(folder, `${set}.yaml`), stdout);
      const golden = join(CHART, 'golden', `${set}.yaml`);
      const rendered = withoutOwnFiles(stdout);
      if (options.update) writeFileSync(golden, rendered);
      assert.equal(
        rendered,
        readFileSync(golden, 'utf8'),
        'run `npm run test:chart -- --update` and review the changes',
      );
    });
  }
  check('every golden file has a value set with rules', () => {
    const golden = readdirSync(join(CHART, 'golden')).map((name) => name.replace('.yaml', ''));
    assert.deepEqual(golden, valueSets);
    assert.deepEqual(Object.keys(SET_RULES).toSorted(), valueSets.toSorted());
  });
}

/** The first values of docs/kubernetes.md are an installation, the second ones are an addition to it. */
function checkDocs(folder) {
  const page = readFileSync(fileHere('../../../docs/kubernetes.md'), 'utf8');
  const files = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text], at) => {
    const file = join(folder, `docs-${at}.values`);
    writeFileSync(file, text);
    return file;
  });
  check('docs/kubernetes.md: its values are rendered', () => {
    const { status, stdout, stderr } = template(files);
    assert.equal(status, 0, stderr);
    for (const text of [
      'acme-stream.data.example.com',
      'registry.example.com/sluice/api-host:1',
      'SLUICE_MASTER_KEY_PREVIOUS',
    ])
      assert.ok(stdout.includes(text), `${text} is not in the manifests`);
  });
}

const memoryOf = (host, quantity) =>
  ['limits', 'requests'].map((kind) => `${host}.resources.${kind}.memory=${quantity}`);

/** The figures and sizes of docs/operations.md are those by which the chart rejects memory limits. */
function checkSizes() {
  const page = readFileSync(fileHere('../../../docs/operations.md'), 'utf8');
  const render = (settings) => template([valuesFile('minimal')], settings);
  check('docs/operations.md: the memory of a host and a worker', () => {
    const [, host] = /\| (\d+) MiB for each host /.exec(page);
    const [, worker] = /\| (\d+) MiB for each worker on Trino /.exec(page);
    const needed = Number(host) + Number(worker);
    const withLimit = (mebibytes) => ['streamHost.workers.max=1', ...memoryOf('streamHost', `${mebibytes}Mi`)];
    assert.equal(render(withLimit(needed)).status, 0);
    assert.equal(render(withLimit(needed - 1)).status, 1);
    const [, unused] = /\| `WORKER_MEMORY` less ([\d,]+) MiB/.exec(page);
    const onDuckDb = Number(host) + 2048 - Number(unused.replace(',', ''));
    const duckDb = ['engine.url=', 'engine.catalogs=null', 'engine.duckdb.catalogs[0]=sales=/data/sales.duckdb'];
    assert.equal(render([...duckDb, ...withLimit(onDuckDb)]).status, 0);
    assert.equal(render([...duckDb, ...withLimit(onDuckDb - 1)]).status, 1);
  });
  const rows = page.matchAll(/^\| (\w+) +\| (\d+) +\| (\d+) +\| (\d+) +\| (\d+) GiB +\| (\d+) of (\d+) GiB +\|$/gm);
  const sizes = [...rows].map(([, name, ...figures]) => ({ name, figures: figures.map(Number) }));
  check('docs/operations.md: three sizes', () => assert.equal(sizes.length, 3));
  for (const { name, figures } of sizes) {
    check(`docs/operations.md: a ${name} deployment`, () => {
      const [queries, streams, workers, memory, apis, apiMemory] = figures;
      assert.equal(streams * workers, queries);
      const replicas = [`streamHost.replicas=${streams}`, `apiHost.replicas=${apis}`];
      const limits = [...memoryOf('streamHost', `${memory}Gi`), ...memoryOf('apiHost', `${apiMemory}Gi`)];
      const withWorkers = (max) => render([...replicas, ...limits, `streamHost.workers.max=${max}`]);
      assert.equal(withWorkers(workers).status, 0, withWorkers(workers).stderr);
      assert.equal(withWorkers(2 * workers).status, 1);
    });
  }
}

function checkRules(folder) {
  for (const set of valueSets) {
    const objects = objectsIn(readFileSync(join(folder, `${set}.yaml`), 'utf8'));
    for (const [name, rule] of Object.entries(MANIFEST_RULES)) check(`${set}: ${name}`, () => rule(objects));
    check(`${set}: the settings of each process are known and valid`, () => assertSettings(objects));
    check(`${set}: its own objects`, () => SET_RULES[set](objects));
  }
}

function checkBadValues() {
  for (const { set, says } of BAD_VALUES) {
    check(`rejected: ${set.join(', ')}`, () => {
      const { status, stdout, stderr } = template([valuesFile('minimal')], set);
      assert.equal(status, 1, 'it was rendered');
      assert.equal(stdout, '');
      assert.ok(stderr.includes(says), `expected: ${says}\nprinted: ${stderr}`);
    });
  }
}

function checkSchemas(folder) {
  const python = join(installPythonTools('kubernetes-validate', fileHere('requirements.txt')), 'python');
  const files = valueSets.map((set) => join(folder, `${set}.yaml`));
  check('manifests are valid for Kubernetes', () => {
    const printed = mustSucceed(python, [fileHere('validate_manifests.py'), KUBERNETES_VERSION, ...files]);
    counts.passed += JSON.parse(printed).valid;
  });
  check('an unknown field and an unknown kind are not valid', () => {
    const broken = join(folder, 'broken.yaml');
    const route = readFileSync(join(CHART, 'golden', 'gateway.yaml'), 'utf8');
    for (const [from, to] of [
      ['automountServiceAccountToken', 'autoMountServiceAccountToken'],
      ['parentRefs', 'parentReferences'],
      ['kind: HTTPRoute', 'kind: HttpRoutes'],
    ]) {
      writeFileSync(broken, route.replace(from, to));
      const { status } = spawnSync(python, [fileHere('validate_manifests.py'), KUBERNETES_VERSION, broken]);
      assert.equal(status, 1, `${to} was accepted`);
    }
  });
}

function checkScores(folder) {
  const exceptions = Object.keys(JSON.parse(readFileSync(fileHere('kube-score-exceptions.json'), 'utf8')));
  const score = installGoTool('kube-score');
  const used = new Set();
  for (const set of valueSets) {
    check(`kube-score: ${set}`, () => {
      const args = ['--output-format=json', `--kubernetes-version=v${KUBERNETES_VERSION}`, WITHOUT_CPU_LIMIT];
      const { stdout } = spawnSync(score, ['score', ...args, join(folder, `${set}.yaml`)], { encoding: 'utf8' });
      const findings = JSON.parse(stdout).flatMap(({ object_name, checks }) =>
        checks
          .filter(({ grade, skipped }) => grade < 10 && skipped !== true)
          .map(({ check: { id } }) => [id, object_name]),
      );
      for (const [id] of findings) used.add(id);
      const unexpected = findings.filter(([id]) => !exceptions.includes(id));
      assert.deepEqual(unexpected, []);
    });
  }
  check('every exception of kube-score is used', () => assert.deepEqual([...used].toSorted(), exceptions));
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-chart-'));
try {
  checkGenerated();
  checkRendered(folder);
  checkDocs(folder);
  checkSizes();
  checkRules(folder);
  checkBadValues();
  checkSchemas(folder);
  checkScores(folder);
} finally {
  rmSync(folder, { recursive: true });
}
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.stdout.write(`Helm chart: ${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;
