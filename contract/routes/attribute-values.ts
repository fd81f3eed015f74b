import Type from 'typebox'
import { ATTRIBUTE_TYPES, DECIMAL_SIGNS } from '../attribute-types.ts'
import { OneOf } from '../one-of.ts'
import { PathKey } from '../parameters.ts'
import { readRoute } from '../route.ts'
import { Attribute } from '../product-parts.ts'
import { described, Null, Text } from '../values.ts'

// The values of an attribute, and what they would become with a type, before the type is set.

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const OfferCount = Count('Number of examined offers with the value.')

export const AttributeValues = Type.Object(
  {
    key: described(Text, 'Key of the attribute.'),
    offers: Count('Number of examined offers that have the attribute.'),
    values: Count('Number of different values that were examined: the most frequent ones, at most 500.'),
    understood: Count('Number of offers whose value has the type.'),
    examples: Type.Array(
      Type.Object({
        stated: Type.String({ description: 'Value as suppliers send it, cut to 200 characters.' }),
        offers: OfferCount,
        read: described(
          Type.Omit(Attribute, ['key', 'label', 'value']),
          'Members that the attribute of a product has in addition because of the type.',
        ),
      }),
      { description: 'The most frequent values that have the type, at most 10. Empty if there is no type.' },
    ),
    unread: Type.Array(
      Type.Object({
        stated: Type.String({ description: 'Value as suppliers send it, cut to 200 characters.' }),
        offers: OfferCount,
        reason: Type.String({ description: 'Why the value does not have the type, in English.' }),
      }),
      { description: 'The most frequent values that do not have the type, at most 10.' },
    ),
    proposal: Type.Union(
      [
        Type.Object({
          type: OneOf(ATTRIBUTE_TYPES, { description: 'Type that fits the values.' }),
          separator: Type.Union([Text, Null], {
            description: 'Separator of the entries of a list; null: the default separators.',
          }),
          decimal: Type.Union([OneOf(DECIMAL_SIGNS, {}), Null], {
            description: 'Decimal separator of numbers; null: detected for each number.',
          }),
          unit: Type.Union([Text, Null], { description: 'Unit that follows nearly all of the numbers; null: none.' }),
        }),
        Null,
      ],
      {
        description: 'Type that fits the values, as a proposal; null if they are not numbers, lists or yes/no values.',
      },
    ),
  },
  { $id: 'AttributeValues', description: 'Values of an attribute in suppliers’ offers, as a type reads them.' },
)

export const GET_ATTRIBUTE_VALUES = readRoute({
  id: 'getAttributeValues',
  path: '/v1/account/attributes/{key}/values',
  tag: 'attributes',
  summary: 'Preview an attribute’s values with a type',
  description:
    'Values of the attribute in suppliers’ offers (the first 20,000 are examined), as a type would read them, and a proposed type. Parameters that are left out are taken from the attribute definition, if there is one; an empty parameter stands for null. Nothing is changed.',
  params: { key: PathKey('Key of the attribute. It needs no definition if an offer has it.') },
  query: {
    type: Type.Optional(
      Type.String({ maxLength: 20, description: `Type to preview: one of ${ATTRIBUTE_TYPES.join(', ')}.` }),
    ),
    separator: Type.Optional(Type.String({ maxLength: 8, description: 'Separator of the entries of a list.' })),
    decimal: Type.Optional(Type.String({ maxLength: 1, description: 'Decimal separator of the numbers.' })),
    unit: Type.Optional(Type.String({ maxLength: 200, description: 'Unit of the numbers.' })),
  },
  answer: { data: AttributeValues },
  returns: 'Values and a proposed type.',
  problems: ['unknown-reference'],
})
