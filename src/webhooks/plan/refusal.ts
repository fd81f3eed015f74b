import { LIMITS } from '../../platform/limits.ts'

// What an endpoint refuses because of what is in it. Pure.

/** How large bodies may be at the moment, and who is suspected. */
export interface Diet {
  /** Products per plan. */
  batchLimit: number
  /** 400, 413 and 422 since the last 2xx. */
  refusals: number
  /** 2xx in a row while the limit is lowered. */
  accepted: number
  /** Products that were refused alone, in the order of the log. */
  suspectIds: readonly number[]
}

export const FULL_DIET: Diet = { batchLimit: LIMITS.webhookProductsMax, refusals: 0, accepted: 0, suspectIds: [] }

/** Whether the answer says that the body is at fault. */
export function isRefusal(status: number | null): boolean {
  return status === 400 || status === 413 || status === 422
}

/**
 * After a refusal: 413 halves at once, 400 and 422 at the third in a row and then at each. A product refused alone becomes
 * a suspect and the next one is tried; when as many as LIMITS.webhookSuspectsMax were refused, it is the endpoint.
 * @returns the new diet, and whether the plan at hand is void and its window to be read afresh.
 */
export function afterRefusal(
  diet: Diet,
  status: number,
  productIds: readonly number[],
): { diet: Diet; isVoid: boolean } {
  const refusals = diet.refusals + 1
  const isLowered = diet.batchLimit < LIMITS.webhookProductsMax
  if (status !== 413 && refusals < LIMITS.webhookRefusalsBeforeHalving && !isLowered)
    return { diet: { ...diet, refusals }, isVoid: false }
  const [only] = productIds
  if (productIds.length > 1) {
    const batchLimit = Math.max(1, Math.floor(Math.min(diet.batchLimit, productIds.length) / 2))
    return { diet: { batchLimit, refusals, accepted: 0, suspectIds: [] }, isVoid: true }
  }
  if (only === undefined) return { diet: { ...diet, refusals }, isVoid: false }
  const suspectIds = diet.suspectIds.includes(only) ? diet.suspectIds : [...diet.suspectIds, only]
  if (suspectIds.length > LIMITS.webhookSuspectsMax) return { diet: FULL_DIET, isVoid: true }
  return { diet: { batchLimit: 1, refusals, accepted: 0, suspectIds }, isVoid: true }
}

/** After a 2xx of a delivery from the log. A lowered limit is doubled after LIMITS.webhookAcceptedBeforeDoubling of them. */
export function afterAcceptance(diet: Diet): Diet {
  // the next one passed: the suspects are parked with it, and everything else is taken as before
  if (diet.suspectIds.length > 0 || diet.batchLimit >= LIMITS.webhookProductsMax) return FULL_DIET
  const accepted = diet.accepted + 1
  if (accepted < LIMITS.webhookAcceptedBeforeDoubling) return { ...diet, accepted, refusals: 0 }
  return {
    batchLimit: Math.min(LIMITS.webhookProductsMax, diet.batchLimit * 2),
    accepted: 0,
    refusals: 0,
    suspectIds: [],
  }
}
