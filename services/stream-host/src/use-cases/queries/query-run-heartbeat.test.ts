import { describe, expect, it } from '@jest/globals';
import { COLUMNS, createRun, END, eventTypes, readBody, rows } from '../../../tests/queries/query-run-fixture.ts';

describe('a stream without events', () => {
  /** A source that is silent until it is released. */
  const silence = () => {
    let release = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      release = resolve;
    });
    return { wait, release: () => release() };
  };

  it('sends heartbeats, and then the events', async () => {
    const { wait, release } = silence();
    const { run } = createRun({ format: 'sse', sseHeartbeatMs: 1, steps: [COLUMNS, wait, END] });
    const seen: string[] = [];
    for await (const chunk of run.eventBody()) {
      seen.push(...eventTypes(Buffer.from(chunk).toString()));
      if (seen.filter((type) => type === 'heartbeat').length === 2) release();
    }
    expect(seen.slice(0, 3)).toEqual(['metadata', 'heartbeat', 'heartbeat']);
    expect(seen.at(-1)).toBe('complete');
  });

  it('sends none in the middle of a row', async () => {
    const first = silence();
    const { run } = createRun({
      format: 'sse',
      sseHeartbeatMs: 1,
      steps: [COLUMNS, rows('data: {"type":"row","data":{"n":"a', 0), first.wait, rows('b"}}\n\n'), END],
    });
    setTimeout(first.release, 30);
    const { text } = await readBody(run.eventBody());
    expect(text).toContain('data: {"type":"row","data":{"n":"ab"}}\n\n');
  });

  it('shows the progress that the engine reports instead, if the client wants it', async () => {
    const { wait, release } = silence();
    const made = createRun({ format: 'sse', progress: 'shown', sseHeartbeatMs: 1, steps: [COLUMNS, wait, END] });
    let text = '';
    for await (const chunk of made.run.eventBody()) {
      made.progress({ isQueued: false, splitsDone: 3, splitsTotal: 4 });
      text += Buffer.from(chunk).toString();
      if (text.includes('"splits_done":3,"splits_total":4')) release();
    }
    expect(new Set(eventTypes(text))).toEqual(new Set(['metadata', 'progress', 'complete']));
    expect(text).toMatch(/"type":"complete","query_id":"q","rows":0,"elapsed_ms":\d+,"limited":false/);
  });
});
