import { describe, expect, it } from '@jest/globals';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import { createAnnounceWaitingQueries } from './announce-waiting-queries.ts';

interface Update {
  readonly added: readonly { readonly queryId: string }[];
  readonly removed: readonly string[];
}
type Cancelled = readonly { readonly queryId: string; readonly byAdmin: boolean }[];

function fixture() {
  const waiting = new WaitingQueries();
  const running = new RunningQueries();
  const updates: object[] = [];
  const ended: string[] = [];
  let outcome: Cancelled | Error = [];
  const announce = createAnnounceWaitingQueries({
    hostId: 'h',
    waiting,
    running,
    waitingQueries: {
      update: async ({ added, removed }: Update) => {
        updates.push({ added: added.map(({ queryId }) => queryId), removed });
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    } as never,
  });
  const add = (queryId: string, waitedMs: number): void =>
    waiting.add({
      queryId,
      tenantId: 't',
      sinceMs: Date.now() - waitedMs,
      cancel: ({ message }: Error) => void ended.push(`${queryId}: ${message}`),
    } as never);
  const setOutcome = (next: Cancelled | Error): void => {
    outcome = next;
  };
  return { waiting, running, updates, ended, announce, add, setOutcome };
}

describe('waiting queries', () => {
  it('are announced once, after a while, and removed when they wait no more', async () => {
    const { waiting, updates, announce, add } = fixture();
    add('short', 0);
    await announce();
    expect(updates).toEqual([]);
    add('long', 10_000);
    await announce();
    await announce();
    waiting.remove('long');
    await announce();
    await announce();
    expect(updates).toEqual([
      { added: ['long'], removed: [] },
      { added: [], removed: [] },
      { added: [], removed: ['long'] },
    ]);
  });

  it('whose announcement was not confirmed are announced again, and removed in any case', async () => {
    const { waiting, updates, announce, add, setOutcome } = fixture();
    add('q', 10_000);
    setOutcome(new Error('down'));
    await expect(announce()).rejects.toThrow('down');
    await expect(announce()).rejects.toThrow('down');
    waiting.remove('q');
    setOutcome([]);
    await announce();
    expect(updates).toEqual([
      { added: ['q'], removed: [] },
      { added: ['q'], removed: [] },
      { added: [], removed: ['q'] },
    ]);
  });

  it('that another host cancelled end, also if they run meanwhile', async () => {
    const { running, ended, announce, add, setOutcome } = fixture();
    add('a', 10_000);
    add('b', 10_000);
    running.add({ queryId: 'b', stop: ({ message }) => void ended.push(`running b: ${message}`) } as RunningQuery);
    setOutcome([
      { queryId: 'a', byAdmin: false },
      { queryId: 'b', byAdmin: true },
    ]);
    await announce();
    expect(ended).toEqual([
      'a: The query was cancelled by its caller.',
      'b: The query was cancelled by an admin of its tenant.',
      'running b: The query was cancelled by an admin of its tenant.',
    ]);
  });
});
