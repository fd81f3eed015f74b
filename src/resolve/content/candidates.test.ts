import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawAccount, drawProduct } from '../arbitrary/arbitrary-inputs.ts'
import { drawsFrom } from '../arbitrary/draws.ts'
import { candidatesOf, type CandidateField } from './candidates.ts'
import { explain } from '../explain/explain.ts'
import { anAccount, anOffer, aProduct, aStore, aSupplier, compileAccount } from '../fixtures.ts'
import type { AccountInputs, ProductInputs } from '../inputs.ts'

const seed = Number(process.env['SEED'] ?? 20_261_122)
const numbers = fc.array(fc.nat(), { maxLength: 800, size: 'max' })
const FIELDS = ['title', 'description', 'manufacturer', 'category', 'ean'] as const

/** Value, abbreviated source, and why it is behind the first. */
const chain = (account: AccountInputs, product: ProductInputs, field: CandidateField, key = '', storeId = 1) =>
  candidatesOf(compileAccount(account), product, storeId, field, key, 50)?.map(({ value, source, behind }) => [
    value,
    source.from === 'override' ? `own ${source.locale}` : `s${source.supplierId} ${source.locale}`,
    behind,
  ])

test(`the first candidate is what the store shows, from the source that explain names, and no source comes twice (SEED=${seed})`, () => {
  let found = 0
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      const product = drawProduct(drawsFrom(forProduct))
      for (const { store } of compiled.stores) {
        const why = explain(compiled, product, store.storeId)
        for (const field of FIELDS) {
          const candidates = candidatesOf(compiled, product, store.storeId, field, '', 1_000) ?? []
          const [first] = candidates
          expect([field, first?.value ?? null, first?.source ?? null]).toEqual([
            field,
            why?.[field].value,
            why?.[field].source,
          ])
          expect(candidates.map(({ behind }) => behind === null)).toEqual(candidates.map((_, i) => i === 0))
          const sources = candidates.map(({ source }) => JSON.stringify(source))
          expect(new Set(sources).size).toBe(sources.length)
          found += candidates.length
        }
        for (const { key, value, source } of why?.attributes ?? []) {
          const [first] = candidatesOf(compiled, product, store.storeId, 'attributes', key, 1_000) ?? []
          expect([key, first?.value, first?.source]).toEqual([key, value, source])
        }
      }
    }),
    { seed, numRuns: 200, interruptAfterTimeLimit: 20_000 },
  )
  expect(found).toBeGreaterThan(150)
})

test('a title: the own one, then suppliers of its locale in their order, then the next locale', () => {
  const account = anAccount({
    stores: [aStore({ locale: 'de' })],
    suppliers: [aSupplier(1, { priority: 20 }), aSupplier(2, { priority: 10 }), aSupplier(3, { isActive: false })],
  })
  const product = aProduct({
    offers: [
      anOffer(1, { texts: { de: { title: 'Eins' }, en: { title: 'One' } } }),
      anOffer(2, { texts: { de: { title: 'Zwei' } } }),
      anOffer(3, { texts: { de: { title: 'Drei' } } }),
    ],
    overrides: [{ field: 'title', locale: 'en', value: 'Mine' }],
  })
  expect(chain(account, product, 'title')).toEqual([
    ['Zwei', 's2 de', null],
    ['Eins', 's1 de', 'order'],
    ['Drei', 's3 de', 'inactive'],
    ['Mine', 'own en', 'locale'],
    ['One', 's1 en', 'locale'],
  ])
  const own = { ...product, overrides: [{ field: 'title' as const, locale: 'de', value: 'Meins' }] }
  expect(chain(account, own, 'title')?.slice(0, 2)).toEqual([
    ['Meins', 'own de', null],
    ['Zwei', 's2 de', 'override'],
  ])
})

test('an attribute that an override hides comes first without a value, and what it hides behind it', () => {
  const product = aProduct({
    offers: [anOffer(1, { attributes: [{ key: 'color', value: 'red' }] })],
    attributeOverrides: [{ key: 'color', locale: '', value: null }],
  })
  expect(chain(anAccount(), product, 'attributes', 'color')).toEqual([
    [null, 'own *', null],
    ['red', 's1 null', 'override'],
  ])
  expect(chain(anAccount(), product, 'attributes', 'size')).toEqual([])
})

test('an EAN that was chosen goes before those of the offers; pictures are never mixed', () => {
  const product = aProduct({
    offers: [anOffer(1, { images: ['https://a.example/1.jpg'] }), anOffer(2, { images: ['https://a.example/2.jpg'] })],
    overrides: [{ field: 'images', locale: '', value: '[]' }],
    eans: [
      { ean: '4006381333931', isPrimary: true, supplierId: 0, supplierSku: '', position: 0 },
      { ean: '4006381333948', isPrimary: false, supplierId: 2, supplierSku: 'S2', position: 0 },
    ],
  })
  expect(chain(anAccount(), product, 'ean')).toEqual([
    ['4006381333931', 'own ', null],
    ['4006381333948', 's2 null', 'override'],
  ])
  expect(chain(anAccount(), product, 'images')?.map(([value]) => value)).toEqual([
    [],
    ['https://a.example/1.jpg'],
    ['https://a.example/2.jpg'],
  ])
})

test('an unknown store has no candidates', () => {
  expect(candidatesOf(compileAccount(anAccount()), aProduct(), 9, 'title', '', 50)).toBeNull()
})
