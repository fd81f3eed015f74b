import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'

// Pricing rules with as many and as long values as a rule may have.

/** How many an account has room for. */
export const LARGE_RULES = 60
const VALUES = 10_000

/** 10,000 names of manufacturers, 1 MB together, no two of which are in two rules. */
export const manufacturersOf = (rule: number): string[] =>
  Array.from({ length: VALUES }, (_, i) => `Manufacturer ${rule} ${i} `.padEnd(90, 'AB'))

/** The members of a rule as the API takes them. */
export const largeRule = (rule: number) => ({
  name: `R${rule}`,
  priority: 10 + rule,
  action: 'markup' as const,
  percent: '10',
  manufacturers: manufacturersOf(rule),
})

/** Creates rules without requests, which take five times as long. @returns their ids */
export async function createLargeRules(db: Db, accountId: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let rule = 0; rule < count; rule++) {
    const { value } = await inTransaction(db, (tx) => createRule(tx, accountId, largeRule(rule)))
    ids.push(value)
  }
  return ids
}
