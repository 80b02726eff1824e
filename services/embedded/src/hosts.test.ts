import { expect, it } from '@jest/globals';
import { VARIABLES } from '../../../packages/cli/src/environment.ts';
import { withoutOwnSettings } from './hosts.ts';

it('passes no variable of the command line to the hosts, which would warn about it', () => {
  const names = Object.keys(VARIABLES).filter((name) => name.startsWith('SLUICE_'));
  expect(names.length).toBeGreaterThan(5);
  const exported = Object.fromEntries(names.map((name) => [name, 'x']));
  expect(withoutOwnSettings({ ...exported, SLUICE_PROT: '1', QUERY_HISTORY: '1d' })).toEqual({
    SLUICE_PROT: '1',
    QUERY_HISTORY: '1d',
  });
});
