/** Every command with its arguments and options. Scripts use them: a change here is a change for users, and belongs into CHANGELOG.md. */
export const COMMAND_TREE: readonly string[] = [
  'whoami',
  'query <sql>',
  'search <words...> --type= --limit=',
  'catalog list [scope] --prefix= --limit=',
  'catalog show <table>',
  'datamap list --sort= --limit=',
  'datamap search <words...> --limit=',
  'datamap show <id>',
  'history --state= --kind= --since= --until= --contains= --limit=',
  'history show <id>',
  'api <method> <path> --host= --data=|-d --header=|-H --query=|-q --include|-i',
  'completion <shell>',
];
