import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { readTimes } from '../../../.ci/times.mjs';
import { sharesHost } from './host-sharing-tests.mjs';

/** A file that takes this long, in seconds, must not be the last one. */
const LONG_SECONDS = 3;

/**
 * Runs the files that take longest first, so that none of them runs alone at the end, by the times that `.ci/times.json` has of each. Jest
 * orders files by their duration in the previous run, which a fresh clone does not know.
 */
export default class LongestFirst extends TestSequencer {
  #times = readTimes();

  sort(tests) {
    return super.sort(tests).toSorted((one, other) => this.#positionOf(one) - this.#positionOf(other));
  }

  /** Long files, then those that share a host one after another, then all others. */
  #positionOf({ path, context }) {
    const { rootDir, displayName } = context.config;
    const [seconds = 0] = this.#times[displayName?.name]?.[relative(rootDir, path)] ?? [];
    if (seconds >= LONG_SECONDS && !sharesHost(path)) return -seconds;
    return sharesHost(path) ? 0 : 1;
  }
}
