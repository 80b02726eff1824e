/** Lower-case letters of decomposed text that case folding maps to one other letter, and those other letters. */
const LETTERS = 'µſ\u0345ςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ\u1fbe';
const FOLDED_LETTERS = 'μsισβθφπκρεвдосттъѣꙋṡι';
/** Lower-case letters that case folding maps to several. */
const EXPANSIONS = {
  ß: 'ss',
  ŉ: 'ʼn',
  ẚ: 'aʾ',
  և: 'եւ',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
  ﬓ: 'մն',
  ﬔ: 'մե',
  ﬕ: 'մի',
  ﬖ: 'վն',
  ﬗ: 'մխ',
};

const expanded = (text: string): string =>
  Object.entries(EXPANSIONS).reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, text);

/** Case folding of text in lower case, as the hosts fold search words. */
export const searchFolding = `
  create function search_fold(lower_case text) returns text language sql immutable parallel safe as $body$
    select ${expanded(`translate(lower_case, '${LETTERS}', '${FOLDED_LETTERS}')`)}
  $body$;
`;
