import type { SourceRules } from '../../imports/sources/edit-sources.ts'
import type { NoticeChannelTools } from '../../notices/notice-channels.ts'
import { assortmentRules } from './assortment-rules.ts'
import { attributes } from './attributes.ts'
import { categories } from './categories.ts'
import { channels } from './channels.ts'
import type { Untyped } from './collection.ts'
import { exclusionRules } from './exclusion-rules.ts'
import { groups } from './groups.ts'
import { noticeChannelsWith } from './notice-channels.ts'
import { pricingRules } from './pricing-rules.ts'
import { rates } from './rates.ts'
import { sourceOrders } from './source-orders.ts'
import { sourcesWith } from './sources.ts'
import { stores } from './stores.ts'
import { suppliers } from './suppliers.ts'
import { priceLists } from './price-lists.ts'
import { taxClasses } from './tax-classes.ts'
import { variantGroups } from './variant-groups.ts'

/** Tools with which some resources check, seal and try their values. */
export interface ResourceTools {
  noticeChannels: NoticeChannelTools
  sources: { rules: SourceRules }
}

/** Every account resource, for HTTP and for commands. */
export const resourcesWith = (tools: ResourceTools): readonly Untyped[] => [
  stores,
  groups,
  rates,
  taxClasses,
  priceLists,
  categories,
  attributes,
  variantGroups,
  suppliers,
  sourcesWith(tools.sources.rules),
  sourceOrders,
  pricingRules,
  exclusionRules,
  assortmentRules,
  channels,
  noticeChannelsWith(tools.noticeChannels),
]
