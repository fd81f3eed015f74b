import type { Tone } from '../components/state-mark.tsx'
import type { Delivery } from './log-source.ts'

/** How each state of a delivery is marked. */
export const DELIVERY_TONES: Readonly<Record<Delivery['state'], Tone>> = {
  delivered: 'good',
  waiting: 'busy',
  failed: 'bad',
  parked: 'warn',
  expired: 'off',
  void: 'off',
  empty: 'off',
}
