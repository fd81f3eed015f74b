import type { Handlers } from '../context.ts'
import { operatorAccountHandlers } from './accounts.ts'
import { operatorErasureHandlers } from './erasures.ts'
import { operatorLimitHandlers } from './limits.ts'

/** Routes below /v1/operator. */
export const operatorHandlers: readonly Handlers[] = [
  operatorAccountHandlers,
  operatorErasureHandlers,
  operatorLimitHandlers,
]
