import { LIMITS } from '../../platform/limits.ts'

/** How many deliveries this process may have in flight, of which failing and slow endpoints may take half. */
export interface Slots {
  take(isImpaired: boolean): boolean
  giveBack(isImpaired: boolean): void
  inFlight(): number
}

export function openSlots(
  max: number = LIMITS.webhookInFlightMax,
  impairedMax: number = LIMITS.webhookImpairedInFlightMax,
): Slots {
  let all = 0
  let impaired = 0
  return {
    take(isImpaired) {
      if (all >= max || (isImpaired && impaired >= impairedMax)) return false
      all++
      if (isImpaired) impaired++
      return true
    },
    giveBack(isImpaired) {
      all--
      if (isImpaired) impaired--
    },
    inFlight: () => all,
  }
}
