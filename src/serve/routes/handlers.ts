import type { Handlers } from '../context.ts'
import { changesHandlers } from './changes.ts'
import { exportHandlers } from './export.ts'
import { productHandlers } from './products.ts'
import { storeHandlers } from './stores.ts'

/** The finished catalog, below /v1. */
export const catalogHandlers: readonly Handlers[] = [productHandlers, storeHandlers, changesHandlers, exportHandlers]
