import { expect, it } from '@jest/globals';
import { readSettings } from '@sluice/config';
import { hostSettings } from './host-settings.ts';

it('SSE_HEARTBEAT_INTERVAL accepts its former name KEEP_ALIVE with a warning', () => {
  const { sseHeartbeatMs } = hostSettings;
  expect(readSettings({ sseHeartbeatMs }, {}).settings.sseHeartbeatMs).toBe(15_000);
  const { settings, warnings } = readSettings({ sseHeartbeatMs }, { KEEP_ALIVE: '2s' });
  expect(settings.sseHeartbeatMs).toBe(2_000);
  expect(warnings).toEqual(['KEEP_ALIVE was renamed to SSE_HEARTBEAT_INTERVAL; the former name still works.']);
});

it('HOST_SILENCE is 20 s by default, and its bounds are one sentence', () => {
  const { hostSilenceMs } = hostSettings;
  expect(readSettings({ hostSilenceMs }, {}).settings.hostSilenceMs).toBe(20_000);
  for (const value of ['4s', '11m'])
    expect(() => readSettings({ hostSilenceMs }, { HOST_SILENCE: value })).toThrow(
      /HOST_SILENCE must be a duration such as `30s`, at least 5s, at most 10m /,
    );
});
