import { apiOperations, callerOf, type UserRecord } from '@sluice/contract';
import { entityTag, json, noContent, type Route, route } from '@sluice/http';
import type { StoredUser } from '@sluice/store/administration';
import type { UseCases } from '../../context/use-cases.ts';
import { targetOf } from '../../resources/target.ts';

type UserUseCases = Pick<
  UseCases,
  'findUsers' | 'findUser' | 'createUser' | 'updateUser' | 'resetPassword' | 'linkIdentity' | 'removeUser'
>;

const presentUser = ({ version: _version, ...user }: StoredUser): UserRecord => user;
const etag = ({ version }: StoredUser) => ({ etag: entityTag(version) });

/** Everything below /admin/users */
export const userRoutes = (useCases: UserUseCases): Route[] => [
  route(apiOperations.listUsers, async (request) => {
    const { total, users } = await useCases.findUsers(callerOf(request), request.query);
    return json(200, { total, data: users.map(presentUser) });
  }),
  route(apiOperations.createUser, async (request) => {
    const { email, roles = [], password } = request.body;
    const input = { email, roles, password, baseUrl: request.baseUrl };
    const { user, invitation } = await useCases.createUser(callerOf(request), input);
    return json(201, { ...presentUser(user), invitation }, { ...etag(user), location: `/admin/users/${user.id}` });
  }),
  route(apiOperations.getUser, async (request) => {
    const user = await useCases.findUser(callerOf(request), request.params.id);
    return json(200, presentUser(user), etag(user));
  }),
  route(apiOperations.updateUser, async (request) => {
    const input = { target: targetOf(request), change: request.body };
    const user = await useCases.updateUser(callerOf(request), input);
    return json(200, presentUser(user), etag(user));
  }),
  route(apiOperations.resetPassword, async (request) => {
    const { body, baseUrl } = request;
    const input = { target: targetOf(request), password: body.password, baseUrl };
    const { user, invitation } = await useCases.resetPassword(callerOf(request), input);
    return json(200, { ...presentUser(user), invitation }, etag(user));
  }),
  route(apiOperations.linkIdentity, async (request) => {
    const input = { userId: request.params.id, subject: request.body.subject };
    const user = await useCases.linkIdentity(callerOf(request), input);
    return json(200, presentUser(user), etag(user));
  }),
  route(apiOperations.deleteUser, async (request) => {
    await useCases.removeUser(callerOf(request), targetOf(request));
    return noContent();
  }),
];
