import { sentence } from './sentence.ts'

// Questions about the proposed cost: which column has the merchant's cost, and to which quantity it refers.

export const COST_QUESTIONS = {
  no_cost: sentence({}, 'no column was found for the cost: which one is it?'),
  cost_by_word: sentence(
    { column: 'name' },
    'is {column} what you pay for the articles? It is taken for it by a word of its name alone',
  ),
  cost_by_word_among: sentence(
    { column: 'name', others: 'names' },
    'which one is what you pay for the articles? {column} is taken for it by a word of its name alone; there are amounts in {others}, too',
  ),
  cost_by_values: sentence(
    { column: 'name' },
    'is {column} what you pay for the articles? It is taken for it by its values alone',
  ),
  cost_below_recommended: sentence(
    { column: 'name', recommended: 'name' },
    'is {column} what you pay for the articles? It is taken for it because its amounts are mostly below those of {recommended}',
  ),
  cost_probably_selling: sentence(
    { column: 'name', lower: 'name' },
    'is {column} what you pay for the articles? It is probably what the shop sells at, and {lower} has a lower amount in each row',
  ),
  cost_lower_of_two: sentence(
    { column: 'name', higher: 'name' },
    'is {column} what you pay for the articles? It is the lower one of the amounts in {column} and {higher}',
  ),
  cost_of_first_tier: sentence(
    { column: 'name' },
    'is {column} what you pay for one piece? It is the first of prices by quantity',
  ),
  cost_tiers: sentence(
    { columns: 'names' },
    '{columns} are taken for what a piece costs from a quantity on: is that right?',
    { of: 'columns', text: '{columns} is taken for what a piece costs from a quantity on: is that right?' },
  ),
  cost_rate_alone: sentence(
    { column: 'name' },
    'is {column} what you pay for the articles? No other price shows that it is none in percent, and no exchange rate',
  ),
  cost_beside_rate: sentence(
    { cost: 'source', rate: 'name' },
    'the cost is read from {cost}: is that what you pay? {rate} is called so as well, but its values are not those of a price that is lower in each row',
  ),
  cost_zero: sentence(
    { zeros: 'count', articles: 'count', column: 'name' },
    '{zeros} of {articles} articles cost 0 by {column}: does it mean that the cost is not known? Then say {"column": {column}, "values": {"0": ""}}',
  ),
  cost_of_few: sentence(
    { priced: 'count', rows: 'count', column: 'name', others: 'names' },
    'only {priced} of {rows} rows have a cost in {column}, and there are amounts in {others}: which one do you pay?',
  ),
  cost_is_selling: sentence(
    { column: 'name', paid: 'name' },
    'the cost is read from {column}, which the shop asks for: {paid} is what is paid, but many rows leave it empty or 0. Is that right?',
  ),
  cost_of_two: sentence(
    { column: 'name', other: 'name' },
    'the cost is read from {column}: is that what you pay, or {other}, which is called so as well?',
  ),
  cost_beside_others: sentence(
    { column: 'name', others: 'names' },
    'the cost is read from {column}; {others} have other prices: which one do you pay?',
    { of: 'others', text: 'the cost is read from {column}; {others} has other prices: which one do you pay?' },
  ),
  cost_of_group: sentence(
    { column: 'name', others: 'names' },
    'the cost is read from {column}; {others} have other prices, perhaps of other groups of customers: which one do you pay?',
    {
      of: 'others',
      text: 'the cost is read from {column}; {others} has other prices, perhaps of other groups of customers: which one do you pay?',
    },
  ),
  cost_of_piece_or_carton: sentence(
    { column: 'name', single: 'name' },
    'the cost is read from {column}; {single} has another price, of one piece: is {column} that of what an article is, or of a carton?',
  ),
  cost_in_currencies: sentence(
    { currency: 'text', cost: 'source', others: 'words' },
    'the cost is in {currency}, in {cost}; other columns have it in {others}: is that the one that you pay in?',
  ),
  cost_on_sale: sentence(
    { sale: 'name', price: 'name' },
    'the cost is read from {sale} where it has an amount, and else from {price}: is that what you pay?',
  ),
  cost_first_of: sentence(
    { most: 'count', column: 'name' },
    'the cost is the first of up to {most} in {column}; the others are left out. "take" says another one',
  ),
  cost_per_unit: sentence(
    { column: 'name', unit: 'name' },
    '{column} is taken for the price of as many pieces as {unit} says, and divided by it. Is that right?',
  ),
  cost_of_many: sentence(
    { column: 'name', pieces: 'count' },
    '{column} is taken for the price of {pieces} pieces, and divided by them. Is that right?',
  ),
  cost_of_pack: sentence(
    { column: 'name' },
    'is {column} what you pay for an article? It is called the price of a pack, and the stock may be counted in pieces',
  ),
  currency_unread: sentence(
    { column: 'name', example: 'name' },
    'which currency is {example} in {column}? The costs come in without it. Then say "currency": {"column": {column}, "values": {{example}: "EUR"}}, with the code of yours',
  ),
  cost_of_pieces: sentence(
    { column: 'name', unit: 'name', example: 'name' },
    'is {column} what you pay for one piece? {unit} has {example}: it may be the price of as many',
  ),
  cost_less_discount: sentence(
    { column: 'name', discount: 'name' },
    '{column} is taken for a list price, from which the discount in {discount} is taken off. Is that right?',
  ),
  cost_before_discount: sentence(
    { column: 'name', discount: 'name' },
    'the cost is read from {column}, and the discount in {discount} is not taken off: is it in the price already?',
  ),
  cost_before_discounts: sentence(
    { column: 'name', example: 'name', discount: 'name' },
    'the cost is read from {column}, and discounts such as {example} in {discount} are not taken off: are they in the price already?',
  ),
  cost_of_line: sentence(
    { total: 'name', price: 'name', pieces: 'name' },
    '{total} is {price} times {pieces} in every row: the price of one is read. Is that right?',
  ),
  cost_in_hundredths: sentence({ column: 'name' }, '{column} is taken for hundredths. Is that right?'),
  cost_perhaps_in_hundredths: sentence(
    { column: 'name', digits: 'name' },
    'is {column} in hundredths of the currency, such as cents? {digits} is 2 in each row; the amounts are read as they are',
  ),
  cost_perhaps_percent: sentence(
    { column: 'name', others: 'names' },
    'does {column} have prices, or percentages? It has a few different whole numbers below 100, which do not follow the prices in {others}',
  ),
} as const
