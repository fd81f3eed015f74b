import type { ChangedMembers } from '../../../../contract/account-resource.ts'
import { VARIANT_GROUPS } from '../../../../contract/account-resources.ts'
import {
  variantGroupGet,
  variantGroupsList,
  variantGroupsPage,
  type VariantGroupRow,
} from '../../../catalog/products/variants/variant-groups.sql.ts'
import {
  createVariantGroup,
  deleteVariantGroup,
  editVariantGroup,
  type VariantGroupChanges,
} from '../../../catalog/products/variants/variant-groups.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { collection } from '../collection.ts'

/** /v1/account/variant-groups */
export const variantGroups = collection({
  resource: VARIANT_GROUPS,
  list: variantGroupsList,
  apart: {
    get: variantGroupGet,
    page: (reader, accountId, after: number, limit) =>
      variantGroupsPage(reader, accountId, after, limit, LIMITS.ownVariantsPageMax),
  },
  keyOf: (row: VariantGroupRow) => row.groupId,
  represent: ({ groupId, title, options, products }) => ({
    id: groupId,
    title,
    options,
    products: products.map(({ productId, options: values }) => ({ product_id: productId, options: values })),
  }),
  defaults: { title: {}, options: [] },
  // in a patch, null for an entry removes the title of that locale; null for the map removes all
  merged: ['title'],
  create: (tx, accountId, members) => createVariantGroup(tx, accountId, changesOf(members)),
  edit: (tx, accountId, row, members) => editVariantGroup(tx, accountId, row, changesOf(members)),
  remove: deleteVariantGroup,
})

type Changed = ChangedMembers<typeof VARIANT_GROUPS, 'title' | 'options'>

function changesOf({ title, options, products }: Changed): VariantGroupChanges {
  return {
    ...(title === undefined ? {} : { title }),
    ...(options === undefined
      ? {}
      : { options: options.map(({ key, labels }) => ({ key, ...(labels === undefined ? {} : { labels }) })) }),
    ...(products === undefined
      ? {}
      : {
          products: products.map(({ product_id: productId, options: values }) => ({
            productId,
            ...(values === undefined ? {} : { options: values }),
          })),
        }),
  }
}
