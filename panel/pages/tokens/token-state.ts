import type { Answer } from '../../api/client.ts'
import type { Tone } from '../../components/state-mark.tsx'

export type Token = Answer<'GET /panel/api/accounts/{account_id}/tokens'>['data'][number]
export type NewToken = Answer<'POST /panel/api/accounts/{account_id}/tokens'>['data']

/** The key of the words that describe a token's access. */
export const accessOf = ({ access, sees_costs: seesCosts }: Token) => (seesCosts ? access : 'connectorWithoutCosts')

export const TONES: Readonly<Record<Token['state'], Tone>> = { active: 'good', expired: 'warn', revoked: 'off' }
