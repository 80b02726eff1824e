import { z } from 'zod';
import { hasAtMost } from '../fields/text-field.ts';

const PATH_CHARACTERS_MAX = 4_096;

export const ticketBody = z
  .strictObject({
    method: z.enum(['GET', 'POST'], { error: 'method must be GET or POST' }),
    path: z
      .string({ error: 'path is required and must be a string' })
      .min(1, 'path must not be empty')
      .refine((path) => path.isWellFormed(), 'path must be well-formed Unicode')
      .refine(
        (path) => hasAtMost(path, PATH_CHARACTERS_MAX),
        `path must have at most ${PATH_CHARACTERS_MAX} characters`,
      )
      .meta({ maxLength: PATH_CHARACTERS_MAX })
      .describe('Path and query of a download operation of this host, such as /query/download/csv'),
    body: z.unknown().optional().describe('JSON body of that operation, if it has one'),
  })
  .meta({ id: 'TicketRequest' });
export type TicketRequest = z.infer<typeof ticketBody>;

export const createdTicket = z
  .object({
    url: z.string().describe('Path of the ticket on this host. It is a secret: any client that has it can use it once'),
    query_id: z.string().describe('Id that the download will have, for `GET /query/{id}`'),
    expires_in: z.int().min(1).describe('Seconds until the ticket expires'),
  })
  .meta({ id: 'Ticket' });
export type CreatedTicket = z.infer<typeof createdTicket>;

export const ticketParams = z.strictObject({ id: z.string() });
