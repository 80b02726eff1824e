import type { MailLanguage } from '@sluice/contract';

/** Facts of a mail, each on one line. `until` is the end of the grant in the language of the mail. */
interface MailFacts {
  readonly item: string;
  readonly tenant: string;
  readonly requester: string;
  readonly decidedBy: string;
  readonly until: string;
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
export type MailForm = 'requested' | 'approved' | 'approvedUntil' | 'refused' | 'ending';

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
    settings: 'Elegir qué correos recibe',
  },
};
