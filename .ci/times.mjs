import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('./times.json', import.meta.url);

/** Returns the measured seconds and seconds of processor time of each test file, by the name of its set in suites.mjs and its path. */
export const readTimes = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Replaces the times of the files that ran in times.json. Files that no longer exist are removed. */
export function writeTimes(results) {
  const times = readTimes();
  for (const { project, file, seconds, processorSeconds } of results.flatMap((result) => result.files)) {
    if (project === undefined) continue;
    times[project] = { ...times[project], [file]: [round(seconds), round(processorSeconds)] };
  }
  const sorted = Object.entries(times)
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
