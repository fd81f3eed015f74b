import { accountSettings } from './settings.ts'
import { assortmentRuleSources } from './assortment-rules.ts'
import { attributeSources } from './attributes.ts'
import { bulkRoutes } from './bulk.ts'
import { categorySources } from './categories.ts'
import { channelRoutes } from './channels.ts'
import { exclusionRuleSources } from './exclusion-rules.ts'
import { fieldsRoute } from './explain.ts'
import { findingRoutes } from './findings.ts'
import { groupSources } from './groups.ts'
import { offerRoutes } from './offers.ts'
import { operationRoutes } from './operations.ts'
import { priceHistoryRoute } from './price-history.ts'
import { pricingRuleSources } from './pricing-rules.ts'
import { productSourceRoutes } from './products.ts'
import { rateSources } from './rates.ts'
import { sourceOrderSources } from './source-orders.ts'
import { stockRoutes } from './stock.ts'
import { storeSources } from './stores.ts'
import { supplierSources } from './suppliers.ts'

/** Everything below /v1/account. */
export const accountRoutes = [
  accountSettings,
  storeSources,
  groupSources,
  rateSources,
  categorySources,
  attributeSources,
  supplierSources,
  sourceOrderSources,
  pricingRuleSources,
  exclusionRuleSources,
  assortmentRuleSources,
  channelRoutes,
  productSourceRoutes,
  fieldsRoute,
  priceHistoryRoute,
  stockRoutes,
  offerRoutes,
  bulkRoutes,
  operationRoutes,
  findingRoutes,
]
