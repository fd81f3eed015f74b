import type { Handlers } from '../context.ts'
import { bulkHandlers } from './bulk.ts'
import { channelHandlers } from './channels.ts'
import { assortmentRules } from './assortment-rules.ts'
import { attributes } from './attributes.ts'
import { categories } from './categories.ts'
import { exclusionRules } from './exclusion-rules.ts'
import { fieldsHandlers } from './explain.ts'
import { findingHandlers } from './findings.ts'
import { imageHandlers } from './images.ts'
import { importHandlers } from './imports.ts'
import { groups } from './groups.ts'
import { offerHandlers } from './offers.ts'
import { operationHandlers } from './operations.ts'
import { priceHistoryHandlers } from './price-history.ts'
import { pricingRules } from './pricing-rules.ts'
import { productHandlers } from './products.ts'
import { rates } from './rates.ts'
import { settingsHandlers } from './settings.ts'
import { sourceHandlers } from './sources.ts'
import { sourceOrders } from './source-orders.ts'
import { stockHandlers } from './stock.ts'
import { stores } from './stores.ts'
import { suppliers } from './suppliers.ts'

/** Everything below /v1/account. */
export const accountHandlers: readonly Handlers[] = [
  settingsHandlers,
  stores,
  groups,
  rates,
  categories,
  attributes,
  suppliers,
  sourceHandlers,
  sourceOrders,
  pricingRules,
  exclusionRules,
  assortmentRules,
  channelHandlers,
  productHandlers,
  fieldsHandlers,
  priceHistoryHandlers,
  stockHandlers,
  offerHandlers,
  importHandlers,
  imageHandlers,
  bulkHandlers,
  operationHandlers,
  findingHandlers,
]
