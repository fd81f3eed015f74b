import { forEachField, NAME_FIELDS, TEXT_FIELDS, valuesOf, type MappedField } from '../../../contract/product-fields.ts'
import { readCurrency } from '../../input/currency.ts'
import { readName } from '../../input/product-name.ts'
import type { Verdict } from '../../input/verdict.ts'
import { keptContent } from '../../model/net-content.ts'
import { isMeasure, readFileDimensions, readFileMeasure, unitOf, type MeasureKind } from '../conversion/measures.ts'
import { readFileContent } from '../conversion/net-content.ts'
import { isNoCost, isNothing } from '../no-value.ts'
import { currencyBySign, type DecimalSign } from '../numbers.ts'
import { keyShare } from './propose-key.ts'
import { share, shareOfStated, type Column } from './sample-columns.ts'
import { isAmount, isCost, isGtin, isQuantity } from './value-kinds.ts'

// Tests whether the values of a column fit a field.

/** Whether a value can be read with either decimal sign. */
const isReadable = (value: string, read: (text: string, sign: DecimalSign) => Verdict<unknown>) =>
  'value' in read(value, '.') || 'value' in read(value, ',')
const readMeasure = (kind: MeasureKind) => (text: string, sign: DecimalSign) => readFileMeasure(text, sign, kind)
/** Whether a value is a quantity with a unit, with either decimal sign. */
const isContent = (value: string) =>
  (['.', ','] as const).some((sign) => {
    const read = readFileContent(value, sign)
    return 'value' in read && read.value !== null && keptContent(read.value) !== null
  })
/** Column names that state another order than length, width, height: `Maße (BxHxT)`. */
const IN_ANOTHER_ORDER = /\b(?!l *[x\u00d7*/])\p{L} *[x\u00d7*/] *\p{L} *[x\u00d7*/] *\p{L}\b/iu

/** The share of values that are costs, or words for a price on request; 0 for a column without any amount. */
export const costShare = (values: readonly string[]) => (values.some(isAmount) ? share(values, isCost) : 0)
/** Whether a value is a cost above 0, or says that the price is on request. */
export const isCostOrOnRequest = (value: string) => /[1-9]/.test(value) || (isNoCost(value) && !isNothing(value))

/** The code of the currency that a value is, as a code or a sign: `TL`, `zł`. Undefined for others. */
export function currencyOfValue(value: string): string | undefined {
  const code = readCurrency(value)
  return 'value' in code ? code.value : (currencyBySign(value.trim()) ?? undefined)
}

/** Whether a column states by `+` and `-` alone whether articles are available. */
export const isOfSigns = (values: readonly string[]): boolean =>
  values.length > 0 && values.includes('+') && values.every((value) => value === '+' || value === '-')

interface Values {
  fits: (column: Column, rows: number) => number
  words: string
  isOne?: (value: string) => boolean
}

const NAME_WORDS: Readonly<Record<ReturnType<typeof valuesOf>, string>> = {
  text: 'its values are names',
  condition: 'its values are conditions of articles',
  country: 'its values are codes of countries',
  'hs-code': 'its values are customs tariff numbers',
  weight: 'its values are weights with a unit, or its name has one',
  length: 'its values are lengths with a unit, or its name has one',
  'list-price': 'its values are prices',
  content: 'its values are quantities with a unit',
  day: 'its values are days',
  'tax-in': 'its values are codes of countries, or none',
}

/** What the values of a column must be like for a field, and the words for it. */
export const VALUES: Readonly<Record<MappedField, Values>> = {
  sku: {
    fits: keyShare,
    words: 'each row has another value',
  },
  ean: {
    fits: ({ values }) => shareOfStated(values, isGtin),
    words: 'its values have the check digit of EANs',
  },
  cost: { fits: ({ values }) => costShare(values), words: 'its values are amounts', isOne: isCost },
  currency: {
    fits: ({ values }) => share(values, (value) => currencyOfValue(value) !== undefined),
    words: 'its values are currencies',
  },
  quantity: {
    fits: ({ values }) => (isOfSigns(values) ? 1 : share(values, isQuantity)),
    words: 'its values are quantities or words about availability',
    isOne: isQuantity,
  },
  images: {
    fits: ({ values }) => shareOfStated(values, (value) => /^https?:\/\/|\.(?:jpe?g|png|webp|gif)\b/i.test(value)),
    words: 'its values are addresses of pictures',
  },
  ...forEachField(TEXT_FIELDS, () => ({
    fits: ({ values }: Column) => shareOfStated(values, (value) => /\p{L}/u.test(value)),
    words: 'its values are texts',
  })),
  ...forEachField(NAME_FIELDS, (field) => ({
    fits: ({ name, values }: Column) =>
      shareOfStated(values, (value) => {
        // a number alone is an id of a system
        if (field === 'manufacturer') return /\p{L}/u.test(value)
        if (valuesOf(field) === 'text') return /\p{L}|\d/u.test(value)
        const kind = valuesOf(field)
        // a number without a unit may be grams or kilograms
        if (isMeasure(kind))
          return (unitOf(name, kind) ?? unitOf(value, kind)) !== undefined && isReadable(value, readMeasure(kind))
        if (kind === 'list-price') return isAmount(value)
        if (kind === 'content') return isContent(value)
        return 'value' in readName(field, value)
      }),
    words: NAME_WORDS[valuesOf(field)],
  })),
  dimensions: {
    fits: ({ name, values }: Column) =>
      IN_ANOTHER_ORDER.test(name)
        ? 0
        : shareOfStated(
            values,
            (value) =>
              (unitOf(name, 'length') ?? unitOf(value, 'length')) !== undefined &&
              isReadable(value, readFileDimensions),
          ),
    words: 'its values are length, width and height with a unit, or its name has one',
  },
}
