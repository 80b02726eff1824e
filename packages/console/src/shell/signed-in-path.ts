/** Path of the page that a login in another tab ends on. */
export const SIGNED_IN_PATH = '/signed-in';
