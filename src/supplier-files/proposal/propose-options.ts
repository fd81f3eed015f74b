import type { Column } from './sample-columns.ts'

// Finds the columns that show how the versions of an article differ.

/** Entries of `group_options` (`sources`), and the columns with the values. */
export interface Options {
  sources: readonly Record<string, unknown>[]
  values: readonly string[]
  /** The columns are such as any articles have, and not only versions. */
  isLoose: boolean
  /** The separators of a column with names and values of several options: `Colour->Orange,Size->XS`. */
  packed?: { pair: string; assign: string }
}

const OPTION = /option|attribut|variation/i
const NAME = /name/i
const VALUE_WORDS = ['value', 'Value', 'wert', 'Wert', 'value(s)', 'Description', 'wertname']
const VALUES_MAX = 3

/** Names of columns with option values, but without option names. */
const VALUES = /^(?:optionvalues?|variantoptions?|variantname|variation|options)(?::(\w{2}))?$/i
/** Names of numbered columns with values of options whose names are not in the file. */
const NUMBERED = /^option[\s_-]?\d[\s_-]?(?:value|wert)$/i
const LOOSE =
  /^(?:(?:product|variant)[\s_-]?)?(?:colou?r|size|colou?r[\s_-]name|size[\s_-]name|farbe|größe|groesse|kolor|rozmiar|couleur|taille|talla|colore|taglia|kleur|maat|barva|velikost|cor|tamanho|färg|storlek|farve|størrelse|material|scent|flavou?r)$/iu

/** The columns of options among the names of a table's columns, by their names alone. */
export function optionColumnsOf(names: readonly string[]): Options {
  const known = new Set(names)
  for (const name of names) {
    if (!OPTION.test(name) || !NAME.test(name) || !/1(?!\d)/.test(name)) continue
    const value = VALUE_WORDS.map((word) => name.replace(NAME, word)).find((one) => one !== name && known.has(one))
    if (value === undefined) continue
    const numbered = (column: string, n: string) => column.replace(/1(?!\d)/, n)
    const values = Array.from({ length: VALUES_MAX }, (_, i) => numbered(value, String(i + 1))).filter((one) =>
      known.has(one),
    )
    return { sources: [{ pairs: numbered(name, '{n}'), value: numbered(value, '{n}') }], values, isLoose: false }
  }
  const packed = names.find((name) => VALUES.test(name))
  if (packed !== undefined) return { sources: [{ key: 'options', column: packed }], values: [packed], isLoose: false }
  const numbered = names.filter((name) => NUMBERED.test(name)).slice(0, VALUES_MAX)
  if (numbered.length > 0)
    return { sources: numbered.map((name) => ({ key: name, column: name })), values: numbered, isLoose: false }
  const loose = names.filter((name) => LOOSE.test(name)).slice(0, VALUES_MAX)
  return { sources: loose.map((name) => ({ key: name, column: name })), values: loose, isLoose: true }
}

const ASSIGNS = ['->', '=', ':'] as const
const PAIRS = [',', ';', '|'] as const
/** The share of values that must be names with values. */
const PACKED_SHARE = 0.9

/** Splits options into names and values if their only column has both. */
export function packedIn(options: Options, valuesOf: (name: string) => readonly string[]): Options {
  const [column, ...others] = options.values
  if (options.isLoose || column === undefined || others.length > 0 || options.sources.length !== 1) return options
  const values = valuesOf(column).filter((value) => value !== '')
  const most = (test: (value: string) => boolean) =>
    values.length > 0 && values.filter(test).length >= values.length * PACKED_SHARE
  const assign = ASSIGNS.find((sign) => most((value) => value.includes(sign)))
  if (assign === undefined) return options
  const pair =
    PAIRS.find((sign) => most((value) => value.split(sign).every((piece) => piece.split(assign).length === 2))) ?? ','
  return { ...options, sources: [{ packed: column, pair, assign }], packed: { pair, assign } }
}

/**
 * The numbered columns with names and values of options, as one source of attributes. Undefined if there are none. `isOf`: whether a column is one of
 * them, or says something about one, such as `Attribute 1 visible`.
 */
export function optionPairs(
  columns: readonly Column[],
): { source: { pairs: string; value: string }; isOf: (name: string) => boolean } | undefined {
  const [source] = optionColumnsOf(columns.map(({ name }) => name)).sources
  const { pairs, value } = source ?? {}
  if (typeof pairs !== 'string' || typeof value !== 'string') return undefined
  const [before = '', behind = ''] = pairs.split('{n}')
  const [beforeValue = '', behindValue = ''] = value.split('{n}')
  const isNumbered = (name: string, start: string, end: string) =>
    name.startsWith(start) && name.endsWith(end) && /^\d{1,3}$/.test(name.slice(start.length, name.length - end.length))
  return {
    source: { pairs, value },
    isOf: (name) =>
      isNumbered(name, before, behind) ||
      isNumbered(name, beforeValue, behindValue) ||
      (before !== '' &&
        name.startsWith(before) &&
        /^\d{1,3}\W*(?:visible|global|default|position|linked to)$/i.test(name.slice(before.length))),
  }
}
