import { expect, it } from '@jest/globals';
import { releaseAfterRead } from './release-after-read.ts';

async function* body(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  yield Buffer.from('b');
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  throw new Error('failed');
}

const slot = () => {
  let released = 0;
  const disposable = {
    [Symbol.dispose]() {
      released += 1;
    },
  };
  return { disposable, released: () => released };
};

const readAll = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
};

it('releases the slot after the last chunk', async () => {
  const { disposable, released } = slot();
  expect(await readAll(releaseAfterRead(body(), disposable))).toBe('ab');
  expect(released()).toBe(1);
});

it('releases the slot when the reader stops early', async () => {
  const { disposable, released } = slot();
  for await (const _chunk of releaseAfterRead(body(), disposable)) break;
  expect(released()).toBe(1);
});

it('releases the slot when the body fails', async () => {
  const { disposable, released } = slot();
  await expect(readAll(releaseAfterRead(failing(), disposable))).rejects.toThrow('failed');
  expect(released()).toBe(1);
});
