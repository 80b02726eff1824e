import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SUITES } from './suites.mjs';

const FILE = new URL('./times.json', import.meta.url);

/** Returns the measured seconds and seconds of processor time of each test file, by the name of its set in suites.mjs and its path. */
export const readTimes = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Replaces the times of the sets that ran in times.json. Sets that no longer exist are removed, and so are files. */
export function writeTimes(results) {
  const times = readTimes();
  const measured = {};
  for (const { project, file, seconds, processorSeconds } of results.flatMap((result) => result.files)) {
    if (project === undefined) continue;
    measured[project] ??= {};
    measured[project][file] = [round(seconds), round(processorSeconds)];
  }
  const names = new Set(SUITES.flatMap(({ tests = [] }) => tests.map(({ name }) => name)));
  const sorted = Object.entries({ ...times, ...measured })
    .filter(([project]) => names.has(project))
    .map(([project, files]) => [
      project,
      Object.fromEntries(
        Object.entries(files)
          .filter(([file]) => existsSync(file))
          .sort(),
      ),
    ])
    .sort();
  writeFileSync(
    FILE,
    `${JSON.stringify(Object.fromEntries(sorted), undefined, 2).replaceAll(/\[\s+([\d.]+),\s+([\d.]+)\s+\]/g, '[$1, $2]')}\n`,
  );
}

const round = (seconds) => Math.round(seconds * 10) / 10;
