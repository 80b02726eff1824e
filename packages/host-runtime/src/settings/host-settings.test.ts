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
