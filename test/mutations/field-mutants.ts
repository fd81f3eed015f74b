import { CONDITION_MUTANTS } from './condition-mutants.ts'
import type { Mutant } from './mutant.ts'

const HASHES = 'test/import/offer-hashes.test.ts'
const LATER = 'a field that a later release adds changes no hash of what does not have it'
const FIELDS = 'contract/product-fields.ts'
const LISTS = 'contract/product-fields.test.ts'
const RESOLVE = 'src/resolve/resolve.ts'
const OFFER_STATE = 'src/catalog/products/offers/offer-state.ts'
const RECORD_TEXT = 'src/model/record-text.ts'

/** Faults in code that is derived from the tables of contract/: fields of products, and conditions of rules. */
export const FIELD_MUTANTS: readonly Mutant[] = [
  ...CONDITION_MUTANTS,
  {
    name: 'a-later-field-has-a-place-in-every-record',
    edits: [
      {
        file: RECORD_TEXT,
        from: '    said(record.category),\n',
        to: '    said(record.category),\n    said(record.weight),\n',
      },
      { file: RECORD_TEXT, from: "  'category',\n", to: "  'category',\n  'weight',\n" },
    ],
    file: HASHES,
    test: LATER,
  },
  {
    name: 'a-later-field-has-a-place-in-every-offer',
    edits: [
      {
        file: OFFER_STATE,
        from: 'HASHED_NAMES.map((field) => content[field])',
        to: 'NAME_FIELDS.map((field) => content[field])',
      },
    ],
    file: HASHES,
    test: LATER,
  },
  {
    name: 'a-later-field-is-not-in-the-hash',
    edits: [{ file: RECORD_TEXT, from: '  if (later !== undefined) fields.push(later)\n', to: '' }],
    file: HASHES,
    test: LATER,
  },
  {
    name: 'a-field-is-not-compared-by-imports',
    edits: [{ file: FIELDS, from: "  ...NAME_FIELDS,\n  'attributes',\n", to: "  'attributes',\n" }],
    file: LISTS,
    test: 'is compared by imports',
  },
  {
    name: 'a-field-is-not-mapped',
    edits: [{ file: FIELDS, from: '  ...LONG_TEXTS,\n', to: '' }],
    file: LISTS,
    test: 'is mapped from a file',
  },
  {
    name: 'a-field-has-no-sources-in-the-panel',
    edits: [
      { file: FIELDS, from: "fieldsOf('text', 'name', 'ean', 'images')", to: "fieldsOf('text', 'name', 'images')" },
    ],
    file: LISTS,
    test: 'has its sources shown in the panel',
  },
  {
    name: 'a-field-has-no-override',
    edits: [
      {
        file: FIELDS,
        from: "[...fieldsOf('text', 'name', 'images'), 'image_alts']",
        to: "[...fieldsOf('text', 'name'), 'image_alts']",
      },
    ],
    file: LISTS,
    test: 'can be set by the owner',
  },
  {
    name: 'a-field-is-not-in-the-payload',
    edits: [
      {
        file: 'contract/schemas.ts',
        from: '  manufacturer: Nullable(Type.String({ description:',
        to: '  maker: Nullable(Type.String({ description:',
      },
    ],
    file: LISTS,
    test: 'is listed only where the payload has it',
  },
  {
    name: 'an-optional-field-is-not-in-the-payload',
    edits: [{ file: 'contract/schemas.ts', from: '  seo_title: IfAny(', to: '  seo_titles: IfAny(' }],
    file: LISTS,
    test: 'is listed only where the payload has it',
  },
  {
    name: 'an-optional-field-is-null-where-there-is-none',
    edits: [
      {
        file: 'src/shelf/encode.ts',
        from: 'const value = content[name]',
        to: 'const value = content[name] ?? null',
      },
    ],
    file: 'src/shelf/encode.test.ts',
    test: 'has an optional member only where the product has a value',
  },
  {
    name: 'a-store-has-the-values-of-the-one-before',
    edits: [{ file: 'src/shelf/encode.ts', from: 'if (values[i] !== value) {', to: 'if (texts[i] === undefined) {' }],
    file: 'src/shelf/encode.test.ts',
    test: 'is the same text for each store of a product in turn as for that store alone',
  },
  {
    name: 'an-optional-name-is-not-resolved',
    edits: [{ file: RESOLVE, from: '    else names[field] = name.value\n', to: '' }],
    file: 'src/resolve/optional-fields.test.ts',
    test: 'an optional field is a member where',
  },
  {
    name: 'a-dimension-replaces-those-before-it',
    edits: [{ file: RESOLVE, from: '{ ...names.dimensions, [field]: name.value }', to: '{ [field]: name.value }' }],
    file: 'src/resolve/optional-fields.test.ts',
    test: 'an optional field is a member where',
  },
  {
    name: 'an-optional-text-is-not-resolved',
    edits: [{ file: RESOLVE, from: '      if (text !== null) members[field] = text.value\n', to: '' }],
    file: 'src/resolve/optional-fields.test.ts',
    test: 'an optional field is a member where',
  },
  {
    name: 'an-optional-text-of-an-override-alone-is-not-looked-for',
    edits: [
      { file: 'src/resolve/content/text.ts', from: 'overrides.some((entry) => entry.field === field) ||', to: '' },
    ],
    file: 'src/resolve/resolve-properties.test.ts',
    test: 'explain agrees with resolve in every field',
  },
  {
    name: 'a-country-is-any-text',
    edits: [{ file: 'src/input/country.ts', from: 'return isCountry(code)', to: 'return code.length > 0' }],
    file: 'src/input/product-name.test.ts',
    test: 'the name of a country is refused',
  },
  {
    name: 'google-takes-a-damaged-article-for-a-new-one',
    edits: [
      {
        file: 'src/channels/google.ts',
        from: "condition === 'damaged' ? 'used' :",
        to: "condition === 'damaged' ? 'new' :",
      },
    ],
    file: 'test/channels/files.test.ts',
    test: 'has the part number and the condition of an article',
  },
  {
    name: 'a-weight-of-grams-is-proposed-as-kilograms',
    edits: [
      {
        file: 'src/supplier-files/proposal/field-values.ts',
        from: '(unitOf(name, kind) ?? unitOf(value, kind)) !== undefined && isReadable(value, readMeasure(kind))',
        to: 'isReadable(value, readMeasure(kind))',
      },
    ],
    file: 'src/supplier-files/conversion/measures.test.ts',
    test: 'a column of weights is proposed only where',
  },
]
