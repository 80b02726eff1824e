/** Every command with its arguments and options. Scripts use them: a change here is a change for users, and belongs into CHANGELOG.md. */
export const COMMAND_TREE: readonly string[] = ['whoami', 'query <sql>'];
