import Type from 'typebox'
import { Completeness, ConfirmBody, Confirmed, Findings, GAP_TEXTS, ProductWithGap, StaleOffer } from '../findings.ts'
import { AfterId, AfterSku, PathKey, PerPage, StoreSlug } from '../parameters.ts'
import { listMeta, readRoute, writeRoute } from '../route.ts'
import { WRITES } from './write-note.ts'

// Findings: what an account's owner should look at.

export const GET_FINDINGS = readRoute({
  id: 'getFindings',
  path: '/v1/account/findings',
  tag: 'findings',
  summary: 'Read the findings',
  description:
    'Problems that the account’s owner should look at, such as colliding EANs and SKUs, offers without an exchange rate, variants that cannot be told apart, and held prices; the first 1,000 of each kind. Also what is incomplete (completeness).',
  answer: { data: Findings },
  returns: 'All findings; lists are empty if nothing was found.',
})

export const GET_COMPLETENESS = readRoute({
  id: 'getCompleteness',
  path: '/v1/account/findings/completeness',
  tag: 'findings',
  summary: 'Read the completeness of products',
  description:
    'Only the member completeness of the findings: what products lack in each store, offers whose row could not be read, and suppliers without recent imports. The answer is fast, whatever the size of the catalog.',
  answer: { data: Completeness },
  returns: 'Numbers of products, offers and suppliers, with the first ones of each.',
})

export const LIST_GAPS = readRoute({
  id: 'listGaps',
  path: '/v1/account/findings/gaps/{gap}',
  tag: 'findings',
  summary: 'List products with a gap',
  description: 'Products of a store that have a gap of one kind, by product ID ascending.',
  params: { gap: PathKey(`Kind of gap: one of ${Object.keys(GAP_TEXTS).join(', ')}.`) },
  query: { store: StoreSlug, per_page: PerPage, after: AfterId },
  answer: { list: ProductWithGap, meta: listMeta({ after: Type.Integer() }) },
  returns: 'A page of the products with the gap.',
  problems: ['unknown-reference', 'unknown-store'],
})

export const LIST_STALE_OFFERS = readRoute({
  id: 'listStaleOffers',
  path: '/v1/account/findings/stale-offers/{code}',
  tag: 'findings',
  summary: 'List a supplier’s stale offers',
  description:
    'Offers that keep their old values, because a row that is or may be about them could not be read, by key ascending.',
  params: { code: PathKey('The supplier’s code.') },
  query: {
    per_page: PerPage,
    after: AfterSku,
  },
  answer: { list: StaleOffer, meta: listMeta({ after: Type.String() }) },
  returns: 'A page of the supplier’s stale offers.',
  problems: ['unknown-supplier'],
})

export const CONFIRM_PRICES = writeRoute({
  id: 'confirmPrices',
  method: 'post',
  path: '/v1/account/findings/confirm-prices',
  tag: 'findings',
  summary: 'Confirm held prices',
  description: `Shows the new prices of products instead of the held ones, however much they differ. ${WRITES}`,
  body: { noun: 'confirmation', schema: ConfirmBody },
  answer: { data: Confirmed },
  returns: 'Number of products or prices that were confirmed.',
  problems: ['unknown-product'],
  statuses: [200],
})

export const FINDING_ROUTES = [GET_FINDINGS, GET_COMPLETENESS, LIST_GAPS, LIST_STALE_OFFERS, CONFIRM_PRICES] as const
