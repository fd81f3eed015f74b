import { LIMITS } from '../../platform/limits.ts'

// Refusals: answers that blame the body. Smaller windows find the product that causes them. Pure.

/** The present size of windows, and the suspects. */
export interface RefusalState {
  /** The maximum number of products per window. */
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

/** Whether an answer blames the body. */
export function isRefusal(status: number | null): boolean {
  return status === 400 || status === 413 || status === 422
}

/**
 * The state after a refusal. 413 halves the limit at once; 400 and 422 halve it at the third in a row, and then each time. A
 * product refused alone becomes a suspect, and the next product is tried; after more than LIMITS.webhookSuspectsMax suspects, the
 * endpoint itself is considered at fault.
 * @returns the new state, and whether the plan is void, so that its window has to be read again.
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

/**
 * The state after a 2xx for a delivery from the log. A lowered limit is doubled after LIMITS.webhookAcceptedBeforeDoubling of
 * them.
 */
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
