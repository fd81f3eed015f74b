import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { Decimal, GivenId, must, NameOf, Null, orNull, Priority } from './values.ts'

/** Suppliers. Their sources are resources of their own (supplier-sources.ts). */
export const SUPPLIERS = {
  path: 'suppliers',
  noun: 'supplier',
  key: { name: 'code', isText: true, description: 'The supplier’s code.' },
  fields: {
    code: Type.String({
      description: 'Code of the supplier: 1 to 63 characters of a-z, 0-9 and -. Cannot be changed.',
    }),
    name: NameOf('supplier'),
    currency: Type.String({ description: 'Currency (ISO 4217) of costs that state none. Cannot be changed.' }),
    priority: Priority,
    safety_buffer: Type.Integer({
      description: 'Number of pieces that is subtracted from each quantity of the supplier.',
    }),
    is_active: Type.Boolean({
      description:
        'Whether the supplier is active. Offers of an inactive supplier do not provide costs or stock; its texts are used only if no other supplier has any.',
    }),
    cost_tax_country: orNull(
      Type.String({
        description:
          'Country (ISO 3166-1) whose tax the supplier’s costs include: it is taken out by the rate of the product’s tax class, and offers without a rate are not used. null: costs do not include tax.',
      }),
      'must be a string',
    ),
    list_price_tax: orNull(
      Type.String({
        description:
          'Country (ISO 3166-1) whose tax the supplier’s list prices include, or `none` if they include no tax. Stores with a tax_country then show them with or without tax like their prices, by the rates of the product’s tax class. null: list prices are shown as stated.',
      }),
      'must be a string',
    ),
    zeroed_share_max: Decimal(
      'Largest share of the offers in stock that an import may set to 0. If an import exceeds it, the import is held until it is confirmed. From 0 to 1, 0.5 by default; 1: imports are not held for this reason.',
    ),
    refused_share_max: Decimal(
      'Largest share of the rows of an import that may be refused; an import that exceeds it with at least three rows is held until it is confirmed. From 0 to 1, 0.25 by default.',
    ),
    prices_lost_share_max: Decimal(
      'Largest share of the known costs that an import may remove because the file leaves them empty; an import that exceeds it is held until it is confirmed. From 0 to 1, 0.5 by default.',
    ),
    prices_zero_share_max: Decimal(
      'Largest share of the known costs that an import may set to 0; an import that exceeds it with at least three costs is held until it is confirmed. From 0 to 1, 0.05 by default.',
    ),
    prices_jump_share_max: Decimal(
      'Largest share of the known costs that an import may raise or lower by more than prices_jump_factor; an import that exceeds it with at least three costs is held until it is confirmed. From 0 to 1, 0.2 by default.',
    ),
    prices_jump_factor: Decimal(
      'Factor by which a cost must rise or fall to count for prices_jump_share_max; above 1, 3 by default.',
    ),
    emptied_share_max: Decimal(
      'Largest share of the known titles, pictures, EANs or quantities, each counted separately, that a file may leave empty; an import that exceeds it with at least three of them is held until it is confirmed. From 0 to 1, 0.5 by default.',
    ),
    swapped_share_max: Decimal(
      'Largest share of the offers for which a file may have the known cost as the quantity and the known quantity as the cost; an import that exceeds it with at least three offers is held until it is confirmed. From 0 to 1, 0.2 by default.',
    ),
    silent_days_max: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Null], {
      description:
        'Number of days without an import or a written offer after which findings report the supplier (suppliers_silent); null: never.',
      ...must('must be a whole number'),
    }),
  },
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  given: { id: GivenId('supplier') },
  schema: 'SupplierResource',
  deletion:
    'The supplier’s offers, texts, images and EANs are no longer used, at once; products stay. Rules for this supplier alone are deleted. The code can be used again for another supplier.',
} as const satisfies AccountResource
