// Made by build/theme-tokens.ts.
declare module 'virtual:tokens.css';

// Made by build/message-chunks.ts.
declare module 'virtual:messages' {
  type Language = import('./i18n/catalog.ts').Language;
  type MessagePart = import('./i18n/message-parts.ts').MessagePart;
  type Messages = Partial<import('./i18n/catalog.ts').Catalog>;

  /** Functions that load the messages of a part in a language. */
  const loaders: Readonly<
    Record<Language, Readonly<Record<MessagePart, () => Promise<{ readonly default: Messages }>>>>
  >;
  export default loaders;
}
