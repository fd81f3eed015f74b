import { expect, test } from 'vitest'
import { codeOf } from '../../panel/resources/code.ts'
import { asTyped } from '../../panel/resources/decimal-sign.ts'
import { withProposals } from '../../panel/resources/field.ts'

// What the form of a new resource proposes.

test('a code is made of the letters and digits of a name', () => {
  expect(
    ['North', 'Müller & Söhne GmbH', '  Straße 7 ', 'Łódź – Hurt', 'Ærø', 'Крепёж', 'x'.repeat(80)].map(codeOf),
  ).toEqual(['north', 'muller-sohne-gmbh', 'strasse-7', 'lodz-hurt', 'aero', '', 'x'.repeat(63)])
  // cut where a hyphen would be the last character
  expect(codeOf(`${'x'.repeat(62)} y`)).toBe('x'.repeat(62))
})

test('a proposed member follows what it is proposed from until it is typed', () => {
  const spec = { proposed: { code: ({ name }: { name?: unknown }) => codeOf(String(name)) } }
  const first = withProposals(spec, { name: '', code: '' }, { name: 'North' })
  expect(first).toEqual({ name: 'North', code: 'north' })
  expect(withProposals(spec, first, { name: 'North Sea' })).toEqual({ name: 'North Sea', code: 'north-sea' })
  expect(withProposals(spec, first, { code: 'n' })).toEqual({ code: 'n' })
  expect(withProposals(spec, { name: 'North', code: 'n' }, { name: 'South' })).toEqual({ name: 'South' })
  expect(withProposals({}, { name: 'North', code: 'n' }, { name: 'South' })).toEqual({ name: 'South' })
})

test('a decimal stands in a field as its reader types it', () => {
  expect(['en', 'de', 'pl'].map((language) => asTyped('-0.50', language))).toEqual(['-0.50', '-0,50', '-0,50'])
  expect(['3', '', 'a.b', '1.2.3'].map((text) => asTyped(text, 'de'))).toEqual(['3', '', 'a.b', '1.2.3'])
})
