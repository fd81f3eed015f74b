import type { PayloadAttribute } from '../model/payload.ts'
import { foldName } from './conditions.ts'
import type { AttributeDefinitionInput, AttributeOverrideInput, OfferInput } from './inputs.ts'
import { fromOffer, type Found } from './sources.ts'
import { compareText } from './sourcing.ts'

/** One attribute as one store shows it. */
interface CompiledDefinition {
  /** In the store's locale, with the unit of that locale in parentheses. */
  label: string
  position: number
  isNumber: boolean
  /** Value as stated, and folded, -> text shown. */
  options: ReadonlyMap<string, string>
}

/** Attribute definitions as one store shows them. */
export interface Definitions {
  of(key: string): CompiledDefinition | undefined
  /** What stands between the whole part and the fraction of a number. */
  decimalSeparator: string
}

/** Makes the definitions of a store; an attribute without one, or without a label in the chain, shows its key. */
export function compileDefinitions(
  definitions: readonly AttributeDefinitionInput[],
  chain: readonly string[],
): Definitions {
  const inChain = (texts: Readonly<Record<string, string>>) => {
    const locale = chain.find((entry) => texts[entry] !== undefined)
    return locale === undefined ? undefined : texts[locale]
  }
  const compiled = new Map(
    definitions.map((definition) => {
      const name = inChain(definition.labels) ?? definition.key
      const unit = inChain(definition.units) ?? definition.unit
      const hasUnit = unit !== null && unit !== ''
      const options = Object.entries(definition.options).flatMap(([value, texts]) => {
        const text = inChain(texts)
        return text === undefined ? [] : [[value, text] as const]
      })
      const label = hasUnit ? `${name} (${unit})` : name
      return [
        definition.key,
        {
          label,
          position: definition.position,
          isNumber: hasUnit,
          options: new Map([...options.map(([value, text]) => [foldName(value), text] as const), ...options]),
        },
      ]
    }),
  )
  return { of: (key) => compiled.get(key), decimalSeparator: decimalSeparator(chain[0] ?? 'en') }
}

/**
 * The decimal separator of a locale. Nothing else of number formatting is used: the digits stay as the supplier states
 * them, ungrouped, so that no value passes through a binary float and `1250 mm` cannot be read as 1.25.
 */
function decimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.find((part) => part.type === 'decimal')?.value ?? '.'
}

/** A value as a store shows it: the option's text in its language, a number with a unit in its notation, else as stated. */
export function showValue(key: string, value: string, definitions: Definitions): string {
  const definition = definitions.of(key)
  if (definition === undefined) return value
  const option =
    definition.options.size === 0
      ? undefined
      : (definition.options.get(value) ?? definition.options.get(foldName(value)))
  if (option !== undefined) return option
  return definition.isNumber && /^[+-]?\d+\.\d+$/.test(value) ? value.replace('.', definitions.decimalSeparator) : value
}

export interface FoundAttribute extends PayloadAttribute, Found<string> {
  /** As stated, before options and notation. */
  stated: string
}

/**
 * The product's attributes: for each key the account's override (of the most wanted locale, then of every locale), else
 * the first supplier's value in the order given. Ordered by the definitions' position, undefined ones last, then by key.
 * An override is shown as the owner wrote it.
 */
export function findAttributes(
  chain: readonly string[],
  definitions: Definitions,
  overrides: readonly AttributeOverrideInput[],
  sources: readonly OfferInput[],
): FoundAttribute[] {
  const values = new Map<string, Found<string | null>>()
  for (const { key } of overrides) {
    const found = chosenOverride(key, chain, overrides)
    if (found !== undefined) values.set(key, { value: found.value, source: { from: 'override', locale: found.locale } })
  }
  for (const offer of sources) {
    for (const attribute of offer.attributes) {
      // as of texts, a blank value counts as none: the next supplier's shows
      if (attribute.value !== '' && !values.has(attribute.key))
        values.set(attribute.key, fromOffer(attribute.value, offer))
    }
  }
  const attributes: (FoundAttribute & { position: number })[] = []
  for (const [key, { value, source }] of values) {
    if (value === null || value === '') continue
    const definition = definitions.of(key)
    attributes.push({
      key,
      label: definition?.label ?? key,
      value: source.from === 'override' ? value : showValue(key, value, definitions),
      stated: value,
      source,
      position: definition?.position ?? Number.MAX_SAFE_INTEGER,
    })
  }
  return attributes.sort((a, b) => a.position - b.position || compareText(a.key, b.key))
}

/** undefined when no override concerns this store; a null value hides the attribute. */
function chosenOverride(
  key: string,
  chain: readonly string[],
  overrides: readonly AttributeOverrideInput[],
): AttributeOverrideInput | undefined {
  for (const locale of [...chain, '']) {
    const found = overrides.find((entry) => entry.key === key && entry.locale === locale)
    if (found !== undefined) return found
  }
  return undefined
}
