import type { Command } from './command.ts';
import { api } from './commands/api/api.ts';
import { login } from './commands/auth/login.ts';
import { logout } from './commands/auth/logout.ts';
import { whoami } from './commands/auth/whoami.ts';
import { catalogList } from './commands/catalog/list.ts';
import { catalogShow } from './commands/catalog/show.ts';
import { completion } from './commands/completion/completion.ts';
import { datamapList } from './commands/datamap/list.ts';
import { datamapSearch } from './commands/datamap/search.ts';
import { datamapShow } from './commands/datamap/show.ts';
import { doctor } from './commands/doctor/doctor.ts';
import { download } from './commands/download/download.ts';
import { verify } from './commands/download/verify.ts';
import { help } from './commands/help/help.ts';
import { history } from './commands/history/history.ts';
import { historyShow } from './commands/history/show.ts';
import { marketDownload } from './commands/market/download.ts';
import { marketList } from './commands/market/list.ts';
import { marketRequest } from './commands/market/request.ts';
import { marketShow } from './commands/market/show.ts';
import { profileList } from './commands/profile/list.ts';
import { profileRemove } from './commands/profile/remove.ts';
import { profileUse } from './commands/profile/use.ts';
import { query } from './commands/query/query.ts';
import { search } from './commands/search/search.ts';
import { tenantCreate } from './commands/tenant/create.ts';
import { tenantInvite } from './commands/tenant/invite.ts';
import { tenantList } from './commands/tenant/list.ts';
import { tenantRemove } from './commands/tenant/remove.ts';
import { tenantResume } from './commands/tenant/resume.ts';
import { tenantShow } from './commands/tenant/show.ts';
import { tenantSuspend } from './commands/tenant/suspend.ts';

/** Every command, in the order of help and docs/cli.md. */
export const COMMANDS: readonly Command[] = [
  login,
  logout,
  whoami,
  profileList,
  profileUse,
  profileRemove,
  query,
  download,
  verify,
  marketList,
  marketShow,
  marketRequest,
  marketDownload,
  search,
  catalogList,
  catalogShow,
  datamapList,
  datamapSearch,
  datamapShow,
  history,
  historyShow,
  api,
  completion,
  tenantList,
  tenantShow,
  tenantCreate,
  tenantInvite,
  tenantSuspend,
  tenantResume,
  tenantRemove,
  doctor,
  help,
];
