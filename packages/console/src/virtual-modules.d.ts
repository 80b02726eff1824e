// Made by build/theme-tokens.ts.
declare module 'virtual:tokens.css';

// Made by build/message-chunks.ts.
declare module 'virtual:messages' {
  import type { Catalog, Language } from './i18n/catalog.ts';
  import type { MessagePart } from './i18n/message-parts.ts';

  /** Functions that load the messages of a part in a language. */
  const loaders: Readonly<
    Record<Language, Readonly<Record<MessagePart, () => Promise<{ readonly default: Partial<Catalog> }>>>>
  >;
  export default loaders;
}
