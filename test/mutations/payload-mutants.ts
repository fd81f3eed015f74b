import type { Mutant } from './mutant.ts'

// Mutants of what a payload is made of: attributes, texts and the arithmetic of prices.

const TEXTS = 'test/api/texts.pg.test.ts'
const PRICE_LINES = 'test/api/price-lines.pg.test.ts'
const ATTRIBUTES = 'src/resolve/attributes.ts'
const ROUNDING = 'src/resolve/rounding.ts'

export const PAYLOAD_MUTANTS: readonly Mutant[] = [
  {
    name: 'every-locale-behind-the-accounts',
    edits: [
      {
        file: ATTRIBUTES,
        from: '[...localeParents(locale), EVERY, ...localeChain(locale, accountLocale)]',
        to: '[...localeChain(locale, accountLocale), EVERY]',
      },
    ],
    file: TEXTS,
    test: 'an attribute for * is shown in every store whose locale is not named',
  },
  {
    name: 'own-values-as-they-are-written',
    edits: [
      {
        file: ATTRIBUTES,
        from: 'value: showValue(key, value, definitions),',
        to: `value: source.from === 'override' ? value : showValue(key, value, definitions),`,
      },
    ],
    file: TEXTS,
    test: 'the owner’s values get the store’s decimal sign and the translations of options',
  },
  {
    name: 'a-floor-over-the-ceiling-goes-to-the-next-step',
    edits: [
      {
        file: ROUNDING,
        from: 'floor !== null && ceiling !== null && floor.greaterThan(ceiling)',
        to: 'floor !== null && ceiling !== null && floor.greaterThan(ceiling) && rounding === null',
      },
      {
        file: ROUNDING,
        from: '  return ceiling === null || price.lessThanOrEqualTo(ceiling)\n',
        to: '  return ceiling === null || price.lessThanOrEqualTo(ceiling) || (floor !== null && floor.greaterThan(ceiling))\n',
      },
    ],
    file: PRICE_LINES,
    test: 'where the floor lies above the ceiling the price is the floor, half up to the minor digits',
  },
  {
    name: 'a-bound-at-the-minor-digits-is-not-named',
    edits: [
      {
        file: 'src/resolve/price.ts',
        from: `(by !== 'direction' && by !== 'bounds')) return by\n`,
        to: `(by !== 'direction' && by !== 'bounds')) return 'minor_digits'\n`,
      },
    ],
    file: PRICE_LINES,
    test: 'a bound at the minor digits has a line that says so',
  },
  {
    name: 'blank-texts-of-before-are-shown',
    edits: [
      {
        file: 'src/model/blank.ts',
        from: '  return isBlank(shown) ? null : shown\n',
        to: `  return shown === '' && text === '' ? null : text\n`,
      },
    ],
    file: TEXTS,
    test: 'blank texts that were stored before they were trimmed do not stand in front of real ones',
  },
]
