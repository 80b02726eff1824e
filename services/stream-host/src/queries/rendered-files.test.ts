import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { until } from '@sluice/testkit';
import { type RenderedFile, type RenderedFileName, RenderedFiles, type RenderFile } from './rendered-files.ts';

const TENANTS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
const QUERY = '33333333-3333-4333-8333-333333333333';
const forever = new AbortController().signal;

const nameOf = (variant: string, tenant: 0 | 1 = 0): RenderedFileName => ({
  tenantId: TENANTS[tenant],
  queryId: QUERY,
  variant,
});

/** Counts its renderings of this many bytes. */
function counted(bytes: number): { readonly render: RenderFile; count: number } {
  const counter = {
    count: 0,
    render: async (append: Parameters<RenderFile>[0]) => {
      counter.count += 1;
      for (let left = bytes; left > 0; left -= 100) await append(Buffer.alloc(Math.min(100, left), 'x'));
    },
  };
  return counter;
}

async function contentOf(file: RenderedFile): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read(0, file.bytes)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

describe('rendered files', () => {
  it('are made once for all requests, at the same time and later', async () => {
    await using files = new RenderedFiles({ bytesMax: 10_000 });
    const source = counted(250);
    const opened = await Promise.all([1, 2, 3].map(() => files.open(nameOf('a'), source.render, forever)));
    for (const file of opened) expect(await contentOf(file)).toBe('x'.repeat(250));
    for (const file of opened) await file[Symbol.asyncDispose]();
    await using later = await files.open(nameOf('a'), source.render, forever);
    expect([later.bytes, source.count]).toEqual([250, 1]);
    await using _other = await files.open(nameOf('a', 1), source.render, forever);
    await using _variant = await files.open(nameOf('b'), source.render, forever);
    expect(source.count).toBe(3);
  });

  it('are made again after a failure, which every request that waits gets', async () => {
    await using files = new RenderedFiles({ bytesMax: 10_000 });
    const failing: RenderFile = async (append) => {
      await append(Buffer.from('part'));
      throw new ProblemError('engine_crashed', 'It crashed.');
    };
    const both = [files.open(nameOf('a'), failing, forever), files.open(nameOf('a'), failing, forever)];
    for (const each of both) await expect(each).rejects.toMatchObject({ code: 'engine_crashed' });
    await using file = await files.open(nameOf('a'), counted(5).render, forever);
    expect(await contentOf(file)).toBe('xxxxx');
  });

  it('are made on for a while without a request that waits, so that a client can try again', async () => {
    await using files = new RenderedFiles({ bytesMax: 10_000 });
    const seen: { finish?: () => void; count: number } = { count: 0 };
    const slow: RenderFile = async (append) => {
      seen.count += 1;
      await new Promise<void>((resolve) => {
        seen.finish = resolve;
      });
      await append(Buffer.from('x'));
    };
    const leaving = new AbortController();
    const left = files.open(nameOf('a'), slow, leaving.signal);
    left.catch(() => undefined);
    const finish = await until(async () => seen.finish, { what: 'the start' });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const again = files.open(nameOf('a'), slow, forever);
    finish();
    await using file = await again;
    expect([file.bytes, seen.count]).toEqual([1, 1]);
  });

  it('stop being made when no request waits any more, and only then', async () => {
    await using files = new RenderedFiles({ bytesMax: 10_000, lingerMs: 0 });
    const seen: { signal?: AbortSignal } = {};
    const endless: RenderFile = (_append, signal) =>
      new Promise((_, reject) => {
        seen.signal = signal;
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [first, second].map(({ signal }) => files.open(nameOf('a'), endless, signal));
    for (const each of waiting) each.catch(() => undefined);
    await until(async () => seen.signal, { what: 'the start' });
    first.abort(new Error('first left'));
    await expect(waiting[0]).rejects.toThrow('first left');
    expect(seen.signal?.aborted).toBe(false);
    second.abort(new Error('second left'));
    await expect(waiting[1]).rejects.toThrow('second left');
    await until(async () => (seen.signal?.aborted === true ? true : undefined), { what: 'the stop' });
    await using file = await files.open(nameOf('a'), counted(1).render, forever);
    expect(file.bytes).toBe(1);
  });

  it('make room for others when they are not used, the oldest first', async () => {
    await using files = new RenderedFiles({ bytesMax: 2_000 });
    const source = counted(400);
    const use = async (variant: string) =>
      (await files.open(nameOf(variant), source.render, forever))[Symbol.asyncDispose]();
    await use('a');
    await use('b');
    await use('a');
    await use('c'); // one tenant has at most 1,000 bytes, so b goes
    expect(source.count).toBe(3);
    await use('a');
    expect(source.count).toBe(3);
    await use('b');
    expect(source.count).toBe(4);
  });

  it('leave half of the space to other tenants, and refuse a file that is larger', async () => {
    await using files = new RenderedFiles({ bytesMax: 2_000 });
    await expect(files.open(nameOf('large'), counted(1_001).render, forever)).rejects.toMatchObject({
      code: 'resource_limit',
    });
    await using _first = await files.open(nameOf('a'), counted(900).render, forever);
    await expect(files.open(nameOf('b'), counted(200).render, forever)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await using other = await files.open(nameOf('b', 1), counted(1_000).render, forever);
    expect(other.bytes).toBe(1_000);
  });

  it('are limited in number', async () => {
    await using files = new RenderedFiles({ bytesMax: 2_000, filesMax: 4 });
    const opened = [];
    for (const variant of ['a', 'b']) opened.push(await files.open(nameOf(variant), counted(1).render, forever));
    await expect(files.open(nameOf('c'), counted(1).render, forever)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await opened[0]?.[Symbol.asyncDispose]();
    await using _third = await files.open(nameOf('c'), counted(1).render, forever);
    await opened[1]?.[Symbol.asyncDispose]();
  });

  it('are removed when they were not used for a while', async () => {
    await using files = new RenderedFiles({ bytesMax: 2_000 });
    const source = counted(10);
    await using used = await files.open(nameOf('used'), source.render, forever);
    await (await files.open(nameOf('unused'), source.render, forever))[Symbol.asyncDispose]();
    await files.removeIdle(60_000);
    await (await files.open(nameOf('unused'), source.render, forever))[Symbol.asyncDispose]();
    expect(source.count).toBe(2);
    await files.removeIdle(-1);
    expect(await contentOf(used)).toBe('x'.repeat(10));
    await (await files.open(nameOf('unused'), source.render, forever))[Symbol.asyncDispose]();
    expect(source.count).toBe(3);
  });
});
