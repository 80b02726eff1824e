import { z } from 'zod';

export const healthBody = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'draining'])
      .describe('`degraded`: a back end is down, and restarting this process would not help'),
    service: z.string(),
  })
  .meta({ id: 'Health' });

export const readinessBody = z
  .object({
    status: z.enum(['ready', 'not_ready', 'draining']),
    service: z.string(),
    checks: z.record(z.string(), z.enum(['ok', 'down'])),
  })
  .meta({ id: 'Readiness' });
