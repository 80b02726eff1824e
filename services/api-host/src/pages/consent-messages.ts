import type { PageLanguage } from '@sluice/http';

interface ConsentMessages {
  readonly letIn: (client: string) => string;
  readonly asks: (client: string, tenant: string, email: string) => string;
  readonly everything: string;
  readonly limited: string;
  readonly nothing: string;
  /** Meaning of the scope `openid`. */
  readonly identity: string;
  /** Warning about a program that only a document at this host describes. */
  readonly unregistered: (host: string) => string;
  readonly goesTo: (address: string) => string;
  readonly onThisComputer: string;
  readonly warning: string;
  readonly allow: string;
  readonly deny: string;
  readonly otherAccount: string;
  readonly loginFinished: string;
  readonly closeWindow: string;
  readonly deviceTitle: (tenant: string) => string;
  readonly enterCode: string;
  readonly code: string;
  readonly goOn: string;
  readonly compare: string;
  readonly from: (address: string) => string;
  /** Name that a program gives itself. */
  readonly callsItself: (name: string) => string;
  /** Time of the request, in UTC. */
  readonly askedAt: (time: string) => string;
  readonly browserAt: (address: string) => string;
  readonly deviceWarning: string;
  readonly deviceAllowed: (client: string) => string;
  readonly goBack: string;
  readonly goBackToProgram: string;
  readonly deviceDenied: (client: string) => string;
}

/** Messages of the pages on which a user lets a program or a device log in. */
export const CONSENT_MESSAGES: Readonly<Record<PageLanguage, ConsentMessages>> = {
  en: {
    letIn: (client) => `Let ${client} log in?`,
    asks: (client, tenant, email) => `${client} asks to work in ${tenant} as ${email}.`,
    everything: 'It may then do everything that you may do:',
    limited: 'It may then do only this:',
    nothing: 'You have no permission that it asks for, so it can do almost nothing.',
    identity: 'Learn your e-mail and when you signed in',
    unregistered: (host) =>
      `No administrator of your organization knows this program. ${host} describes it, and anyone can choose its name. Allow it only if you trust ${host}.`,
    goesTo: (address) => `The login goes to ${address}.`,
    onThisComputer: 'The login goes to a program on this computer.',
    warning: 'Allow this only if you have just started the program yourself.',
    allow: 'Allow',
    deny: 'Do not allow',
    otherAccount: 'Sign in as somebody else',
    loginFinished: 'Logged in',
    closeWindow: 'The program on your computer has logged in. You can close this window.',
    deviceTitle: (tenant) => `Log a device in to ${tenant}`,
    enterCode: 'Enter the code that the device shows.',
    code: 'Code',
    goOn: 'Continue',
    compare: 'Does your device show this code?',
    from: (address) => `The request came from the address ${address}.`,
    callsItself: (name) => `The program calls itself “${name}”.`,
    askedAt: (time) => `It asked at ${time} (UTC).`,
    browserAt: (address) => `Your browser has another address, ${address}.`,
    deviceWarning:
      'Allow this only if you started it yourself. Someone who sent you a link or read you a code wants to use your account.',
    deviceAllowed: (client) => `${client} may log in.`,
    goBack: 'Go back to the device. You can close this window.',
    goBackToProgram: 'Go back to the program. You can close this window.',
    deviceDenied: (client) => `${client} may not log in. You can close this window.`,
  },
  de: {
    letIn: (client) => `${client} anmelden?`,
    asks: (client, tenant, email) => `${client} möchte in ${tenant} als ${email} arbeiten.`,
    everything: 'Es darf dann alles, was Sie dürfen:',
    limited: 'Es darf dann nur dies:',
    nothing: 'Sie haben keines der gewünschten Rechte, daher darf es fast nichts.',
    identity: 'Ihre E-Mail-Adresse und die Zeit Ihrer Anmeldung erfahren',
    unregistered: (host) =>
      `Kein Administrator Ihrer Organisation kennt dieses Programm. ${host} beschreibt es, und seinen Namen kann jeder wählen. Erlauben Sie es nur, wenn Sie ${host} vertrauen.`,
    goesTo: (address) => `Die Anmeldung geht an ${address}.`,
    onThisComputer: 'Die Anmeldung geht an ein Programm auf diesem Computer.',
    warning: 'Erlauben Sie das nur, wenn Sie das Programm gerade selbst gestartet haben.',
    allow: 'Erlauben',
    deny: 'Nicht erlauben',
    otherAccount: 'Mit einem anderen Konto anmelden',
    loginFinished: 'Angemeldet',
    closeWindow: 'Das Programm auf Ihrem Computer ist angemeldet. Sie können dieses Fenster schließen.',
    deviceTitle: (tenant) => `Ein Gerät bei ${tenant} anmelden`,
    enterCode: 'Geben Sie den Code ein, den das Gerät zeigt.',
    code: 'Code',
    goOn: 'Weiter',
    compare: 'Zeigt Ihr Gerät diesen Code?',
    from: (address) => `Die Anfrage kam von der Adresse ${address}.`,
    callsItself: (name) => `Das Programm nennt sich „${name}“.`,
    askedAt: (time) => `Es hat um ${time} (UTC) gefragt.`,
    browserAt: (address) => `Ihr Browser hat eine andere Adresse, ${address}.`,
    deviceWarning:
      'Erlauben Sie das nur, wenn Sie es selbst begonnen haben. Wer Ihnen einen Link oder einen Code geschickt hat, will Ihr Konto benutzen.',
    deviceAllowed: (client) => `${client} darf sich anmelden.`,
    goBack: 'Gehen Sie zurück zum Gerät. Sie können dieses Fenster schließen.',
    goBackToProgram: 'Gehen Sie zurück zum Programm. Sie können dieses Fenster schließen.',
    deviceDenied: (client) => `${client} darf sich nicht anmelden. Sie können dieses Fenster schließen.`,
  },
  fr: {
    letIn: (client) => `Autoriser la connexion de ${client} ?`,
    asks: (client, tenant, email) => `${client} demande à travailler dans ${tenant} en tant que ${email}.`,
    everything: 'Il pourra faire tout ce que vous pouvez faire :',
    limited: 'Il pourra seulement :',
    nothing: 'Vous n’avez aucun des droits demandés : il ne pourra presque rien faire.',
    identity: 'Connaître votre e-mail et l’heure de votre connexion',
    unregistered: (host) =>
      `Aucun administrateur de votre organisation ne connaît ce programme. ${host} le décrit, et n’importe qui peut choisir son nom. N’autorisez que si vous faites confiance à ${host}.`,
    goesTo: (address) => `La connexion est transmise à ${address}.`,
    onThisComputer: 'La connexion est transmise à un programme sur cet ordinateur.',
    warning: 'N’autorisez que si vous venez de lancer le programme vous-même.',
    allow: 'Autoriser',
    deny: 'Ne pas autoriser',
    otherAccount: 'Se connecter avec un autre compte',
    loginFinished: 'Connecté',
    closeWindow: 'Le programme sur votre ordinateur est connecté. Vous pouvez fermer cette fenêtre.',
    deviceTitle: (tenant) => `Connecter un appareil à ${tenant}`,
    enterCode: 'Saisissez le code affiché par l’appareil.',
    code: 'Code',
    goOn: 'Continuer',
    compare: 'Votre appareil affiche-t-il ce code ?',
    from: (address) => `La demande vient de l’adresse ${address}.`,
    callsItself: (name) => `Le programme se nomme « ${name} ».`,
    askedAt: (time) => `Il a demandé à ${time} (UTC).`,
    browserAt: (address) => `Votre navigateur a une autre adresse, ${address}.`,
    deviceWarning:
      'N’autorisez que si vous l’avez demandé vous-même. Une personne qui vous a envoyé un lien ou un code veut utiliser votre compte.',
    deviceAllowed: (client) => `${client} peut se connecter.`,
    goBack: 'Revenez à l’appareil. Vous pouvez fermer cette fenêtre.',
    goBackToProgram: 'Revenez au programme. Vous pouvez fermer cette fenêtre.',
    deviceDenied: (client) => `${client} ne peut pas se connecter. Vous pouvez fermer cette fenêtre.`,
  },
  es: {
    letIn: (client) => `¿Permitir que ${client} inicie sesión?`,
    asks: (client, tenant, email) => `${client} pide trabajar en ${tenant} como ${email}.`,
    everything: 'Podrá hacer todo lo que usted puede hacer:',
    limited: 'Solo podrá hacer esto:',
    nothing: 'Usted no tiene ninguno de los permisos que pide, así que casi no podrá hacer nada.',
    identity: 'Conocer su correo electrónico y la hora de su inicio de sesión',
    unregistered: (host) =>
      `Ningún administrador de su organización conoce este programa. Lo describe ${host}, y cualquiera puede elegir su nombre. Permítalo solo si confía en ${host}.`,
    goesTo: (address) => `El inicio de sesión va a ${address}.`,
    onThisComputer: 'El inicio de sesión va a un programa de este ordenador.',
    warning: 'Permítalo solo si acaba de iniciar el programa usted mismo.',
    allow: 'Permitir',
    deny: 'No permitir',
    otherAccount: 'Iniciar sesión con otra cuenta',
    loginFinished: 'Sesión iniciada',
    closeWindow: 'El programa de su ordenador ha iniciado sesión. Puede cerrar esta ventana.',
    deviceTitle: (tenant) => `Iniciar sesión en ${tenant} con un dispositivo`,
    enterCode: 'Introduzca el código que muestra el dispositivo.',
    code: 'Código',
    goOn: 'Continuar',
    compare: '¿Muestra su dispositivo este código?',
    from: (address) => `La solicitud viene de la dirección ${address}.`,
    callsItself: (name) => `El programa se llama «${name}».`,
    askedAt: (time) => `Preguntó a las ${time} (UTC).`,
    browserAt: (address) => `Su navegador tiene otra dirección, ${address}.`,
    deviceWarning:
      'Permítalo solo si lo ha empezado usted mismo. Quien le haya enviado un enlace o un código quiere usar su cuenta.',
    deviceAllowed: (client) => `${client} puede iniciar sesión.`,
    goBack: 'Vuelva al dispositivo. Puede cerrar esta ventana.',
    goBackToProgram: 'Vuelva al programa. Puede cerrar esta ventana.',
    deviceDenied: (client) => `${client} no puede iniciar sesión. Puede cerrar esta ventana.`,
  },
};
