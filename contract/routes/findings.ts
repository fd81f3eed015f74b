import { ConfirmBody, Confirmed, Findings } from '../findings.ts'
import { readRoute, writeRoute } from '../route.ts'
import { WRITES } from './write-note.ts'

// What an account's owner should look at.

export const GET_FINDINGS = readRoute({
  id: 'getFindings',
  path: '/v1/account/findings',
  tag: 'findings',
  summary: 'Read what should be looked at',
  description: 'EANs and SKUs that collide, offers without a rate, prices that are held back; the first 1,000 of each.',
  answer: { data: Findings },
  returns: 'What was found; empty lists where all is well.',
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

export const FINDING_ROUTES = [GET_FINDINGS, CONFIRM_PRICES] as const
