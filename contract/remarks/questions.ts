import { sentence } from './sentence.ts'

// Questions to a merchant about a proposed mapping, except those about costs (cost-questions.ts): facts that the file
// does not show.

export const QUESTIONS = {
  no_header: sentence(
    {},
    'no line has the names of the columns, which are called by their places, from 1 on: what they are is seen by their values alone',
  ),
  header_of_two_lines: sentence(
    { line: 'count' },
    'the names of the columns are read from two lines, of which line {line} is the first: is the second one no article?',
  ),
  short_rows: sentence(
    {},
    'rows are shorter than the line with the names of the columns: the cells that they lack at their end are taken for empty',
  ),
  articles_elsewhere: sentence(
    { items: 'name', passed_over: 'name' },
    'the articles are read from {items}, and not from the first list of records, {passed_over}: is that right?',
  ),
  lists_alike: sentence(
    { items: 'name', others: 'name' },
    'the articles are read from {items}, and records in {others} have the same members, which are left out: are they articles, too? Then import each list as a file of its own',
  ),
  tables_side_by_side: sentence(
    { tables: 'count' },
    '{tables} tables stand side by side under the same names, and are read as if they stood below each other: do all of them have articles? Else "table" says which one is read, from 1 to {tables}',
  ),
  each_is_article: sentence(
    { list: 'name' },
    'each element of {list} is taken for an article, with what its record says of all of them: is that right?',
  ),
  record_is_article: sentence(
    { list: 'name' },
    'records list articles in {list}, but not all of the first ones would come in if each of them were read: is each record one article? Else "each" in the mapping takes them apart',
  ),
  sheets_alike: sentence(
    { sheets: 'names', sheet: 'name' },
    'the sheets {sheets} have the same columns as {sheet}, and an import reads one: are their articles not wanted? Else put them below each other in one sheet',
    {
      of: 'sheets',
      text: 'the sheet {sheets} has the same columns as {sheet}, and an import reads one: are their articles not wanted? Else put them below each other in one sheet',
    },
  ),
  sheet_chosen: sentence(
    { sheet: 'name', first: 'name' },
    'the articles are read from the sheet {sheet}, and not from the first, {first}: is that right?',
  ),
  list_left_out: sentence(
    { elements: 'count', list: 'name' },
    'a record has up to {elements} elements in {list} with a number or an EAN of their own, of which nothing is read: are they articles? Then write a mapping with "each": {list}',
  ),
  articles_left_out: sentence(
    { articles: 'count', column: 'name' },
    'a record has up to {articles} articles in {column}, and the first of them is read: the others are left out. Ask the supplier for one record or row for each article',
  ),
  near_languages: sentence(
    { languages: 'names', language: 'name' },
    'the texts are in {languages| or }, which these words do not tell apart: {language} is assumed. Is that right?',
  ),
  title_by_values: sentence(
    { column: 'name' },
    'is {column} the title of the articles? It is taken for it by its values alone',
  ),
  title_beside: sentence(
    { column: 'name', other: 'name' },
    'is {column} the title of the articles, or {other}? It is taken for it because its texts are short',
  ),
  title_with_html: sentence(
    { column: 'name', example: 'name' },
    'titles in {column} have tags or entities of HTML, such as {example}; those of the first rows are removed: is that right? Add to "replace" those that other rows have',
  ),
  title_keeps_html: sentence(
    { example: 'name' },
    'titles have tags or entities of HTML, such as {example}, and keep them: shops show them as they are. "replace" in the mapping removes them',
  ),
  no_title: sentence({}, 'no column was found for the title: which one is it?'),
  decimal_unknown: sentence(
    { example: 'name', column: 'name', read: 'decimal', sign: 'name' },
    '{example} in {column} is read as {read}: is that right? Else give "decimal": {sign}',
  ),

  // the key
  key_code: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? no column is called like the number of an article: it is one with another value in each row. Articles are recognized by it in the next file',
  ),
  key_ean: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? it has EANs, which change with a new package, and which articles may lack. Articles are recognized by it in the next file',
  ),
  key_other: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? it is the first with another value in each row. Articles are recognized by it in the next file',
  ),
  key_title: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? it has titles: an article whose title is corrected becomes another one. Articles are recognized by it in the next file',
  ),
  key_words: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? it has words, which differ in these rows. Articles are recognized by it in the next file',
  ),
  key_running: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? it counts the rows: an article becomes another one when a row is added above it. Articles are recognized by it in the next file',
  ),
  key_joined: sentence(
    { columns: 'names' },
    'is {columns| and } the key of the articles? no single column has another value in each row, but these together do. Articles are recognized by it in the next file',
  ),
  key_of_most: sentence(
    { columns: 'names', few: 'count', rows: 'count' },
    'is {columns| and } the key of the articles? no column has another value in each row: {few} of {rows} rows have none or that of another one here, and are refused. Articles are recognized by it in the next file',
  ),
  key_with_gaps: sentence(
    { without: 'count', articles: 'count', key: 'name', instead: 'name' },
    '{without} of {articles} articles have nothing in {key}, and are recognized by {instead}: is that right? Else give "sku": {key}, and they are refused',
  ),
  key_repeats: sentence(
    { repeated: 'count', rows: 'count', key: 'name', instead: 'name' },
    '{repeated} of {rows} rows have the {key} of another one, and articles are recognized by {instead}: is that right? Else give "sku": {key}, and these rows are refused',
  ),
  key_with_options: sentence(
    { repeated: 'count', rows: 'count', key: 'name' },
    '{repeated} of {rows} rows have the {key} of another one, and are recognized by their options as well: is that right?',
  ),

  // rows that are not articles, or several rows for one article
  headings_with_sums: sentence(
    { rows: 'count', column: 'name', example: 'name' },
    '{rows} rows without a value in {column}, such as {example}, are headings with the sum of the stock below them, and are left out: is that right?',
  ),
  kinds_left_out: sentence(
    { rows: 'count', column: 'name', kinds: 'names', cost: 'name' },
    '{rows} rows whose {column} is {kinds| or } have no value in {cost}, as the others have, and are left out: are they no articles?',
  ),
  rows_not_sold: sentence(
    { inactive: 'count', rows: 'count', column: 'name', values: 'names' },
    '{inactive} of {rows} rows have {values| or } in {column}, and come in like the others: are these articles for sale? Else leave them out with "skip": [{"column": {column}, "in": [{values}]}]',
    {
      of: 'inactive',
      text: '{inactive} of {rows} rows has {values| or } in {column}, and comes in like the others: is this article for sale? Else leave it out with "skip": [{"column": {column}, "in": [{values}]}]',
    },
  ),
  products_left_out: sentence(
    { products: 'count', rows: 'count', column: 'name' },
    '{products} of {rows} rows are products whose versions have rows of their own, by {column}, and are left out: is that right?',
  ),
  maybe_headings: sentence(
    { rows: 'count', column: 'name', example: 'name' },
    '{rows} rows have nothing in {column} and little else, such as {example}: are they headings? Then say "skip": [{"column": {column}, "empty": true}]',
  ),
  products_as_articles: sentence(
    { rows: 'count', parent: 'name' },
    '{rows} rows are the products of others ({parent}), and would come in as articles themselves: can they be bought? Else say by "offers" of "group" which rows are articles',
    {
      of: 'rows',
      text: '{rows} row is the product of others ({parent}), and would come in as articles themselves: can they be bought? Else say by "offers" of "group" which rows are articles',
    },
  ),
  rows_without_title: sentence(
    { rows: 'count', column: 'name' },
    '{rows} rows have nothing in {column} and get the title of the article above them, although no column says how they differ from it: are they versions of it? Else take "group" out, and they are refused',
    {
      of: 'rows',
      text: '{rows} row has nothing in {column} and gets the title of the article above it, although no column says how it differs from it: is it a version of it? Else take "group" out, and it is refused',
    },
  ),
  products_of_ready_mapping: sentence(
    { rows: 'count', parent: 'name' },
    '{rows} rows are the products of others ({parent}), and would come in as articles themselves: can they be bought? Else say by "skip" or by "offers" of "group" which rows are none',
    {
      of: 'rows',
      text: '{rows} row is the product of others ({parent}), and would come in as articles themselves: can they be bought? Else say by "skip" or by "offers" of "group" which rows are none',
    },
  ),
  rows_of_places: sentence(
    { repeated: 'count', rows: 'count', key: 'name', places: 'names', differing: 'names' },
    '{repeated} of {rows} rows have the {key} of another one, with another {places| or }{differing|^ and another }: is {key} the key of the articles? Rows that repeat it are refused, and their stock is not added up; {"join": [{key}, {places}], "with": "/"} makes an article of each',
  ),
  rows_added_up: sentence(
    { repeated: 'count', rows: 'count', key: 'name', places: 'names', quantity: 'name', place: 'name' },
    '{repeated} of {rows} rows have the {key} of another one, with another {places| or }: their {quantity} is added up. Is all of it for sale? Else leave out by "skip" the rows that are not, and bring only the others together: {"when": {"column": {place}, "notIn": ["…"]}, "use": {key}} as the "by" of "group"',
  ),

  // the quantity
  no_quantity: sentence(
    {},
    'no column was found for the quantity: offers keep the one that they have, and new ones have none',
  ),
  quantity_by_values: sentence(
    { column: 'name' },
    'is {column} the stock of the articles? It is taken for it by its values alone',
  ),
  quantity_yes_or_no: sentence(
    { column: 'name' },
    'the quantity is read from {column}, which says only yes or no: an article counts as 1 piece or none',
  ),
  quantity_zero_or_one: sentence(
    { column: 'name' },
    'the quantity is read from {column}, which has only 0 and 1: does it say whether an article is there? Then it counts as 1 piece or none',
  ),
  quantity_all_zero: sentence(
    { column: 'name', rows: 'count' },
    'is {column} the stock of the articles? It is 0 in each of {rows} rows, as in a column for orders',
  ),
  quantity_in_measure: sentence(
    { column: 'name' },
    'is the quantity in {column} counted in kilograms, liters or meters? An import counts pieces, and cuts off what is behind the decimal sign',
  ),
  quantity_first_of: sentence(
    { most: 'count', column: 'name' },
    'the quantity is the first of up to {most} in {column}; the others are left out. "sum" in the mapping adds them up, "take" says another one',
  ),
  quantity_beside: sentence(
    { column: 'name', places: 'names' },
    'the quantity is read from {column}, and what {places} have is left out: is it a part of it? Else "sum" in the mapping adds them up',
  ),
  quantity_of_places: sentence(
    { places: 'names' },
    'the quantity is the sum of {places}: is what is in each of these places for sale? Else leave it out of "sum"',
  ),
  quantity_of_locations: sentence(
    { columns: 'names' },
    'is what is in {columns} for sale? These columns are taken for the stock of locations',
  ),
  category_with_gaps: sentence(
    { rows: 'count', without: 'count', column: 'name' },
    '{without} of {rows} rows have nothing in {column}, which may stand for all rows below it: they come in without a category. Does it? Then ask the supplier to fill it in each row',
  ),
  quantity_of_pack: sentence(
    { column: 'name', price: 'name', total: 'name' },
    'no quantity is read from {column}: {total} is {price} times it in every row, so it is how many pieces a pack has. Is that right?',
  ),
  quantity_perhaps_of_pack: sentence(
    { column: 'name' },
    'the quantity is read from {column}, and nearly all of its values are multiples of 6: is it how many pieces a pack has? Then leave it out',
  ),
  list_price_perhaps: sentence(
    { column: 'name' },
    'is {column} what the supplier recommends to ask for? Then make it the list price, which shops show beside a lower price; it is not read as that, because it may be a price of your own',
  ),
  list_price_beside: sentence(
    { column: 'name', cost: 'source' },
    '{column} is taken for the list price, which shops show beside a lower price, because it is above {cost}: is it a price that you may show?',
  ),
} as const
