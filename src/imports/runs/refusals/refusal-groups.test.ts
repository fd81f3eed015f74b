import { expect, test } from 'vitest'
import { LIMITS } from '../../../platform/limits.ts'
import { readQuantity } from '../../../input/quantity.ts'
import { RefusalGroups } from './refusal-groups.ts'

const refusal = (value: string) => {
  const verdict = readQuantity(value)
  return [{ name: 'quantity', reason: 'reason' in verdict ? verdict.reason : '' }]
}

test('refusals of few values are grouped by value, the most frequent first, with the first examples', () => {
  const groups = new RefusalGroups()
  for (let line = 2; line < 97; line++) groups.add(line, `A${line}`, refusal('perhaps'))
  groups.add(97, null, refusal('soon"\n'))
  groups.add(98, 'a', [{ name: 'sku', reason: '"C:\\x" is a duplicate of line 7, which is used' }])
  expect(groups.groups()).toMatchObject([
    { field: 'quantity', reason: expect.stringContaining('not "perhaps"'), count: 95 },
    { field: 'quantity', count: 1, examples: [{ line: 97, sku: null, value: 'soon"\n' }] },
    { field: 'sku', count: 1, examples: [{ value: 'C:\\x' }] },
  ])
  expect(groups.groups()[0]?.examples).toEqual(
    Array.from({ length: LIMITS.importRefusalExamples }, (_, i) => ({
      line: i + 2,
      sku: `A${i + 2}`,
      value: 'perhaps',
    })),
  )
})

test('refusals of many values are one group, and numbers of lines tell none apart', () => {
  const groups = new RefusalGroups()
  for (let i = 0; i < 1_000; i++) {
    groups.add(i, null, refusal(`word ${i}`))
    groups.add(i, null, [{ name: `attributes.${i}`, reason: `is the same as in line ${i}` }])
  }
  expect(groups.groups()).toMatchObject([
    { field: 'quantity', reason: expect.stringContaining('not "…"'), count: 1_000 },
    { field: 'attributes', count: 1_000 },
  ])
})

test('memory is bounded whatever the reasons are', () => {
  const groups = new RefusalGroups()
  for (let i = 0; i < 5_000; i++) groups.add(i, null, [{ name: 'row', reason: `is ${'x'.repeat(i % 1_000)}` }])
  const found = groups.groups()
  expect(found).toHaveLength(LIMITS.importRefusalGroupsMax)
  expect(found[0]).toMatchObject({
    reason: 'is refused for another reason',
    count: 5 * (1_000 - LIMITS.importRefusalGroupsMax),
  })
})
