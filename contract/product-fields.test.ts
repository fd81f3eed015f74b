import { describe, expect, it } from 'vitest'
import {
  COMPARED_FIELDS,
  isDimension,
  isInPayload,
  LISTED_NAMES,
  MAPPED_FIELDS,
  NAME_FIELDS,
  OVERRIDE_FIELDS,
  SOURCE_FIELDS,
  SOURCED_FIELDS,
  TEXT_FIELDS,
} from './product-fields.ts'
import { ProductCreate } from './product-resources.ts'
import { CONTENT_MEMBERS } from './schemas.ts'

const without = (...left: string[]) => SOURCE_FIELDS.filter((field) => !left.includes(field)).toSorted()

/** The descriptions of pictures have no source order: they are looked up by the pictures' URLs. */
const ALTS = 'image_alts'

// Every list that is derived from the table must contain every field, including fields that are added later.
describe('every field of a product', () => {
  it('is compared by imports, under the name that offers have; the SKU is what they find an offer by', () => {
    const compared = COMPARED_FIELDS.map((field) => (field === 'eans' ? 'ean' : field))
    expect(
      compared.filter((field) => !['cost', 'cost_tiers', 'currency', 'quantity', ALTS].includes(field)).toSorted(),
    ).toEqual(without('sku'))
  })

  it('is mapped from a file; attributes by key', () => {
    const mapped = MAPPED_FIELDS.filter((field) => !['cost', 'currency', 'quantity', 'dimensions'].includes(field))
    expect(mapped.toSorted()).toEqual(without('attributes'))
  })

  it('has its sources shown in the panel; attributes by key, and a SKU has none', () => {
    expect(SOURCED_FIELDS.toSorted()).toEqual(without('attributes', 'sku'))
  })

  it('can be set by the owner, of a product and in bulk', () => {
    expect(SOURCE_FIELDS.filter((field) => !(field in ProductCreate.properties))).toEqual([])
    expect(OVERRIDE_FIELDS.filter((field) => field !== ALTS).toSorted()).toEqual(without('attributes', 'ean', 'sku'))
  })

  it('is listed only where the payload has it', () => {
    expect(NAME_FIELDS.filter(isInPayload).filter((field) => !(field in CONTENT_MEMBERS))).toEqual([])
    expect(LISTED_NAMES.filter((field) => !isInPayload(field) && !isDimension(field))).toEqual([])
    expect(TEXT_FIELDS.filter((field) => !(field in CONTENT_MEMBERS))).toEqual([])
  })
})
