import type { Finding } from './report.ts';
import type { EventLoopDelay } from './sluice-process.ts';

export interface ScenarioDelay extends EventLoopDelay {
  readonly scenario: string;
}

/** Returns the event-loop delay of the process with both hosts, in the scenario with the longest delay. */
export function worstEventLoopDelay(delays: readonly ScenarioDelay[]): Finding {
  const [worst] = delays.toSorted((one, other) => other.p99Ms - one.p99Ms);
  return {
    name: 'event-loop delay of the host, all scenarios',
    measured: worst?.p99Ms ?? 0,
    unit: 'ms',
    floor: 50,
    goal: 15,
    better: 'lower',
    detail: delays
      .map(({ scenario, p99Ms, maxMs }) => `${scenario}: p99 ${p99Ms.toFixed(1)}, longest ${maxMs.toFixed(1)}`)
      .join('; '),
  };
}
