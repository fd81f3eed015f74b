import type { Tx } from '../../src/db/sql.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { offer, type Said, type TestAccount } from '../harness/account.ts'

/** The account and resources with which a case works. */
export interface Ground {
  account: TestAccount
  /** p1: offers of both suppliers; p2: of the first only, with images; p3: own stock; p4: an offer of the second only. */
  p1: number
  p2: number
  p3: number
  p4: number
  /** A rule before the default one that matches only Hand tools of Acme in the first store. */
  ruleId: number
  exclusionId: number
  assortmentId: number
}

type Work = (tx: Tx, ground: Ground) => Promise<Said>
export type Kind = 'price' | 'content' | 'removed'

/** Changes one input, after `before` has made it effective, and the exact kinds that the feed must then announce. */
export interface Case {
  before?: Work
  /** Further preparations, each shelved separately. */
  between?: readonly Work[]
  change: Work
  kinds: readonly Kind[]
}

const ALL = { cost: '10.00', quantity: 5 }
export const OFFERS: Record<'first' | 'second', OfferRecord[]> = {
  first: [
    offer('A1', { ...ALL, eans: ['4006381333931', '96385074'] }),
    offer('A2', {
      ...ALL,
      manufacturer: 'Bolt',
      images: ['https://images.example.com/a2.jpg'],
      attributes: [{ key: 'weight', value: '1.5' }],
    }),
    offer('A3', ALL),
  ],
  second: [
    offer('B1', {
      cost: '48.00',
      quantity: 9,
      eans: ['4006381333931'],
      manufacturer: 'Zeta',
      category: 'Other',
      texts: { en: { title: 'Second' } },
    }),
    offer('B4', { cost: '20.00', quantity: 3 }),
  ],
}

export async function defaultRule(tx: Tx, account: TestAccount): Promise<number> {
  const [row] = await tx<
    { rule_id: number }[]
  >`select rule_id from pricing_rule where account_id = ${account.accountId} and is_default`
  return row?.rule_id ?? 0
}
