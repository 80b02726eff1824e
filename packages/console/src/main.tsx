import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readLanguage } from './i18n/language.ts';
import { loadCatalog } from './i18n/load-messages.ts';
import { openSession, readAddresses } from './session/session.ts';
import 'virtual:tokens.css';
import './theme/base.css';

const language = readLanguage();
document.documentElement.lang = language;
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root".');
const session = openSession(readAddresses(document));
const messages = { language, catalog: await loadCatalog(language) };
createRoot(root).render(
  <StrictMode>
    <App session={session} messages={messages} />
  </StrictMode>,
);
