import { describe, expect, it } from '@jest/globals';
import { createEvents, createLogger, createMetrics } from './index.ts';

describe('createEvents', () => {
  it('logs an error with the reason when a query ended because temporary files cannot be written', () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const log = createLogger({ service: 'sluice-stream', level: 'info', destination });
    const { queryEnded } = createEvents({ log, metrics: createMetrics('sluice-stream') });
    const end = { queryId: 'q', outcome: 'FAILED', format: 'xlsx', rows: 0, bytes: 0, durationMs: 1 } as const;
    queryEnded({ ...end, problem: 'STORAGE_UNAVAILABLE', err: new Error('ENOSPC: no space left on device, write') });
    queryEnded({ ...end, problem: 'INTERNAL', err: new Error('x') });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        event: 'temporary_folder_failed',
        err: expect.objectContaining({ message: expect.stringContaining('ENOSPC') }),
      }),
    ]);
  });
});
