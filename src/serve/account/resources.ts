import type { SourceRules } from '../../imports/sources/edit-sources.ts'
import type { NoticeChannelTools } from '../../notices/notice-channels.ts'
import { assortmentRules } from './rules/assortment-rules.ts'
import { attributes } from './content/attributes.ts'
import { categories } from './content/categories.ts'
import { channels } from './settings/channels.ts'
import type { Untyped } from './collection.ts'
import { exclusionRules } from './rules/exclusion-rules.ts'
import { groups } from './settings/groups.ts'
import { noticeChannelsWith } from './settings/notice-channels.ts'
import { pricingRules } from './rules/pricing-rules.ts'
import { rates } from './pricing/rates.ts'
import { sourceOrders } from './imports/source-orders.ts'
import { sourcesWith } from './imports/sources.ts'
import { stores } from './settings/stores.ts'
import { suppliers } from './settings/suppliers.ts'
import { priceLists } from './pricing/price-lists.ts'
import { taxClasses } from './pricing/tax-classes.ts'
import { variantGroups } from './products/variant-groups.ts'

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
