import Type from 'typebox'
import { ATTRIBUTE_TYPES, DECIMAL_SIGNS } from '../attribute-types.ts'
import { OneOf } from '../one-of.ts'
import { PathKey } from '../parameters.ts'
import { readRoute } from '../route.ts'
import { Attribute } from '../product-parts.ts'
import { Null, Text } from '../values.ts'

// The values of an attribute, and what they would become with a type, before the type is set.

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const OfferCount = Count('How many of the offers that were looked at have it.')

export const AttributeValues = Type.Object(
  {
    key: Text,
    offers: Count('Offers that have the attribute, of those that were looked at.'),
    values: Count('Different values of them that were read, the most frequent ones; at most 500.'),
    understood: Count('Offers whose value the type understands.'),
    examples: Type.Array(
      Type.Object({
        stated: Type.String({ description: 'As suppliers send it; at most 200 characters of it.' }),
        offers: OfferCount,
        read: Type.Omit(Attribute, ['key', 'label', 'value']),
      }),
      { description: 'The most frequent values that are understood, at most 10. Empty without a type.' },
    ),
    unread: Type.Array(
      Type.Object({
        stated: Type.String({ description: 'As suppliers send it; at most 200 characters of it.' }),
        offers: OfferCount,
        reason: Type.String({ description: 'Why the type does not understand it, in English.' }),
      }),
      { description: 'The most frequent values that are not understood, at most 10.' },
    ),
    proposal: Type.Union(
      [
        Type.Object({
          type: OneOf(ATTRIBUTE_TYPES, {}),
          separator: Type.Union([Text, Null]),
          decimal: Type.Union([OneOf(DECIMAL_SIGNS, {}), Null]),
          unit: Type.Union([Text, Null], { description: 'That nearly all of the numbers have behind them.' }),
        }),
        Null,
      ],
      { description: 'What the values look like; null where they are no numbers, lists, or yes and no.' },
    ),
  },
  { $id: 'AttributeValues' },
)

export const GET_ATTRIBUTE_VALUES = readRoute({
  id: 'getAttributeValues',
  path: '/v1/account/attributes/{key}/values',
  tag: 'attributes',
  summary: 'Read what a type makes of an attribute’s values',
  description:
    'The values that suppliers’ offers have under this key, the first 20,000 offers being looked at, as a type would read them; and which type they look like. Each parameter is that of the definition, if there is one, unless it is given; an empty one stands for null. Nothing is changed.',
  params: { key: PathKey('The attribute’s key; it needs no definition where an offer has it.') },
  query: {
    type: Type.Optional(Type.String({ maxLength: 20, description: `One of ${ATTRIBUTE_TYPES.join(', ')}.` })),
    separator: Type.Optional(Type.String({ maxLength: 8, description: 'Between the entries of a list.' })),
    decimal: Type.Optional(Type.String({ maxLength: 1, description: 'The decimal sign of its numbers.' })),
    unit: Type.Optional(Type.String({ maxLength: 200, description: 'Unit of the numbers.' })),
  },
  answer: { data: AttributeValues },
  returns: 'What was found.',
  problems: ['unknown-reference'],
})
