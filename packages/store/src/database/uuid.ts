const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a string is a uuid. PostgreSQL rejects a malformed uuid with an error; here it is an id that does not exist. */
export const isUuid = (text: string): boolean => UUID.test(text);
