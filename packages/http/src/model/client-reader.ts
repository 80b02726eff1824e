/** Progress of a client that reads the body of a response. */
export interface ClientReader {
  /** Bytes that the kernel has accepted for the connection so far. Only differences are meaningful. */
  readonly takenBytes: number;
  /** The response has buffered data that the client has not read. */
  readonly isBehind: boolean;
}
