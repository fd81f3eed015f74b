import { LIMITS } from '../../platform/limits.ts'

// Refusals: answers that say the body is at fault. Smaller windows find the product that causes them. Pure.

/** How large windows may be at the moment, and which products are suspects. */
export interface RefusalState {
  /** Products per window, at most. */
  batchLimit: number
  /** Answers with 400, 413 or 422 since the last 2xx. */
  refusals: number
  /** Answers with 2xx in a row while the limit is lowered. */
  accepted: number
  /** Products that were refused alone, in the order of the change log. */
  suspectIds: readonly number[]
}

export const NO_REFUSALS: RefusalState = {
  batchLimit: LIMITS.webhookProductsMax,
  refusals: 0,
  accepted: 0,
  suspectIds: [],
}

/** Whether the answer says that the body is at fault. */
export function isRefusal(status: number | null): boolean {
  return status === 400 || status === 413 || status === 422
}

/**
 * After a refusal. 413 halves the limit at once; 400 and 422 do at the third in a row, and then at each. A product refused alone
 * becomes a suspect and the next one is tried; after more than LIMITS.webhookSuspectsMax suspects the endpoint itself is at fault.
 * @returns the new state, and whether the plan is void and its window to be read again.
 */
export function afterRefusal(
  state: RefusalState,
  status: number,
  productIds: readonly number[],
): { state: RefusalState; isVoid: boolean } {
  const refusals = state.refusals + 1
  const isLowered = state.batchLimit < LIMITS.webhookProductsMax
  if (status !== 413 && refusals < LIMITS.webhookRefusalsBeforeHalving && !isLowered)
    return { state: { ...state, refusals }, isVoid: false }
  const [only] = productIds
  if (productIds.length > 1) {
    const batchLimit = Math.max(1, Math.floor(Math.min(state.batchLimit, productIds.length) / 2))
    return { state: { batchLimit, refusals, accepted: 0, suspectIds: [] }, isVoid: true }
  }
  if (only === undefined) return { state: { ...state, refusals }, isVoid: false }
  const suspectIds = state.suspectIds.includes(only) ? state.suspectIds : [...state.suspectIds, only]
  if (suspectIds.length > LIMITS.webhookSuspectsMax) return { state: NO_REFUSALS, isVoid: true }
  return { state: { batchLimit: 1, refusals, accepted: 0, suspectIds }, isVoid: true }
}

/** After a 2xx of a delivery from the log. A lowered limit is doubled after LIMITS.webhookAcceptedBeforeDoubling of them. */
export function afterAcceptance(state: RefusalState): RefusalState {
  // a product after the suspects was accepted: the suspects are parked, and windows are full again
  if (state.suspectIds.length > 0 || state.batchLimit >= LIMITS.webhookProductsMax) return NO_REFUSALS
  const accepted = state.accepted + 1
  if (accepted < LIMITS.webhookAcceptedBeforeDoubling) return { ...state, accepted, refusals: 0 }
  return {
    batchLimit: Math.min(LIMITS.webhookProductsMax, state.batchLimit * 2),
    accepted: 0,
    refusals: 0,
    suspectIds: [],
  }
}
