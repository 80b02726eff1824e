/** Version of this release, in OpenAPI and in the page of the console. */
export const VERSION = '0.1.0';
