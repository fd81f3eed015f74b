import type { Db } from '../../src/db/sql.ts'

const READ = [
  'payload_content_pkey by account_id, store_id, product_id',
  'variant_group_member_group by account_id, group_id',
]
const PLACES = 'variant_group_member_pkey by account_id, product_id'

const STATED = [
  'variant_group_member_group by account_id',
  'offer_content_pkey by account_id, product_id, supplier_id',
  'offer_content drops by ((variant_group ->> ?) = variant_group_member.group_key)',
  'offer_pkey by account_id, supplier_id, supplier_sku',
  'offer drops by (dropped_at IS NULL)',
  'offer_content drops by ((variant_group -> ?) <> ?)',
  'offer_content_pkey by account_id, product_id',
  'own_variant_group_pkey by account_id, group_id',
  'own_variant_pkey by account_id, product_id',
  'supplier by account_id, supplier_id',
  'supplier drops by (deleted_at IS NULL)',
]

const SPELLED = [
  'variant_group_member_group by account_id',
  'offer_content drops by ((variant_group -> ?) <> ?)',
  'offer_content_pkey by account_id, product_id',
  'offer_pkey by account_id, supplier_id, supplier_sku',
  'offer drops by (dropped_at IS NULL)',
  'own_variant_group_pkey by account_id, group_id',
  'own_variant_pkey by account_id, product_id',
  'supplier by account_id, supplier_id',
  'supplier drops by (deleted_at IS NULL)',
]

/** The expected access paths to the price lists of a product: first whether the account has any list, then its entries. */
export const LISTED = ['price_list_pkey by account_id', 'price_list_entry_list by account_id, product_id']

/** The expected access paths of statements about groups of variants. */
export const GROUP_PLANS = {
  'groups of variants after an id': [READ],
  'products of a group of variants': [READ],
  'where products are registered in groups': [[PLACES]],
  'findings: indistinct variants': [STATED],
  'findings: options that a group has twice': [SPELLED],
  'groups of keys': [['variant_group_member_key by account_id, supplier_id, group_key']],
  'input: products with their groups': [
    [
      'product_pkey by account_id, product_id',
      'variant_group_member_key by account_id',
      PLACES,
      'own_variant_group_pkey by account_id, group_id',
      'own_variant_of_group by account_id',
      'own_variant_pkey by account_id, product_id',
      'product_slug_of_product by account_id',
      'product_slug_of_product by account_id, product_id, retired',
      ...LISTED,
    ],
  ],
}

/** Puts all products of every account into groups of five, and every tenth into groups by hand. */
export async function fillGroups(db: Db): Promise<void> {
  await db.unsafe(`insert into variant_group_member (account_id, product_id, supplier_id, group_key, group_id, position)
    select account_id, product_id, 1, 'g' || product_id / 5, product_id / 5, product_id % 5 from product;
    insert into own_variant_group (account_id, group_id, title, options)
    select distinct account_id, product_id / 50, '{}'::jsonb, '[]'::jsonb from product;
    insert into own_variant (account_id, product_id, group_id, position, options)
    select account_id, product_id, product_id / 50, product_id % 50, '{}' from product where product_id % 10 = 0`)
}
