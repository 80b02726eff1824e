import { type ProblemError, SIGN_IN_SENTENCES, type SignInSentence, writeSentence } from '@sluice/contract';
import type { PageLanguage } from '@sluice/http';

type OtherLanguage = Exclude<PageLanguage, 'en'>;

/** The sentences of the contract in the other languages of the pages. */
const SENTENCES: Readonly<Record<OtherLanguage, Readonly<Record<SignInSentence, string>>>> = {
  de: {
    wrong_password: 'E-Mail oder Passwort ist falsch.',
    too_many_failures: 'Zu viele Fehlversuche. Versuchen Sie es in {seconds} s noch einmal.',
    too_many_logins: 'Es werden gerade zu viele Anmeldungen geprüft. Versuchen Sie es gleich noch einmal.',
    too_many_passwords: 'Es werden gerade zu viele Passwörter geprüft. Versuchen Sie es gleich noch einmal.',
    account_disabled: 'Dieses Konto ist gesperrt. Fragen Sie einen Administrator des Mandanten.',
    account_cannot_log_in: 'Dieses Konto kann sich nicht anmelden. Fragen Sie einen Administrator des Mandanten.',
    provider_unavailable:
      'Der Identitätsanbieter ist nicht erreichbar oder hat ungültig geantwortet. Versuchen Sie es gleich noch einmal.',
    provider_misconfigured:
      'Der Identitätsanbieter weist diesen Dienst ab ({error}). Ein Administrator des Mandanten muss Client-ID oder Geheimnis berichtigen.',
    provider_rejected: 'Der Identitätsanbieter hat die Anmeldung abgelehnt ({error}).',
    provider_rejected_code: 'Der Identitätsanbieter hat die Anmeldung abgelehnt ({error}). Melden Sie sich neu an.',
    provider_not_verified:
      'Die Antwort des Identitätsanbieters hat die Prüfung nicht bestanden. Melden Sie sich neu an.',
    provider_subject_invalid: 'Der Identitätsanbieter hat eine ungültige Kennung (`sub`) gesendet.',
    login_unknown:
      'Diese Anmeldung ist unbekannt, schon benutzt, älter als zehn Minuten oder aus einem anderen Browser. Beginnen Sie neu unter {path}.',
    link_unknown:
      'Dieses Formular ist unbekannt, schon benutzt, älter als zehn Minuten oder aus einem anderen Browser. Beginnen Sie neu unter {path}.',
    test_login_unknown:
      'Diese Test-Anmeldung ist unbekannt, schon benutzt oder älter als zehn Minuten. Beginnen Sie eine neue in der Verwaltung des Mandanten.',
    email_missing: 'Der Identitätsanbieter hat in der Angabe {claim} keine E-Mail gesendet.',
    email_not_verified: 'Der Identitätsanbieter meldet, dass die E-Mail nicht bestätigt ist.',
    email_domain_not_allowed:
      'Die E-Mail-Domain {domain} ist in diesem Mandanten nicht erlaubt. Bitten Sie den Betreiber, sie zu erlauben.',
    email_of_other_account:
      'Diese E-Mail hat hier ein Konto, und der Identitätsanbieter meldet sie nicht als bestätigt (email_verified). Fragen Sie einen Administrator des Mandanten.',
    user_unknown:
      'In {tenant} gibt es keinen Benutzer {email}. Bitten Sie einen Administrator des Mandanten, ihn anzulegen.',
    user_being_created: 'Eine andere Anfrage legt diesen Benutzer gerade an. Melden Sie sich neu an.',
    account_of_other_identity:
      'Dieses Konto ist mit einer anderen Person des Identitätsanbieters verbunden. Fragen Sie einen Administrator des Mandanten.',
    no_admin_left:
      'Mit den Gruppen, die der Identitätsanbieter gesendet hat, hätte der Mandant keinen Administrator mehr. Lassen Sie sich in die Gruppe seiner Administratoren aufnehmen.',
    link_needs_password:
      '{email} verwaltet diesen Mandanten: Die Verbindung mit dem Identitätsanbieter muss mit dem Passwort von hier bestätigt werden, oder von einem anderen Administrator ({operation} mit dem Subject {subject}).',
    invitation_unknown: 'Diese Einladung ist unbekannt, schon benutzt oder abgelaufen. Bitten Sie um eine neue.',
    user_exists:
      'Einen Benutzer mit dieser E-Mail gibt es schon. Melden Sie sich an, oder nehmen Sie eine andere E-Mail.',
    email_required: 'Geben Sie Ihre E-Mail ein: Die Einladung hat keine.',
    email_not_invited: 'Das ist nicht die eingeladene E-Mail.',
    program_unknown:
      'Ein Programm {client} gibt es hier nicht. Prüfen Sie die Adresse, oder aktualisieren Sie das Programm, das sie geöffnet hat.',
    program_document_invalid: 'Das Dokument unter {client} beschreibt kein Programm, das sich anmelden kann: {reason}.',
    program_document_unavailable:
      'Das Dokument unter {client}, das das Programm beschreibt, ließ sich nicht lesen. Versuchen Sie es später noch einmal.',
    program_request_refused:
      'Das Programm {client} hat eine Anfrage gesendet, die abgewiesen wird ({error}). Kein Administrator hat es eingetragen, daher wurde nichts dorthin gesendet.',
    login_needed: 'Das Programm {client} will keine Seite zeigen lassen, aber Sie sind nicht angemeldet.',
    redirect_uri_unknown:
      'Das Programm {client} will die Antwort an eine Adresse, die nicht dafür eingetragen ist. Dorthin wurde nichts gesendet.',
    request_too_long: 'Die Anfrage des Programms {client} ist zu lang. Es muss einen kürzeren „state“ senden.',
    user_code_unknown:
      'Dieser Code ist falsch, benutzt oder älter als zehn Minuten. Prüfen Sie ihn, oder beginnen Sie am Gerät neu.',
    external_login_over:
      'Diese Anmeldung ist falsch, schon entschieden oder älter als fünf Minuten. Verbinden Sie Ihr Programm neu; es beginnt dann eine neue.',
  },
  fr: {
    wrong_password: 'L’adresse e-mail ou le mot de passe est incorrect.',
    too_many_failures: 'Trop de tentatives échouées. Réessayez dans {seconds} s.',
    too_many_logins: 'Trop de connexions sont en cours de vérification. Réessayez dans un instant.',
    too_many_passwords: 'Trop de mots de passe sont en cours de vérification. Réessayez dans un instant.',
    account_disabled: 'Ce compte est désactivé. Adressez-vous à un administrateur du locataire.',
    account_cannot_log_in: 'Ce compte ne peut pas se connecter. Adressez-vous à un administrateur du locataire.',
    provider_unavailable:
      'Le fournisseur d’identité est indisponible ou a renvoyé une réponse non valide. Réessayez dans un instant.',
    provider_misconfigured:
      'Le fournisseur d’identité refuse ce service ({error}). Un administrateur du locataire doit corriger son identifiant client ou son secret.',
    provider_rejected: 'Le fournisseur d’identité a refusé la connexion ({error}).',
    provider_rejected_code: 'Le fournisseur d’identité a refusé la connexion ({error}). Reconnectez-vous.',
    provider_not_verified: 'La réponse du fournisseur d’identité n’a pas passé la vérification. Reconnectez-vous.',
    provider_subject_invalid: 'Le fournisseur d’identité a envoyé un identifiant (`sub`) non valide.',
    login_unknown:
      'Cette connexion est inconnue, déjà utilisée, date de plus de dix minutes ou provient d’un autre navigateur. Recommencez à {path}.',
    link_unknown:
      'Ce formulaire est inconnu, déjà utilisé, date de plus de dix minutes ou provient d’un autre navigateur. Recommencez à {path}.',
    test_login_unknown:
      'Cette connexion de test est inconnue, déjà utilisée ou date de plus de dix minutes. Recommencez-en une dans l’administration du locataire.',
    email_missing: 'Le fournisseur d’identité n’a envoyé aucune adresse e-mail dans la déclaration {claim}.',
    email_not_verified: 'Le fournisseur d’identité indique que l’adresse e-mail n’est pas vérifiée.',
    email_domain_not_allowed:
      'Le domaine {domain} n’est pas autorisé dans ce locataire. Demandez à l’opérateur de l’autoriser.',
    email_of_other_account:
      'Cette adresse e-mail a déjà un compte ici, et le fournisseur d’identité ne la déclare pas vérifiée (email_verified). Adressez-vous à un administrateur du locataire.',
    user_unknown:
      'Il n’y a pas d’utilisateur {email} dans {tenant}. Demandez à un administrateur du locataire de le créer.',
    user_being_created: 'Une autre requête crée cet utilisateur. Reconnectez-vous.',
    account_of_other_identity:
      'Ce compte est associé à une autre identité du fournisseur. Adressez-vous à un administrateur du locataire.',
    no_admin_left:
      'Avec les groupes envoyés par le fournisseur d’identité, le locataire n’aurait plus d’administrateur. Demandez à être ajouté au groupe de ses administrateurs.',
    link_needs_password:
      '{email} administre ce locataire : son association au fournisseur d’identité doit être confirmée avec son mot de passe d’ici, ou par un autre administrateur ({operation} avec le sujet {subject}).',
    invitation_unknown: 'Cette invitation est inconnue, déjà utilisée ou expirée. Demandez-en une nouvelle.',
    user_exists:
      'Il existe déjà un utilisateur avec cette adresse e-mail. Connectez-vous ou utilisez une autre adresse.',
    email_required: 'Saisissez votre adresse e-mail : l’invitation n’en a pas.',
    email_not_invited: 'Ce n’est pas l’adresse e-mail invitée.',
    program_unknown:
      'Il n’y a pas de programme {client} ici. Vérifiez l’adresse ou mettez à jour le programme qui l’a ouverte.',
    program_document_invalid: 'Le document {client} ne décrit pas un programme qui peut se connecter : {reason}.',
    program_document_unavailable:
      'Le document {client}, qui décrit le programme, n’a pas pu être lu. Réessayez plus tard.',
    program_request_refused:
      'Le programme {client} a envoyé une demande qui est refusée ({error}). Aucun administrateur ne l’a enregistré : rien ne lui a été envoyé.',
    login_needed: 'Le programme {client} ne veut afficher aucune page, mais vous n’êtes pas connecté.',
    redirect_uri_unknown:
      'Le programme {client} demande la réponse à une adresse qui n’est pas enregistrée pour lui. Rien n’y a été envoyé.',
    request_too_long: 'La requête du programme {client} est trop longue. Il doit envoyer un « state » plus court.',
    user_code_unknown:
      'Ce code est incorrect, déjà utilisé ou date de plus de dix minutes. Vérifiez-le ou recommencez sur l’appareil.',
    external_login_over:
      'Cette connexion est incorrecte, déjà décidée ou date de plus de cinq minutes. Reconnectez votre programme : il en commence une nouvelle.',
  },
  es: {
    wrong_password: 'El correo electrónico o la contraseña no son correctos.',
    too_many_failures: 'Demasiados intentos fallidos. Inténtelo de nuevo en {seconds} s.',
    too_many_logins: 'Se están comprobando demasiados inicios de sesión. Inténtelo de nuevo en un momento.',
    too_many_passwords: 'Se están comprobando demasiadas contraseñas. Inténtelo de nuevo en un momento.',
    account_disabled: 'Esta cuenta está desactivada. Consulte a un administrador del inquilino.',
    account_cannot_log_in: 'Esta cuenta no puede iniciar sesión. Consulte a un administrador del inquilino.',
    provider_unavailable:
      'El proveedor de identidad no está disponible o ha devuelto una respuesta no válida. Inténtelo de nuevo en un momento.',
    provider_misconfigured:
      'El proveedor de identidad rechaza este servicio ({error}). Un administrador del inquilino debe corregir el id de cliente o el secreto.',
    provider_rejected: 'El proveedor de identidad ha rechazado el inicio de sesión ({error}).',
    provider_rejected_code:
      'El proveedor de identidad ha rechazado el inicio de sesión ({error}). Inicie sesión de nuevo.',
    provider_not_verified:
      'La respuesta del proveedor de identidad no ha superado la verificación. Inicie sesión de nuevo.',
    provider_subject_invalid: 'El proveedor de identidad ha enviado un identificador (`sub`) no válido.',
    login_unknown:
      'Este inicio de sesión es desconocido, ya se ha usado, tiene más de diez minutos o es de otro navegador. Empiece de nuevo en {path}.',
    link_unknown:
      'Este formulario es desconocido, ya se ha usado, tiene más de diez minutos o es de otro navegador. Empiece de nuevo en {path}.',
    test_login_unknown:
      'Este inicio de sesión de prueba es desconocido, ya se ha usado o tiene más de diez minutos. Empiece otro en la administración del inquilino.',
    email_missing: 'El proveedor de identidad no ha enviado ningún correo electrónico en el dato {claim}.',
    email_not_verified: 'El proveedor de identidad indica que el correo electrónico no está verificado.',
    email_domain_not_allowed:
      'El dominio {domain} no está permitido en este inquilino. Pida al operador que lo permita.',
    email_of_other_account:
      'Este correo electrónico ya tiene una cuenta aquí, y el proveedor de identidad no lo da por verificado (email_verified). Consulte a un administrador del inquilino.',
    user_unknown: 'No hay ningún usuario {email} en {tenant}. Pida a un administrador del inquilino que lo cree.',
    user_being_created: 'Otra solicitud está creando este usuario. Inicie sesión de nuevo.',
    account_of_other_identity:
      'Esta cuenta está vinculada a otra identidad del proveedor. Consulte a un administrador del inquilino.',
    no_admin_left:
      'Con los grupos que ha enviado el proveedor de identidad, el inquilino se quedaría sin administrador. Pida que le añadan al grupo de sus administradores.',
    link_needs_password:
      '{email} administra este inquilino: su vínculo con el proveedor de identidad debe confirmarse con su contraseña de aquí, o por otro administrador ({operation} con el sujeto {subject}).',
    invitation_unknown: 'Esta invitación es desconocida, ya se ha usado o ha caducado. Pida una nueva.',
    user_exists: 'Ya existe un usuario con este correo electrónico. Inicie sesión o use otro correo electrónico.',
    email_required: 'Introduzca su correo electrónico: la invitación no tiene ninguno.',
    email_not_invited: 'No es el correo electrónico invitado.',
    program_unknown:
      'Aquí no hay ningún programa {client}. Compruebe la dirección o actualice el programa que la ha abierto.',
    program_document_invalid: 'El documento {client} no describe un programa que pueda iniciar sesión: {reason}.',
    program_document_unavailable:
      'No se ha podido leer el documento {client}, que describe el programa. Inténtelo de nuevo más tarde.',
    program_request_refused:
      'El programa {client} ha enviado una solicitud que se rechaza ({error}). Ningún administrador lo ha registrado, así que no se le ha enviado nada.',
    login_needed: 'El programa {client} no quiere que se muestre ninguna página, pero usted no ha iniciado sesión.',
    redirect_uri_unknown:
      'El programa {client} pide la respuesta en una dirección que no está registrada para él. No se ha enviado nada allí.',
    request_too_long: 'La solicitud del programa {client} es demasiado larga. Debe enviar un «state» más corto.',
    user_code_unknown:
      'Este código es incorrecto, ya se ha usado o tiene más de diez minutos. Compruébelo o empiece de nuevo en el dispositivo.',
    external_login_over:
      'Este inicio de sesión es incorrecto, ya está decidido o tiene más de cinco minutos. Vuelva a conectar su programa: empezará otro.',
  },
};

interface OtherSentences {
  readonly internal: string;
  readonly notFound: string;
  readonly unavailable: string;
  readonly rejected: string;
}

/** Sentences for errors that have none of their own in the languages of the pages. */
const OTHER_SENTENCES: Readonly<Record<OtherLanguage, OtherSentences>> = {
  de: {
    internal: 'Ein interner Fehler ist aufgetreten. Nennen Sie dem Betreiber die ID der Anfrage.',
    notFound: 'Diese Adresse gibt es hier nicht.',
    unavailable: 'Der Dienst ist im Moment nicht verfügbar. Versuchen Sie es gleich noch einmal.',
    rejected: 'Diese Anfrage wurde abgelehnt. Beginnen Sie neu.',
  },
  fr: {
    internal: 'Une erreur interne s’est produite. Donnez à l’opérateur l’ID de la requête.',
    notFound: 'Cette adresse n’existe pas ici.',
    unavailable: 'Le service est indisponible pour le moment. Réessayez dans un instant.',
    rejected: 'Cette requête a été refusée. Recommencez.',
  },
  es: {
    internal: 'Se ha producido un error interno. Indique al operador el ID de la solicitud.',
    notFound: 'Esta dirección no existe aquí.',
    unavailable: 'El servicio no está disponible en este momento. Inténtelo de nuevo en un momento.',
    rejected: 'Esta solicitud ha sido rechazada. Empiece de nuevo.',
  },
};

/**
 * Returns the sentence of an error in the language of the page. An error without a sentence for people, such as one of an outage, has a
 * general one in the other languages.
 */
export function problemSentence(problem: ProblemError, language: PageLanguage): string {
  const { message, sentence } = problem;
  const sentences = language === 'en' ? SIGN_IN_SENTENCES : SENTENCES[language];
  if (sentence !== undefined) return writeSentence(sentences[sentence.name], sentence.values);
  return language === 'en' ? message : OTHER_SENTENCES[language][kindOf(problem)];
}

function kindOf({ code, status }: ProblemError): keyof OtherSentences {
  if (code === 'internal') return 'internal';
  if (code === 'not_found') return 'notFound';
  return status >= 500 || code === 'too_many_requests' ? 'unavailable' : 'rejected';
}
