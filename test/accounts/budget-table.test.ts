import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BUDGET_NAMES, budgetOf } from '../../contract/account-limits.ts'
import { defaultLimits, readLimits } from '../../src/platform/limits/account-limits.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('docs/operations.md has every budget with its default and what it is', () => {
  const page = read('docs/operations.md')
  for (const name of BUDGET_NAMES) {
    const { default: byDefault, description } = budgetOf(name)
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    expect([name, row]).toEqual([name, expect.stringContaining(byDefault.toLocaleString('en'))])
    expect(row).toContain(description)
  }
})

test('the panel has words for every budget, and for no other', () => {
  for (const language of ['en', 'de', 'pl']) {
    const { budgets } = JSON.parse(read(`panel/words/${language}/limits.json`)) as { budgets: object }
    expect(Object.keys(budgets)).toEqual(BUDGET_NAMES)
  }
})

test('limits are read from text, and what is wrong with it is said', () => {
  expect(readLimits('products=5, offers = none,')).toEqual({ products: 5, offers: null })
  for (const [text, fault] of [
    ['product=5', 'names "product", which is no budget'],
    ['products', 'has "products"'],
    ['products=-1', 'has "products=-1"'],
    ['products=1=2', 'has "products=1=2"'],
    ['products=99999999999999999', 'has "products='],
    ['products=1,products=2', 'names "products" twice'],
    ['toString=1', 'names "toString", which is no budget'],
  ] as const)
    expect(readLimits(text)).toEqual(expect.stringContaining(fault))
})

test('an account may send five times what a token may, unless it is set', () => {
  expect(defaultLimits(100, {}).requests_per_second).toBe(500)
  expect(defaultLimits(0, {}).requests_per_second).toBe(null)
  expect(defaultLimits(0, { requests_per_second: 9, stores: null })).toMatchObject({
    requests_per_second: 9,
    stores: null,
  })
})
