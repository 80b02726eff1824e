import type { MailLanguage } from '@sluice/contract';

/** Facts of a mail, each on one line. `until` is the end of the grant and `time` that of the login, in the language of the mail. */
interface MailFacts {
  readonly item: string;
  readonly tenant: string;
  readonly requester: string;
  readonly decidedBy: string;
  readonly until: string;
  /** Browser or program of a login; empty if it has no known name. */
  readonly device: string;
  readonly address: string;
  readonly time: string;
}

type Sentence = (facts: MailFacts) => string;

/** Subject, text and label of the link of a kind of mail, and why the recipient gets it. */
interface MailText {
  readonly subject: Sentence;
  readonly body: Sentence;
  readonly link: string;
  readonly why: string;
}

/** Forms of a mail. An approval is with or without an end. */
export type MailForm = 'requested' | 'approved' | 'approvedUntil' | 'refused' | 'ending' | 'newDevice';

type MailMessages = Readonly<Record<MailForm, MailText>> & {
  /** Label of the link to the settings. */
  readonly settings: string;
};

/** Texts of mails. No text contains what users wrote as a reason: it may hold data. */
export const MAIL_MESSAGES: Readonly<Record<MailLanguage, MailMessages>> = {
  en: {
    requested: {
      subject: ({ requester, item }) => `${requester} requests access to ${item}`,
      body: ({ requester, item, tenant }) =>
        `${requester} requests access to “${item}” in the marketplace of ${tenant}. The reason is in the console.`,
      link: 'Decide the request',
      why: 'You get this mail because you decide requests for this item.',
    },
    approved: {
      subject: ({ item }) => `You have access to ${item}`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} approved your request for access to “${item}” in the marketplace of ${tenant}. Your access has no end.`,
      link: 'Open the item',
      why: 'You get this mail because you requested access.',
    },
    approvedUntil: {
      subject: ({ item }) => `You have access to ${item}`,
      body: ({ decidedBy, item, tenant, until }) =>
        `${decidedBy} approved your request for access to “${item}” in the marketplace of ${tenant}. Your access ends on ${until}.`,
      link: 'Open the item',
      why: 'You get this mail because you requested access.',
    },
    refused: {
      subject: ({ item }) => `Your request for access to ${item} was refused`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} refused your request for access to “${item}” in the marketplace of ${tenant}. If there is a note about it, it is in the console.`,
      link: 'Show your requests',
      why: 'You get this mail because you requested access.',
    },
    ending: {
      subject: ({ item }) => `Your access to ${item} ends soon`,
      body: ({ item, tenant, until }) =>
        `Your access to “${item}” in the marketplace of ${tenant} ends on ${until}. If you still need it then, request it again.`,
      link: 'Open the item',
      why: 'You get this mail because you have access to this item.',
    },
    newDevice: {
      subject: ({ tenant }) => `New sign-in to your account in ${tenant}`,
      body: ({ tenant, device, address, time }) =>
        `Somebody signed in to your account in ${tenant} with a browser or program that you have not used before: ${device || 'of an unknown kind'}, from the address ${address}, on ${time}. If it was you, you need not do anything. If not, end that session, change your password, and tell your administrator.`,
      link: 'Show your sessions',
      why: 'You get this mail because the account is yours.',
    },
    settings: 'Choose which mails you get',
  },
  de: {
    requested: {
      subject: ({ requester, item }) => `${requester} beantragt Zugriff auf ${item}`,
      body: ({ requester, item, tenant }) =>
        `${requester} beantragt Zugriff auf „${item}“ im Marktplatz von ${tenant}. Die Begründung steht in der Konsole.`,
      link: 'Über die Anfrage entscheiden',
      why: 'Sie erhalten diese E-Mail, weil Sie über Anfragen zu diesem Angebot entscheiden.',
    },
    approved: {
      subject: ({ item }) => `Sie haben Zugriff auf ${item}`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} hat Ihre Anfrage zu „${item}“ im Marktplatz von ${tenant} genehmigt. Ihr Zugriff ist unbefristet.`,
      link: 'Angebot öffnen',
      why: 'Sie erhalten diese E-Mail, weil Sie den Zugriff beantragt haben.',
    },
    approvedUntil: {
      subject: ({ item }) => `Sie haben Zugriff auf ${item}`,
      body: ({ decidedBy, item, tenant, until }) =>
        `${decidedBy} hat Ihre Anfrage zu „${item}“ im Marktplatz von ${tenant} genehmigt. Ihr Zugriff endet am ${until}.`,
      link: 'Angebot öffnen',
      why: 'Sie erhalten diese E-Mail, weil Sie den Zugriff beantragt haben.',
    },
    refused: {
      subject: ({ item }) => `Ihre Anfrage zu ${item} wurde abgelehnt`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} hat Ihre Anfrage zu „${item}“ im Marktplatz von ${tenant} abgelehnt. Eine Bemerkung dazu steht gegebenenfalls in der Konsole.`,
      link: 'Ihre Anfragen anzeigen',
      why: 'Sie erhalten diese E-Mail, weil Sie den Zugriff beantragt haben.',
    },
    ending: {
      subject: ({ item }) => `Ihr Zugriff auf ${item} endet bald`,
      body: ({ item, tenant, until }) =>
        `Ihr Zugriff auf „${item}“ im Marktplatz von ${tenant} endet am ${until}. Wenn Sie ihn danach noch brauchen, beantragen Sie ihn erneut.`,
      link: 'Angebot öffnen',
      why: 'Sie erhalten diese E-Mail, weil Sie Zugriff auf dieses Angebot haben.',
    },
    newDevice: {
      subject: ({ tenant }) => `Neue Anmeldung bei Ihrem Konto in ${tenant}`,
      body: ({ tenant, device, address, time }) =>
        `Jemand hat sich bei Ihrem Konto in ${tenant} mit einem Browser oder Programm angemeldet, das Sie bisher nicht benutzt haben: ${device || 'unbekannter Art'}, von der Adresse ${address}, am ${time}. Wenn Sie es waren, müssen Sie nichts tun. Wenn nicht, beenden Sie diese Sitzung, ändern Sie Ihr Passwort, und informieren Sie Ihre Administration.`,
      link: 'Ihre Sitzungen anzeigen',
      why: 'Sie erhalten diese E-Mail, weil das Konto Ihnen gehört.',
    },
    settings: 'Auswählen, welche E-Mails Sie erhalten',
  },
  fr: {
    requested: {
      subject: ({ requester, item }) => `${requester} demande l’accès à ${item}`,
      body: ({ requester, item, tenant }) =>
        `${requester} demande l’accès à « ${item} » sur la place de marché de ${tenant}. Le motif se trouve dans la console.`,
      link: 'Traiter la demande',
      why: 'Vous recevez cet e-mail parce que vous décidez des demandes concernant cette offre.',
    },
    approved: {
      subject: ({ item }) => `Vous avez accès à ${item}`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} a accepté votre demande d’accès à « ${item} » sur la place de marché de ${tenant}. Votre accès est sans limite de durée.`,
      link: 'Ouvrir l’offre',
      why: 'Vous recevez cet e-mail parce que vous avez demandé l’accès.',
    },
    approvedUntil: {
      subject: ({ item }) => `Vous avez accès à ${item}`,
      body: ({ decidedBy, item, tenant, until }) =>
        `${decidedBy} a accepté votre demande d’accès à « ${item} » sur la place de marché de ${tenant}. Votre accès prend fin le ${until}.`,
      link: 'Ouvrir l’offre',
      why: 'Vous recevez cet e-mail parce que vous avez demandé l’accès.',
    },
    refused: {
      subject: ({ item }) => `Votre demande d’accès à ${item} a été refusée`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} a refusé votre demande d’accès à « ${item} » sur la place de marché de ${tenant}. Une éventuelle remarque se trouve dans la console.`,
      link: 'Afficher vos demandes',
      why: 'Vous recevez cet e-mail parce que vous avez demandé l’accès.',
    },
    ending: {
      subject: ({ item }) => `Votre accès à ${item} prend bientôt fin`,
      body: ({ item, tenant, until }) =>
        `Votre accès à « ${item} » sur la place de marché de ${tenant} prend fin le ${until}. Si vous en avez encore besoin, demandez-le à nouveau.`,
      link: 'Ouvrir l’offre',
      why: 'Vous recevez cet e-mail parce que vous avez accès à cette offre.',
    },
    newDevice: {
      subject: ({ tenant }) => `Nouvelle connexion à votre compte dans ${tenant}`,
      body: ({ tenant, device, address, time }) =>
        `Quelqu’un s’est connecté à votre compte dans ${tenant} avec un navigateur ou un programme que vous n’aviez pas encore utilisé : ${device || 'de type inconnu'}, depuis l’adresse ${address}, le ${time}. Si c’était vous, vous n’avez rien à faire. Sinon, mettez fin à cette session, changez votre mot de passe et prévenez votre administrateur.`,
      link: 'Afficher vos sessions',
      why: 'Vous recevez cet e-mail parce que ce compte est le vôtre.',
    },
    settings: 'Choisir les e-mails que vous recevez',
  },
  es: {
    requested: {
      subject: ({ requester, item }) => `${requester} solicita acceso a ${item}`,
      body: ({ requester, item, tenant }) =>
        `${requester} solicita acceso a «${item}» en el mercado de ${tenant}. El motivo está en la consola.`,
      link: 'Decidir la solicitud',
      why: 'Recibe este correo porque usted decide las solicitudes de este artículo.',
    },
    approved: {
      subject: ({ item }) => `Tiene acceso a ${item}`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} aprobó su solicitud de acceso a «${item}» en el mercado de ${tenant}. Su acceso no caduca.`,
      link: 'Abrir el artículo',
      why: 'Recibe este correo porque solicitó el acceso.',
    },
    approvedUntil: {
      subject: ({ item }) => `Tiene acceso a ${item}`,
      body: ({ decidedBy, item, tenant, until }) =>
        `${decidedBy} aprobó su solicitud de acceso a «${item}» en el mercado de ${tenant}. Su acceso termina el ${until}.`,
      link: 'Abrir el artículo',
      why: 'Recibe este correo porque solicitó el acceso.',
    },
    refused: {
      subject: ({ item }) => `Su solicitud de acceso a ${item} fue rechazada`,
      body: ({ decidedBy, item, tenant }) =>
        `${decidedBy} rechazó su solicitud de acceso a «${item}» en el mercado de ${tenant}. Si hay una nota al respecto, está en la consola.`,
      link: 'Ver sus solicitudes',
      why: 'Recibe este correo porque solicitó el acceso.',
    },
    ending: {
      subject: ({ item }) => `Su acceso a ${item} termina pronto`,
      body: ({ item, tenant, until }) =>
        `Su acceso a «${item}» en el mercado de ${tenant} termina el ${until}. Si lo necesita después, solicítelo de nuevo.`,
      link: 'Abrir el artículo',
      why: 'Recibe este correo porque tiene acceso a este artículo.',
    },
    newDevice: {
      subject: ({ tenant }) => `Nuevo inicio de sesión en su cuenta de ${tenant}`,
      body: ({ tenant, device, address, time }) =>
        `Alguien inició sesión en su cuenta de ${tenant} con un navegador o programa que usted no había usado antes: ${device || 'de tipo desconocido'}, desde la dirección ${address}, el ${time}. Si fue usted, no tiene que hacer nada. Si no, termine esa sesión, cambie su contraseña y avise a su administrador.`,
      link: 'Ver sus sesiones',
      why: 'Recibe este correo porque la cuenta es suya.',
    },
    settings: 'Elegir qué correos recibe',
  },
};
