import { sentence } from './sentence.ts'

// Oddities of a file as a whole that do not stop its import.

export const ODDITIES = {
  encoding_guessed: sentence(
    { encoding: 'text' },
    'the file is not UTF-8 and was read as {encoding}: check its texts, and give the "encoding" in the mapping',
  ),
  encoded_twice: sentence(
    { field: 'text', texts: 'count', wrong: 'name', right: 'name', example: 'name', line: 'count' },
    '{field}: {texts} texts were encoded twice before the file was sent, with {wrong} for {right}; the first is {example} in line {line}. Imported as they are: ask the supplier to correct the export',
    {
      of: 'texts',
      text: '{field}: {texts} text was encoded twice before the file was sent, with {wrong} for {right}; the first is {example} in line {line}. Imported as they are: ask the supplier to correct the export',
    },
  ),
  open_end: sentence(
    { line: 'count', cells: 'count', columns: 'count' },
    'line {line}: the last line has no line end, and {cells} of {columns} columns: if the file is cut off here, what follows is missing',
  ),
  open_end_of_value: sentence(
    { line: 'count', value: 'name' },
    'line {line}: the last line has no line end: if the file is cut off here, its last value {value} is cut as well',
  ),
  only_changes: sentence({}, 'its head says LOADMODE: I, so it has only what changed: import it as a delta (--delta)'),
  groups_too_late: sentence(
    {},
    'the catalog is too large to wait for its groups, which come after all articles: articles have no category',
  ),
  variants_too_late: sentence(
    {},
    'the file is too large to wait for the rows that list their variants: products that come before them keep the group that they have; put these rows first, or split the file',
  ),
  parents_missing: sentence({ rows: 'count' }, '{rows} rows name a parent that the file does not have'),
  parents_not_before: sentence(
    { rows: 'count' },
    '{rows} rows name a parent that the file does not have before them: give "anywhere" in "group" if it may come after',
  ),
  columns_missing: sentence({ columns: 'names' }, 'no row has {columns}, which the mapping names: check the spelling'),
  column_empty: sentence({ column: 'name' }, '{column} is empty in every row'),
  list_missing: sentence(
    { list: 'name' },
    'no record has a list in {list}, which "each" of the mapping names: each record is read as one article',
  ),
  no_row_has_cost: sentence({}, 'no row has a cost: check "cost" in the mapping; --preview shows what the rows have'),
  decimals_mixed: sentence(
    { field: 'text', open: 'count', example: 'name', shown: 'count', other: 'name' },
    '{field}: {open} values such as {example} were read with "." for decimals, but {shown} such as {other} have ",": set "decimal" in the mapping',
  ),
  offers_kept: sentence(
    { rows: 'count', offers: 'count' },
    '{rows} refused rows have no readable key and may be about any of the {offers} offers that are missing: these keep their quantities. Mend the rows, leave them out with "skip", or confirm that the missing offers are gone',
    {
      of: 'rows',
      text: '{rows} refused row has no readable key and may be about any of the {offers} offers that are missing: these keep their quantities. Mend the rows, leave them out with "skip", or confirm that the missing offers are gone',
    },
  ),
} as const
