import type { Handlers } from '../context.ts'
import { attributeValueHandlers } from './attribute-values.ts'
import { bulkHandlers } from './bulk.ts'
import { channelHandlers } from './channels.ts'
import { collectionHandlers } from './collection.ts'
import { fieldsHandlers } from './explain.ts'
import { findingHandlers } from './findings.ts'
import { imageHandlers } from './images.ts'
import { importHandlers } from './imports.ts'
import { noticeChannelHandlers } from './notice-channels.ts'
import { offerHandlers } from './offers.ts'
import { limitHandlers } from './limits.ts'
import { operationHandlers } from './operations.ts'
import { priceHistoryHandlers } from './price-history.ts'
import { priceListHandlers } from './price-list-entries.ts'
import { productHandlers } from './products.ts'
import { resourcesWith } from './resources.ts'
import { settingsHandlers } from './settings.ts'
import { sourceHandlers } from './sources.ts'
import { stockHandlers } from './stock.ts'

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
