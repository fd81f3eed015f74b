import type { PayloadAttribute } from '../model/payload.ts'
import type { AttributeDefinitionInput, AttributeOverrideInput, OfferInput } from './inputs.ts'
import { compareText } from './sourcing.ts'

/** Attribute definitions as one store shows them: label in its locale, unit in parentheses. */
export type Labels = ReadonlyMap<string, { label: string; position: number }>

/** Makes the labels of a store; an attribute without a definition, or without a label in the chain, shows its key. */
export function compileLabels(definitions: readonly AttributeDefinitionInput[], chain: readonly string[]): Labels {
  return new Map(
    definitions.map((definition) => {
      const locale = chain.find((entry) => definition.labels[entry] !== undefined)
      const name = (locale === undefined ? undefined : definition.labels[locale]) ?? definition.key
      const label = definition.unit === null || definition.unit === '' ? name : `${name} (${definition.unit})`
      return [definition.key, { label, position: definition.position }]
    }),
  )
}

/**
 * The product's attributes: for each key the account's override (of the most wanted locale, then of every locale), else
 * the first supplier's value in the order given. Ordered by the definitions' position, undefined ones last, then by key.
 */
export function resolveAttributes(
  chain: readonly string[],
  labels: Labels,
  overrides: readonly AttributeOverrideInput[],
  offers: readonly OfferInput[],
): PayloadAttribute[] {
  const values = new Map<string, string | null>()
  for (const { key } of overrides) {
    const value = chosenOverride(key, chain, overrides)
    if (value !== undefined) values.set(key, value)
  }
  for (const offer of offers) {
    for (const attribute of offer.attributes) {
      if (!values.has(attribute.key)) values.set(attribute.key, attribute.value)
    }
  }
  const attributes: (PayloadAttribute & { position: number })[] = []
  for (const [key, value] of values) {
    if (value === null || value === '') continue
    const shown = labels.get(key)
    attributes.push({ key, label: shown?.label ?? key, value, position: shown?.position ?? Number.MAX_SAFE_INTEGER })
  }
  return attributes
    .sort((a, b) => a.position - b.position || compareText(a.key, b.key))
    .map(({ key, label, value }) => ({ key, label, value }))
}

/** undefined when no override concerns this store; null when one hides the attribute. */
function chosenOverride(
  key: string,
  chain: readonly string[],
  overrides: readonly AttributeOverrideInput[],
): string | null | undefined {
  for (const locale of [...chain, '']) {
    const found = overrides.find((entry) => entry.key === key && entry.locale === locale)
    if (found !== undefined) return found.value
  }
  return undefined
}
