import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createEvents, createLogger, createMetrics } from './index.ts';

describe('createEvents', () => {
  it('logs an error with the reason when a query ended because temporary files cannot be written', () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const log = createLogger({ service: 'sluice-stream', level: 'info', destination });
    const { queryEnded } = createEvents({ log, metrics: createMetrics('sluice-stream') });
    const end = { queryId: 'q', outcome: 'FAILED', format: 'xlsx', rows: 0, bytes: 0, durationMs: 1 } as const;
    const cause = new Error('ENOSPC: no space left on device, write');
    queryEnded({
      ...end,
      problem: 'STORAGE_UNAVAILABLE',
      err: new ProblemError('storage_unavailable', 'The disk is full.', { cause }),
    });
    queryEnded({ ...end, problem: 'INTERNAL', err: new ProblemError('internal', 'The engine failed.') });
    expect(lines.filter(({ event }) => event !== 'query_ended')).toMatchObject([
      {
        event: 'temporary_folder_failed',
        level: 'error',
        err: { message: 'The disk is full.', cause: { message: cause.message } },
      },
    ]);
  });
});
