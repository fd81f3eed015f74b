import type { Handlers } from '../context.ts'
import { categoryHandlers } from './categories.ts'
import { changesHandlers } from './changes.ts'
import { customerGroupHandlers } from './customer-groups.ts'
import { digestHandlers } from './digest.ts'
import { exportHandlers } from './export.ts'
import { mirrorCheckHandlers } from './mirror-checks.ts'
import { productHandlers } from './products.ts'
import { storeHandlers } from './stores.ts'
import { variantGroupHandlers } from './variant-groups.ts'

/** The finished catalog, below /v1. */
export const catalogHandlers: readonly Handlers[] = [
  productHandlers,
  storeHandlers,
  customerGroupHandlers,
  variantGroupHandlers,
  categoryHandlers,
  changesHandlers,
  exportHandlers,
  digestHandlers,
  mirrorCheckHandlers,
]
