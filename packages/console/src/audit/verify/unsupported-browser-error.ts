/** The browser cannot verify Ed25519: it is too old, or the page did not come over https. */
export class UnsupportedBrowserError extends Error {}
