const SELECTOR_CHARACTERS = 8;

/**
 * Returns the beginning of a client secret, which is stored beside its hash to choose one hash to compare: an account with five secrets costs no
 * more hashing than one with two. The other 35 characters have 208 random bits.
 */
export const secretSelectorOf = (secret: string): string => secret.slice(0, SELECTOR_CHARACTERS);
