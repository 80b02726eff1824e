import { readFileSync } from 'node:fs';

/** How many tests of a report of Jest's passed and failed; one that is not there counts as a failure: the tests did not run. */
export function testCounts(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
