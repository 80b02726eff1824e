const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** PostgreSQL refuses a malformed uuid with an error; here it is simply an id that nothing has. */
export const isUuid = (text: string): boolean => UUID.test(text);
