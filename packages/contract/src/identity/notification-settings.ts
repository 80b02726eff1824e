import { z } from 'zod';
import { defineOperations, FOR_OWN_ACCOUNT, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';

/** Languages of mails. */
export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

const wanted = (name: string) => z.boolean({ error: `${name} must be true or false` });

const settingFields = {
  language: z.enum(MAIL_LANGUAGES, { error: `language must be one of ${MAIL_LANGUAGES.join(', ')}` }),
  access_requests: wanted('access_requests').describe('Requests for access that you are to decide'),
  access_decisions: wanted('access_decisions').describe('Decisions on your requests'),
  grant_endings: wanted('grant_endings').describe('Grants of yours that end within seven days'),
};

const newDevices = wanted('new_devices').describe(
  'Logins of yours from a browser or program that you have not used before',
);

const notificationSettingsBody = z
  .strictObject({ ...settingFields, new_devices: newDevices.optional().describe('Absent: true') })
  .meta({ id: 'NotificationSettingsRequest' });

const notificationSettings = z
  .object({
    ...settingFields,
    new_devices: newDevices,
    email: z.string().describe('Address to which the mails go'),
    is_mail_configured: z.boolean().describe('False: this installation sends no mails'),
  })
  .meta({ id: 'NotificationSettings' });
export type NotificationSettings = z.infer<typeof notificationSettings>;
export type StoredNotificationSettings = Omit<NotificationSettings, 'email' | 'is_mail_configured'>;

const settings = jsonResponse('Settings', notificationSettings);

/** Mails that the caller wants. */
export const notificationOperations = defineOperations('identity', FOR_OWN_ACCOUNT, {
  getNotificationSettings: {
    endpoint: 'GET /me/notifications',
    summary: 'Get which mails the caller gets, and in which language. Not for service accounts',
    responses: { 200: settings },
    problems: ['conflict'],
  },
  putNotificationSettings: {
    endpoint: 'PUT /me/notifications',
    summary: 'Set which mails the caller gets, and in which language. Not for service accounts',
    body: jsonBody(notificationSettingsBody),
    responses: { 200: settings },
    problems: ['conflict', 'audit_unavailable'],
  },
});
