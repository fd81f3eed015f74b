import type { Handlers } from '../context.ts'
import { attributeValueHandlers } from './content/attribute-values.ts'
import { bulkHandlers } from './operations/bulk.ts'
import { channelHandlers } from './settings/channels.ts'
import { collectionHandlers } from './collection.ts'
import { fieldsHandlers } from './products/explain.ts'
import { findingHandlers } from './products/findings.ts'
import { imageHandlers } from './products/images.ts'
import { importHandlers } from './imports/imports.ts'
import { noticeChannelHandlers } from './settings/notice-channels.ts'
import { offerHandlers } from './offers/offers.ts'
import { limitHandlers } from './settings/limits.ts'
import { operationHandlers } from './operations/operations.ts'
import { priceHistoryHandlers } from './pricing/price-history.ts'
import { priceListHandlers } from './pricing/price-list-entries.ts'
import { productHandlers } from './products/products.ts'
import { resourcesWith } from './resources.ts'
import { settingsHandlers } from './settings/settings.ts'
import { sourceHandlers } from './imports/sources.ts'
import { stockHandlers } from './offers/stock.ts'

/** Everything below /v1/account. */
export const accountHandlers: readonly Handlers[] = [
  settingsHandlers,
  limitHandlers,
  (app, context) => {
    for (const one of resourcesWith(context)) collectionHandlers(one)(app, context)
  },
  attributeValueHandlers,
  priceListHandlers,
  sourceHandlers,
  channelHandlers,
  noticeChannelHandlers,
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
