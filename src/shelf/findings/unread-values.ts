import type { AttributeType } from '../../../contract/attribute-types.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { attributeDefinitionsList } from '../../catalog/settings/content/attribute-definitions.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { inTurns, mapYielding } from '../../platform/turns/yielding.ts'
import { compilingDefinitions, sharingDefinitions } from '../../resolve/content/attributes.ts'
import { readTyped } from '../../resolve/content/typed-value.ts'
import { attributeValueCounts } from './attribute-values.sql.ts'

/** An attribute for which suppliers state values that its type cannot read. */
export interface UnreadValues {
  key: string
  type: AttributeType
  /** Offers with such a value. */
  offers: number
  /** The most frequent such values. */
  examples: { stated: string; productId: number; reason: string }[]
}

const EXAMPLES_MAX = 3
const TEXT_LENGTH_MAX = 200

/** A supplier's value, cut to TEXT_LENGTH_MAX. */
export const shownValue = (value: string): string =>
  value.length > TEXT_LENGTH_MAX ? `${value.slice(0, TEXT_LENGTH_MAX).toWellFormed()}…` : value

/** Attributes with values that their type cannot read, those of the most offers first. If no attribute has a type, offers are not read. */
export async function unreadValues(reader: Reader, accountId: number, limit: number): Promise<UnreadValues[]> {
  const definitions = (await attributeDefinitionsList(reader, accountId)).filter(({ type }) => isReadable(type))
  if (definitions.length === 0) return []
  const { locale } = must(await accountGet(reader, accountId))
  const compiled = await inTurns(compilingDefinitions(await inTurns(sharingDefinitions(definitions)), locale, locale))
  const counts = await attributeValueCounts(
    reader,
    accountId,
    definitions.map(({ key }) => key),
    {
      offersMax: LIMITS.attributeSampleOffersMax,
      valuesMax: LIMITS.attributeSampleValuesMax,
      rowsMax: LIMITS.findingsAttributeValuesMax,
    },
  )
  const found = new Map<string, UnreadValues>()
  await mapYielding(counts, ({ key, value, offers, productId }) => {
    const rule = compiled.of(key)?.rule ?? null
    const reason = rule === null ? undefined : readTyped(value, rule).unread
    if (rule === null || reason === undefined) return
    const row = found.get(key) ?? { key, type: rule.type, offers: 0, examples: [] }
    row.offers += offers
    if (row.examples.length < EXAMPLES_MAX) row.examples.push({ stated: shownValue(value), productId, reason })
    found.set(key, row)
  })
  return [...found.values()].sort((a, b) => b.offers - a.offers).slice(0, limit)
}

/** Every value can be read as text. */
const isReadable = (type: AttributeType | null) => type !== null && type !== 'text'
