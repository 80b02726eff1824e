/** Stands for parts of the client that the console does not call, so that no page loads them: it saves files by tickets, and reads pages of rows itself. */
const unused = (): never => {
  throw new Error('The console does not have this part of the client.');
};

export { unused as createKeptResult, unused as download };
