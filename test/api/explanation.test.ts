import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Explanation } from '../../contract/explanation.ts'
import { ProductFields } from '../../contract/field-sources.ts'
import { compileAccount } from '../../src/resolve/fixtures.ts'
import { explain } from '../../src/resolve/explain/explain.ts'
import { drawAccount, drawProduct } from '../../src/resolve/arbitrary/arbitrary-inputs.ts'
import { drawsFrom } from '../../src/resolve/arbitrary/draws.ts'
import { fieldsOf } from '../../src/serve/account/products/explain.ts'
import { toMembersDeep } from '../../src/serve/account/member-names.ts'
import { ajvWithFormats, strictSchema } from './strict-document.ts'

// The document describes every member of an explanation; here explanations of accounts with rules of every kind are
// validated by it.

const FIXED_SEED = 20_261_121
const seed = Number(process.env['SEED'] ?? FIXED_SEED)
const numbers = fc.array(fc.nat(), { maxLength: 600, size: 'max' })

test(`every explanation, and what is taken from it about fields, is as the document says (SEED=${seed})`, () => {
  const ajv = ajvWithFormats()
  const [isExplanation, isFields] = [ajv.compile(strictSchema(Explanation)), ajv.compile(strictSchema(ProductFields))]
  const seen = new Set<string>()
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      const goods = drawProduct(drawsFrom(forProduct))
      for (const { store } of compiled.stores) {
        const explanation = explain(compiled, goods, store.storeId)!
        // the API shows no deleted products
        if (explanation.listing.by === 'deleted') continue
        const members = JSON.parse(JSON.stringify(toMembersDeep(explanation))) as object
        expect(isExplanation(members), `${ajv.errorsText(isExplanation.errors)}\n${JSON.stringify(members)}`).toBe(true)
        const fields = JSON.parse(JSON.stringify(fieldsOf(explanation))) as object
        expect(isFields(fields), `${ajv.errorsText(isFields.errors)}\n${JSON.stringify(fields)}`).toBe(true)
        for (const { held, steps } of explanation.prices) {
          if (held !== null) seen.add('held')
          for (const { step } of steps) seen.add(`step ${step}`)
        }
        for (const { by } of explanation.exclusion.found) seen.add(`excluded by ${by}`)
        for (const { ineligible } of explanation.offers) seen.add(`offer ${ineligible}`)
        seen.add(`listed by ${explanation.listing.by}`)
        if (explanation.sku.pattern !== null) seen.add('pattern')
      }
    }),
    { seed, numRuns: 300 },
  )
  // 300 runs with another seed may miss a rare member
  if (seed !== FIXED_SEED) return
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'held',
      'pattern',
      'excluded by hand',
      'excluded by rule',
      'excluded by no_price',
      'listed by hand',
      'listed by rule',
      'listed by default',
      'step markup',
      'step margin',
      'step fixed',
      'step floor_margin',
      'step rounding',
      'offer inactive_supplier',
      'offer no_exchange_rate',
    ]),
  )
})
