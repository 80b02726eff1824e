// Checks the import rules, the folder names and unused exports, and that the checks work: a run that reads too few imports, or
// that misses a planted violation, is a failure.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { findForeignClasses } from './console-classes.mjs';
import { findForceExit } from './force-exit.mjs';
import { findMisplacedFiles, findUnknownFolders } from './subjects.mjs';
import { findUnusedExports } from './unused-exports.mjs';

const EDGES_MIN = 300;
/** Files with a bad import, and the rule that must report each. */
const PLANTED = [
  {
    path: 'packages/contract/src/planted-bad-import.ts',
    text: "import { createApp } from '@sluice/http';\nexport const planted = [createApp];\n",
    rule: 'contract-imports-lower-packages',
  },
  {
    path: 'packages/http/src/model/planted-bad-import.ts',
    text: "import { sendProblem } from '../response/send-problem.ts';\nexport const planted = [sendProblem];\n",
    rule: 'http-model-imports-allowed-folders',
  },
  {
    path: 'packages/query-worker/src/child/planted-bad-import.ts',
    text: "import { notStarted } from '../parent/worker-problems.ts';\nexport const planted = [notStarted];\n",
    rule: 'query-worker-child-imports-allowed-folders',
  },
  {
    path: 'packages/engine/src/planted-bad-import.ts',
    text: "import { apiOperations } from '@sluice/contract';\nexport const planted = [apiOperations];\n",
    rule: 'query-workers-load-no-schemas',
  },
  {
    path: 'packages/engine/src/trino/guard/planted-bad-import.ts',
    text: "import { trinoLiteral } from '../parameters/value-literal.ts';\nexport const planted = [trinoLiteral];\n",
    rule: 'one-writer-of-values',
  },
  {
    path: 'packages/client/src/planted-bad-import.ts',
    text: "import { apiOperations } from '@sluice/contract';\nexport const planted = [apiOperations];\n",
    rule: 'client-imports-types-of-the-contract',
  },
  {
    path: 'packages/client/src/queries/planted-bad-import.ts',
    text: "import { hash } from 'node:crypto';\nexport const planted = [hash];\n",
    rule: 'client-imports-node-in-its-folder',
  },
  {
    path: 'packages/cli/src/commands/api/planted-bad-import.ts',
    text: "import { search } from '../search/search.ts';\nexport const planted = [search];\n",
    rule: 'cli-commands-do-not-import-each-other',
  },
  {
    path: 'packages/cli/src/output/planted-bad-import.ts',
    text: "import { apiOperations } from '@sluice/contract';\nexport const planted = [apiOperations];\n",
    rule: 'cli-imports-types-of-the-contract',
  },
  {
    path: 'packages/cli/src/audit-log/planted-bad-import.ts',
    text: "import { createAuditSigner } from '@sluice/audit';\nexport const planted = [createAuditSigner];\n",
    rule: 'cli-imports-the-verifier-of-audit',
  },
  {
    path: 'packages/cli/src/commands/search/planted-bad-import.ts',
    text: "import { argv } from 'node:process';\nexport const planted = [argv];\n",
    rule: 'cli-process-only-in-main-terminal-and-credentials',
  },
  {
    path: 'services/embedded/tests/planted-bad-import.ts',
    text: "import { auditReader } from '../../api-host/tests/audit/audit-readers.ts';\nexport const planted = [auditReader];\n",
    rule: 'tests-import-no-tests-of-another-service',
  },
  {
    path: 'packages/console/src/theme/planted-bad-import.ts',
    text: "import { QueryPage } from '../pages/query-page.tsx';\nexport const planted = [QueryPage];\n",
    rule: 'console-theme-imports-allowed-folders',
  },
  {
    path: 'packages/console/src/pages/planted-bad-import.ts',
    text: "import { EditorState } from '@codemirror/state';\nexport const planted = [EditorState];\n",
    rule: 'codemirror-only-in-its-folder',
  },
  {
    path: 'packages/console/src/pages/planted-control.ts',
    text: "import { Button } from 'react-aria-components';\nexport const planted = [Button];\n",
    rule: 'react-aria-only-in-its-folder',
  },
  {
    path: 'packages/console/src/pages/planted-client.ts',
    text: "import { createClient } from '@sluice/client';\nexport const planted = [createClient];\n",
    rule: 'console-calls-the-client-in-four-folders',
  },
  {
    path: 'packages/console/src/downloads/planted-encoder.ts',
    text: "import { createFormat } from '@sluice/encoders';\nexport const planted = [createFormat];\n",
    rule: 'console-imports-the-text-formats-of-encoders',
  },
];
/** Global names that commands must not use. biome.json forbids them; `npm run lint` finds uses in the sources. */
const PLANTED_GLOBALS = {
  path: 'packages/cli/src/commands/api/planted-global.ts',
  text: "export const planted = () => [process.argv, console.log('')];\n",
  names: ['process', 'console'],
};
const PLANTED_EXPORT = 'packages/contract/src/planted-export.ts';
const PLANTED_FOLDER = 'packages/contract/src/planted-folder';
/** Misplaced files, with their text. */
const PLANTED_FILES = {
  'services/api-host/src/routes/catalog/planted-helper.ts': 'export const planted = 1;\n',
  'services/api-host/src/use-cases/planted-use-case.ts': 'export const planted = 1;\n',
  'services/api-host/src/commands/planted-command.ts':
    "import { createLogOut } from '../use-cases/identity/log-out.ts';\nexport const planted = [createLogOut];\n",
};

/** A page that uses a class of `ui`, and finds an element by its looks. */
const PLANTED_PAGE = 'packages/console/src/pages/planted-page.tsx';

function cruise(...paths) {
  const args = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...paths];
  const run = spawnSync(process.execPath, [...args, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (run.stdout === '') throw new Error(`dependency-cruiser printed nothing: ${run.stderr}`);
  return JSON.parse(run.stdout).summary;
}

function fail(sentence) {
  process.stderr.write(`boundaries: ${sentence}\n`);
  process.exitCode = 1;
}

function checkPlantedImports() {
  try {
    for (const { path, text } of PLANTED) writeFileSync(path, text);
    const { violations } = cruise(...PLANTED.map(({ path }) => path));
    for (const { path, rule } of PLANTED) {
      const found = violations.some(({ from, rule: { name } }) => from === path && name === rule);
      if (!found) fail(`${rule} did not report a planted import in ${path}`);
    }
  } finally {
    for (const { path } of PLANTED) rmSync(path, { force: true });
  }
}

function checkPlantedGlobals() {
  const { path, text, names } = PLANTED_GLOBALS;
  writeFileSync(path, text);
  try {
    const { stdout } = spawnSync('node_modules/.bin/biome', ['lint', '--reporter=json', path], { encoding: 'utf8' });
    const found = JSON.parse(stdout).diagnostics.filter(
      ({ category }) => category === 'lint/style/noRestrictedGlobals',
    );
    if (found.length !== names.length) fail(`the planted globals ${names.join(', ')} in ${path} were not reported`);
  } finally {
    rmSync(path);
  }
}

function checkPlantedFolder() {
  mkdirSync(PLANTED_FOLDER, { recursive: true });
  try {
    if (findUnknownFolders().length === 0) fail(`the planted folder ${PLANTED_FOLDER} was not reported`);
  } finally {
    rmSync(PLANTED_FOLDER, { recursive: true });
  }
}

function checkPlantedFiles() {
  const paths = Object.keys(PLANTED_FILES);
  try {
    for (const path of paths) writeFileSync(path, PLANTED_FILES[path]);
    const found = findMisplacedFiles();
    for (const path of paths)
      if (!found.some((sentence) => sentence.startsWith(path))) fail(`the planted file ${path} was not reported`);
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}

function checkPlantedExport() {
  writeFileSync(
    PLANTED_EXPORT,
    "export const planted = 1;\nexport { defineProblems } from './problems/problem-definition.ts';\n",
  );
  try {
    const found = findUnusedExports().filter((sentence) => sentence.startsWith(PLANTED_EXPORT));
    if (found.length !== 2) fail('a planted unused export or re-export was not reported');
  } finally {
    rmSync(PLANTED_EXPORT);
  }
}

function checkPlantedPage() {
  writeFileSync(
    PLANTED_PAGE,
    'export const planted = <b className="badge">{document.querySelector(".badge")?.id}</b>;\n',
  );
  try {
    const found = findForeignClasses().filter((sentence) => sentence.startsWith(PLANTED_PAGE));
    if (found.length !== 2) fail('a planted class of another folder, or a planted selector, was not reported');
  } finally {
    rmSync(PLANTED_PAGE);
  }
}

const summary = cruise('packages', 'services');
for (const { rule, from, to } of summary.violations) fail(`${rule.name}: ${from} imports ${to}`);
if (summary.totalDependenciesCruised < EDGES_MIN) {
  fail(`only ${summary.totalDependenciesCruised} imports were found, so most of the code was not read`);
}
for (const sentence of findUnknownFolders()) fail(sentence);
for (const sentence of findMisplacedFiles()) fail(sentence);
for (const sentence of findUnusedExports()) fail(sentence);
for (const sentence of findForeignClasses()) fail(sentence);
for (const file of findForceExit()) fail(`${file} makes Jest exit while handles are open`);
checkPlantedImports();
checkPlantedGlobals();
checkPlantedFolder();
checkPlantedFiles();
checkPlantedExport();
checkPlantedPage();

if (process.exitCode === undefined) {
  process.stdout.write(
    `boundaries: ${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports, no violation\n`,
  );
}
