/** Checks that `npm start` rejects versions of Node.js that are too old, with one sentence: `node .ci/node-versions.mjs [--report FILE]`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installNode } from '../deploy/components/node.mjs';

const TOO_OLD = ['18.20.8', '20.18.3'];
const REJECTION = /^Sluice needs Node 20\.19 or newer; this is v[\d.]+\. Install Node 24 and run it again\.\n$/;

const { values } = parseArgs({ options: { report: { type: 'string' } } });

const failures = TOO_OLD.flatMap((version) => {
  const { status, stderr } = spawnSync(installNode(version), ['deploy/local/prepare.mjs'], { encoding: 'utf8' });
  return status === 1 && REJECTION.test(stderr) ? [] : [`Node ${version} exits with ${status} and prints: ${stderr}`];
});

for (const failure of failures) process.stderr.write(`${failure}\n`);
const counts = { passed: TOO_OLD.length - failures.length, failed: failures.length, failures };
process.stdout.write(`Node versions: ${counts.passed} passed, ${counts.failed} failed\n`);
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
