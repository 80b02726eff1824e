import type { TrinoProfile } from '../src/trino/protocol/profile.ts';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import { FakeTrino, type FakeTrinoOptions } from './fake-trino.ts';
import { type ReadOptions, readResult, type TextResult } from './read-result.ts';

/** Short limits, for tests of timeouts. */
const LIMITS = { answerTimeoutMs: 5_000, retryForMs: 1_500 } as const;

/** A fake Trino and an engine on it. */
export class FakeTrinoEngine implements AsyncDisposable {
  readonly fake: FakeTrino;
  readonly engine: TrinoEngine;

  private constructor(fake: FakeTrino, engine: TrinoEngine) {
    this.fake = fake;
    this.engine = engine;
  }

  static async start(
    options: FakeTrinoOptions,
    profile: Partial<TrinoProfile> = {},
    engineOptions: ConstructorParameters<typeof TrinoEngine>[1] = {},
  ): Promise<FakeTrinoEngine> {
    const fake = await FakeTrino.start(options);
    const ownProfile = {
      baseUrl: fake.url,
      catalogs: ['shop'],
      defaultCatalog: 'shop',
      defaultSchema: 'main',
      credentials: { kind: 'none' },
      ...profile,
      limits: { ...LIMITS, ...profile.limits },
    } as const;
    const engine = new TrinoEngine(ownProfile, engineOptions);
    return new FakeTrinoEngine(fake, engine);
  }

  read(options: Partial<ReadOptions> & { readonly sql?: string } = {}): Promise<TextResult> {
    return readResult(this.engine, options.sql ?? 'SELECT 1', { format: { name: 'json' }, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
    await this.fake[Symbol.asyncDispose]();
  }
}
