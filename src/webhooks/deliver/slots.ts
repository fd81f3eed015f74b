import { LIMITS } from '../../platform/limits.ts'

/** Places for the deliveries that this process may have in flight. Failing and slow (impaired) endpoints may take half of them. */
export interface Slots {
  take(isImpaired: boolean): boolean
  giveBack(isImpaired: boolean): void
  inFlight(): number
  /** Whether none is free. */
  isFull(): boolean
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
    isFull: () => all >= max,
  }
}
