// Finds phrases and names that docs/style.md bans, in every tracked file of source or prose, and in the names of files. In tests that run
// beside others, finds limits of wall time too.
// `node .ci/style.mjs [folder ...]` lists each hit and fails; `--summary` counts the hits of each folder and succeeds. A planted text
// that is not reported is a failure too.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const ALLOWED_LINES_MAX = 20;
const CHECKED = /\.(?:tsx?|mjs|cjs|md|json|ya?ml|sh|py|css|html|sql|tpl|conf)$|\/Dockerfile$|^\.ci\/run$/;

/** Regular expressions of phrases, in any case, and what to write instead. A space also matches a line break in a comment. */
const PHRASES = [
  ['so (?:many|few)', 'at most N; this many'],
  ['so long(?: as)?', 'for this long; while'],
  ['tells? of', 'reports'],
  ['(?<!there )\\b(?:is|are|was|were) no(?! longer| more than| less than)', 'is not a'],
  ['(?<!there )(?:is|are) none(?! of)', 'is not one; is empty'],
  ['(?:is|are|be|was|were) told', 'is notified; receives; is sent'],
  ['who may do', 'a user without (or with) the permission'],
  ['(?:of|for) whom', 'whose; a user that'],
  ['whoever', 'the caller; any client'],
  [
    'nobody (?:hears|waits|asks|knows|reads|has|is|may|can|could|would|who|but|needs|wants|takes|holds|looks|says)',
    'name the subject: no client, no host',
  ],
  ['(?:for|waits for|believes?) nobody', 'no client; does not wait'],
  ['stands? (?:in|behind|beside|there|before|alone|ready)', 'is in; is stored; is declared; precedes'],
  ['lies? in', 'is in; is stored in'],
  ['(?:asked|asks?) of', 'required of; requested from'],
  ['what is (?:asked|told|said|believed)', 'the request; the report'],
  ['(?:is|are|was|were) believed', 'is trusted'],
  ['(?:hears?|heard) of', 'is notified of; learns'],
  ['by (?:its|their) heads?', 'name the field'],
  ['lets? be', 'leaves unchanged; ignores'],
  ['in the place of', 'instead of'],
  ['in whatever', 'in any'],
  ['but for', 'except'],
  ['as ever', 'as always; delete it'],
  ['what becomes of', 'what happens to; the outcome of'],
  ['to be had', 'available'],
  ['(?:is|are) owed', 'needs'],
  ['who asks', 'the caller'],
  ['without a word', 'silently; without a report'],
  ['(?:a|its) last word', 'the last message; the final value'],
  ['the house', 'the project; the host'],
  ['nothing but', 'only'],
  ['(?:is|are) answered', 'returns; gets the response'],
  ['is on its way', 'in flight; pending'],
  ['that is to say', 'delete it'],
  ['has no word', 'has no value for; does not report'],
  ['(?:speaks?|spoke) of', 'is about; names'],
  ['sees? to', 'ensures; starts; handles'],
  ['(?:be|is|are) had', 'is available; is read'],
  ['(?:for|of) who', 'a user that; the user who'],
  ['the own', "the caller's own; its"],
  ['his own', 'their own; its'],
  ['of ours', 'our'],
];

/** Identifiers that were renamed, case and all. Common words are banned as declarations only. */
const NAMES = [
  [
    '\\bonTrouble\\b|\\b\\w*Trouble\\b|\\b\\w+_trouble\\b|\\btroubles\\b',
    'onWarning; ...Problem; ..._failed; warnings',
  ],
  ['\\b(?:const|let|readonly) mistakes?\\b|\\b\\w+Mistakes?\\b', 'violations'],
  [
    '\\bisDoubtful\\b|\\b(?:const|let|readonly) doubts?\\b|\\[old, young\\]|\\blosers\\b',
    'isAmbiguous; rejections; before, after; affected',
  ],
  [
    '\\bREST_MS\\b|\\bSLOTS_MAX_MIN\\b|\\bisAsItIs\\b|\\bDatamapLife\\b|\\buseReread\\b',
    'SETTLE_MS; MIN_SLOT_LIMIT; isUnmodified; lifecycle; useInvalidate',
  ],
  [
    '\\bKept(?!Result|Rows)[A-Z]\\w*|\\bkeep(?:Lease|Grantees)\\b|\\b[uU]ntimely|\\bLOOKS\\b|\\bsqlLook\\b|\\b\\w*-look\\b|\\breread\\b',
    'Saved..., Held...; holdLease; lockGranteesShared; wrongTimes; STYLES; theme; refresh',
  ],
  [
    '\\b(?:const|let) told\\b|\\b(?:orErrorPage|CheckpointTrust|flushAtOnce)\\b|[\\x27\\x60](?:life\\.|snippets\\.|catalog\\.trail)',
    'presented, reported; withErrorPage; CheckpointOrigin; flushNow; lifecycle., snippet., catalog.breadcrumbs',
  ],
  ['\\w+Wish\\b|\\bwishOf\\b', '...Input'],
  ['\\b(?:Import|Seed|Start|Spawn|Steps|Retention|HarvestCatalog|IdentityProvider)Order\\b', '...Options'],
  ['\\b(?:Tables|Catalog)Questions?\\b', '...Query'],
  ['\\b\\w+Standing\\b|\\b[Ss]tandings\\b|standing-store|\\bstandingOf\\b', '...Status; auth-status-store'],
  ['\\btold[A-Z]\\w+|\\bviewItem\\b|\\bdomainContent\\b', 'present...'],
  ['\\bbodyOf\\b', 'present...; queryBody, readBody or what else is done with the body'],
  ['\\bProofs\\b|\\bprovedMs\\b|\\b(?:const|let|readonly) proved\\b', 'credentials; authenticatedAtMs'],
  ['\\b(?:Guard|Export)Walk\\b', 'GuardVisitor; ExportVerifier'],
  ['\\bStrangeRow\\b|\\bstrangers\\b', 'UnsealedRow; unsealedRows'],
  ['\\bPackedStatement\\b|\\bcreatePacking\\b|\\bpackingOf\\b', 'BundledStatement; createBundle; bundleOf'],
  [
    '\\bwithBeats\\b|\\bbeatMs\\b|\\bbeatOnce\\b|\\bBEAT\\w*|\\b(?:const|let|function) beat\\b',
    'withHeartbeat; heartbeatMs; sendHeartbeatOnce',
  ],
  ['\\bplain-path\\b|\\bPlainResult\\b', 'small-result; SmallResult'],
  ['\\bStatementElsewhere\\b', 'RemoteStatement'],
  ['\\btold-members\\b|\\bisPassing\\b', 'error-fields; isTransient'],
  [
    '\\bpatiently\\b|\\b\\w*PATIENCE\\w*|\\bFAREWELL\\w*|\\bTOLD_WITHIN\\w*|\\bBELIEVED_MS\\b',
    'retryOnLockTimeout; ..._TIMEOUT_MS',
  ],
  ['\\b(?:isSpent|isWorn|lookAgain|neverRun|overTime|closeUnheard)\\b', 'see the table in docs/style.md'],
  ['\\bqueryTimeMs\\b', 'queryTimeLimitMs'],
  [
    '\\b(?:class|interface|type) (?:Places|Claim|Bid|Heart|Packing|Applicant|Waiter|Walk)\\b',
    'see the table in docs/style.md',
  ],
  [
    '\\b(?:const|let|function|using) (?:scene|stage|strike|hurried|deaf|judge|stranger)\\b',
    'fixture; teardown; assert...; see docs/style.md',
  ],
];

/** Docstrings begin with a verb in the third person or a noun phrase. */
const NOT_FIRST_WORDS = [
  ...[
    'Of',
    'From',
    'By',
    'With',
    'Without',
    'To',
    'In',
    'At',
    'On',
    'Under',
    'Behind',
    'For',
    'After',
    'Before',
    'Between',
  ],
  ...[
    'Within',
    'Until',
    'Since',
    'Above',
    'Below',
    'Over',
    'Through',
    'Against',
    'During',
    'Per',
    'As',
    'Like',
    'Because',
  ],
  ...['Who', 'Whom', 'Whose', 'Which', 'That', 'What', 'How', 'Where', 'When', 'If'],
];
/** Texts that the check must report, and texts that it must not report. */
const PLANTED = {
  reported: [
    ...[
      '/** Of a user. */',
      '/** What a user runs. */',
      '/** How long a request waits. */',
      '/** Where rows are stored. */',
    ],
    ...['/** When a session ends. */', '/** If npm started the process. */', '/**\n * What a user runs.\n */'],
    ...['// returns so\n// many rows', 'const hurried = 1;'],
  ],
  ignored: [
    '/** Whether a session is open. */',
    '/** Returns what a user runs. */',
    '// What a user runs.',
    '/** Iffy. */',
  ],
};

/** Tests that run beside other work. Promised times are asserted in `load` and on servers, where nothing else runs. */
const TESTS_BESIDE_OTHERS =
  /^(?:packages|services)\/(?!.*\/(?:load|console)\/)(?:.*\.test\.tsx?|.*\/(?:tests|testing)\/.*(?<!\.(?:servers|spooled))\.ts)$/;
const LIMITED_TIME = String.raw`\)\.toBeLessThan(?:OrEqual)?\((?!\d{2,}_\d{3}\b|\w*(?:MINUTE|HOUR|DAY))`;
const TIME_RULES = [
  [String.raw`expect\([^;]*?(?:performance|Date)\.now\(\)[^;]*?${LIMITED_TIME}`, 'a condition; the time in load'],
  [String.raw`expect\((?:[a-z]\w*\.)*(?:ms|[a-z]\w*Ms)${LIMITED_TIME}`, 'a condition; the time in load'],
  [String.raw`\bwithinMs: (?:\d_)?\d{1,4}\b(?!_)`, 'no withinMs; the time in load'],
].map(([pattern, instead]) => ({ pattern: new RegExp(pattern, 'g'), instead }));
const PLANTED_TIMES = {
  reported: [
    'expect(performance.now() - begun).toBeLessThan(2000)',
    'expect(Date.now() - begun).toBeLessThan(LIMIT_MS)',
    'expect(Math.abs(\n  performance.now() - begun,\n)).toBeLessThanOrEqual(1_000)',
    'expect(tookMs).toBeLessThan(3000)',
    'expect(answer.ms).toBeLessThan(LIMIT_MS)',
    'withinMs: 5000 }',
    'withinMs: 2_500,',
  ],
  ignored: [
    'expect(performance.now() - begun).toBeGreaterThan(900)',
    'expect(items).toBeLessThan(3000)',
    'expect(Math.abs(granted_ts - Date.now())).toBeLessThan(60_000)',
    'withinMs: 90_000,',
  ],
};
const DOCSTRING_STARTS = new RegExp(String.raw`/\*\*\s+(?:\*\s+)?(?:${NOT_FIRST_WORDS.join('|')})\b`, 'g');

const acrossLines = (phrase) => phrase.replaceAll(' ', String.raw`\s+(?:(?:\*|//|--|#|>)\s+)?`);
const RULES = [
  ...PHRASES.map(([phrase, instead]) => ({
    pattern: new RegExp(String.raw`\b(?:${acrossLines(phrase)})\b`, 'gi'),
    instead,
  })),
  { pattern: DOCSTRING_STARTS, instead: 'a verb in the third person, or a noun phrase' },
  ...NAMES.map(([name, instead]) => ({ pattern: new RegExp(name, 'g'), instead })),
];

const allowed = readFileSync('.ci/style-allowed.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(': '));
if (allowed.length > ALLOWED_LINES_MAX)
  throw new Error(`.ci/style-allowed.txt has more than ${ALLOWED_LINES_MAX} lines.`);

const isAllowed = (file, found) =>
  allowed.some(
    ([path, phrase]) => file.startsWith(path) && (phrase === undefined || phrase.toLowerCase() === found.toLowerCase()),
  );

const hitsInText = (text, rules = RULES) =>
  rules.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
      line: text.slice(0, index).split('\n').length,
      found: match.replace(/\s+(?:(?:\*|\/\/|--|#|>)\s+)?/g, ' '),
      instead,
    })),
  );

for (const text of PLANTED.reported)
  if (hitsInText(text).length === 0) throw new Error(`The planted text is not reported: ${text}`);
for (const text of PLANTED.ignored)
  if (hitsInText(text).length > 0) throw new Error(`The planted text is reported: ${text}`);

for (const text of PLANTED_TIMES.reported)
  if (hitsInText(text, TIME_RULES).length === 0) throw new Error(`The planted text is not reported: ${text}`);
for (const text of PLANTED_TIMES.ignored)
  if (hitsInText(text, TIME_RULES).length > 0) throw new Error(`The planted text is reported: ${text}`);

const hitsIn = (file) =>
  hitsInText(readFileSync(file, 'utf8'), TESTS_BESIDE_OTHERS.test(file) ? [...RULES, ...TIME_RULES] : RULES)
    .filter(({ found }) => !isAllowed(file, found))
    .map((hit) => ({ file, ...hit }));

/** Names of files are checked like identifiers. */
const hitsInPath = (file) =>
  NAMES.flatMap(([name, instead]) =>
    [...file.matchAll(new RegExp(name, 'g'))].map(({ 0: found }) => ({ file, line: 1, found, instead })),
  ).filter(({ found }) => !isAllowed(file, found));

const isSummary = process.argv.includes('--summary');
const folders = process.argv.slice(2).filter((argument) => argument !== '--summary');
const files = execFileSync('git', ['ls-files', '--', ...folders], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => CHECKED.test(file) && existsSync(file));
const hits = files
  .flatMap((file) => [...hitsInPath(file), ...hitsIn(file)])
  .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);

if (isSummary) {
  const counts = new Map();
  for (const { file } of hits) {
    const folder = file.split('/').slice(0, 3).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of counts) process.stdout.write(`${String(count).padStart(5)} ${folder}\n`);
} else {
  for (const { file, line, found, instead } of hits)
    process.stdout.write(`${file}:${line}: "${found}". Write: ${instead}.\n`);
}
process.stdout.write(`style: ${hits.length} banned phrases, names and limits of time in ${files.length} files\n`);
process.exitCode = isSummary || hits.length === 0 ? 0 : 1;
