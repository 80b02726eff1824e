/** Version of the command line, which is that of the hosts it was released with. */
export const VERSION = '0.1.0';
