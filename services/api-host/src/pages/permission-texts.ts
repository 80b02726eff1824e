import { PERMISSIONS, type Permission } from '@sluice/contract';
import type { PageLanguage } from '@sluice/http';

/** Sentence about what each permission allows, for the user who is asked to give it to a program. */
export const PERMISSION_TEXTS: Readonly<Record<PageLanguage, Readonly<Record<Permission, string>>>> = {
  en: PERMISSIONS,
  de: {
    'query:run': 'Lesendes SQL ausführen und das Ergebnis herunterladen',
    'marketplace:download': 'Freigegebene Angebote des Marktplatzes herunterladen',
    'metadata:write': 'Beschreibungen von Tabellen, Views und Datamaps ändern',
    'datamap:read': 'Datamaps suchen und lesen',
    'datamap:write': 'Datamaps anlegen und ändern',
    'catalog:harvest': 'Die Kataloge der Engine einlesen und die Ergebnisse sehen',
    'audit:read': 'Das Audit-Log und die Belege aller Benutzer des Mandanten lesen',
    admin: 'Den Mandanten verwalten',
  },
  fr: {
    'query:run': 'Exécuter du SQL en lecture et télécharger son résultat',
    'marketplace:download': 'Télécharger les offres accordées du catalogue de données',
    'metadata:write': 'Modifier les descriptions des tables, des vues et des datamaps',
    'datamap:read': 'Chercher et lire les datamaps',
    'datamap:write': 'Créer et modifier les datamaps',
    'catalog:harvest': 'Relever les catalogues du moteur et lire les résultats',
    'audit:read': 'Lire le journal d’audit et les reçus de tous les utilisateurs du locataire',
    admin: 'Administrer le locataire',
  },
  es: {
    'query:run': 'Ejecutar SQL de lectura y descargar el resultado',
    'marketplace:download': 'Descargar las ofertas concedidas del mercado de datos',
    'metadata:write': 'Cambiar las descripciones de tablas, vistas y datamaps',
    'datamap:read': 'Buscar y leer datamaps',
    'datamap:write': 'Crear y cambiar datamaps',
    'catalog:harvest': 'Recorrer los catálogos del motor y leer los resultados',
    'audit:read': 'Leer el registro de auditoría y los recibos de todos los usuarios del inquilino',
    admin: 'Administrar el inquilino',
  },
};
