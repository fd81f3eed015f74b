import { ATTRIBUTE_TYPES, DECIMAL_SIGNS } from '../../../../contract/attribute-types.ts'
import { GET_ATTRIBUTE_VALUES } from '../../../../contract/routes/attribute-values.ts'
import { attributeDefinitionGet } from '../../../catalog/settings/content/attribute-definitions.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding } from '../../../platform/turns/yielding.ts'
import { visible } from '../../../model/blank.ts'
import { compileDefinitions } from '../../../resolve/content/attributes.ts'
import { proposeType } from '../../../resolve/propose-type.ts'
import { readTyped } from '../../../resolve/content/typed-value.ts'
import { attributeValueCounts } from '../../../shelf/findings/attribute-values.sql.ts'
import { shownValue } from '../../../shelf/findings/unread-values.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerData } from '../answer-read.ts'

const EXAMPLES_MAX = 10

/** GET /v1/account/attributes/{key}/values */
export const attributeValueHandlers: Handlers = (app, { db }) => {
  handle(app, GET_ATTRIBUTE_VALUES, async (call) => {
    const { accountId } = call.caller
    const { key } = call.params
    const { query } = call
    const definition = await attributeDefinitionGet(db, accountId, key)
    const rule = {
      type: oneOf('type', query.type, ATTRIBUTE_TYPES, definition?.type),
      decimal: oneOf('decimal', query.decimal, DECIMAL_SIGNS, definition?.decimal),
      separator: query.separator === undefined ? (definition?.separator ?? null) : query.separator || null,
      unit: query.unit === undefined ? (definition?.unit ?? null) : visible(query.unit),
    }
    // PostgreSQL texts cannot contain NUL, so no attribute has such a key
    const found = key.includes('\0')
      ? []
      : await attributeValueCounts(db, accountId, [key], {
          offersMax: LIMITS.attributeSampleOffersMax,
          valuesMax: LIMITS.attributeSampleValuesMax,
          rowsMax: LIMITS.attributeSampleValuesMax,
        })
    if (definition === undefined && found.length === 0)
      throw new ShelfwireError('unknown-reference', `the account has no attribute "${key.slice(0, 80)}"`)
    // labels and options do not matter here: a value is read in the same way in every language
    const defined = { key, units: {}, position: 0, labels: {}, options: {}, ...rule }
    const compiled = compileDefinitions([defined], 'und', 'und').of(key)
    const readings = await mapYielding(found, ({ value, offers }) => ({
      stated: shownValue(value),
      offers,
      typed: compiled === undefined || compiled.rule === null ? null : readTyped(value, compiled.rule),
    }))
    const understood = readings.flatMap(({ stated, offers, typed }) =>
      typed === null || typed.unread !== undefined ? [] : [{ stated, offers, read: typed.members }],
    )
    const unread = readings.flatMap(({ stated, offers, typed }) =>
      typed?.unread === undefined ? [] : [{ stated, offers, reason: typed.unread }],
    )
    return answerData(call, {
      key,
      offers: sum(readings),
      values: readings.length,
      understood: sum(understood),
      examples: understood.slice(0, EXAMPLES_MAX),
      unread: unread.slice(0, EXAMPLES_MAX),
      proposal: proposeType(found),
    })
  })
}

const sum = (rows: readonly { offers: number }[]) => rows.reduce((total, { offers }) => total + offers, 0)

/** A parameter that is one of some words: empty means null, left out means the definition's value. @throws ShelfwireError invalid-parameters. */
function oneOf<T extends string>(
  name: string,
  given: string | undefined,
  words: readonly T[],
  defined: T | null | undefined,
): T | null {
  if (given === undefined) return defined ?? null
  if (given === '') return null
  const word = words.find((one) => one === given)
  if (word !== undefined) return word
  const reason = `must be one of ${words.join(' ')}, or empty`
  throw new ShelfwireError('invalid-parameters', `${name} ${reason}`, { faults: [{ name, reason }] })
}
