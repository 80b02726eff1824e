/** Returns the nonce with which style elements of a script pass the content security policy. */
export const nonceOfPage = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
