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
  summary: 'Read what should be looked at',
  description:
    'EANs and SKUs that collide, offers without a rate, variants that cannot be told apart, prices that are held back; the first 1,000 of each. And what is incomplete.',
  answer: { data: Findings },
  returns: 'What was found; empty lists where all is well.',
})

export const GET_COMPLETENESS = readRoute({
  id: 'getCompleteness',
  path: '/v1/account/findings/completeness',
  tag: 'findings',
  summary: 'Read what is incomplete',
  description:
    'What products lack in each store, offers of rows that could not be read, and silent suppliers: the member completeness of the findings alone. It is answered at once, whatever the size of the catalog.',
  answer: { data: Completeness },
  returns: 'Counts, with the first of each.',
})

export const LIST_GAPS = readRoute({
  id: 'listGaps',
  path: '/v1/account/findings/gaps/{gap}',
  tag: 'findings',
  summary: 'List products with a gap',
  description: 'By product ID ascending.',
  params: { gap: PathKey(`One of ${Object.keys(GAP_TEXTS).join(', ')}.`) },
  query: { store: StoreSlug, per_page: PerPage, after: AfterId },
  answer: { list: ProductWithGap, meta: listMeta({ after: Type.Integer() }) },
  returns: 'A page of the products that lack it in the store.',
  problems: ['unknown-reference', 'unknown-store'],
})

export const LIST_STALE_OFFERS = readRoute({
  id: 'listStaleOffers',
  path: '/v1/account/findings/stale-offers/{code}',
  tag: 'findings',
  summary: 'List a supplier’s stale offers',
  description:
    'Offers that keep what they had, because a row of them could not be read. By the supplier’s key ascending.',
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
  description: `The newly resolved prices are shown, however far they jumped. ${WRITES}`,
  body: { noun: 'confirmation', schema: ConfirmBody },
  answer: { data: Confirmed },
  returns: 'How many were confirmed.',
  problems: ['unknown-product'],
  statuses: [200],
})

export const FINDING_ROUTES = [GET_FINDINGS, GET_COMPLETENESS, LIST_GAPS, LIST_STALE_OFFERS, CONFIRM_PRICES] as const
