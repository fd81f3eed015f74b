import { mapYielding } from '../../platform/turns/yielding.ts'
import { guessByName } from './column-names.ts'
import {
  endsLikePicture,
  isContents,
  isCountOf,
  isEanOfPack,
  isFabric,
  isMachineReadable,
  isFree,
  isKind,
  isListOfGtins,
  isNameOfOther,
  isNamesOfArticles,
  isOneKind,
  isOrdered,
  isPackSize,
  isPaths,
  isPicture,
  isSlugs,
  isState,
  isSwitch,
  hasSeveralWords,
} from './column-traits.ts'
import type { Guessed } from './draft.ts'
import { isCostOrOnRequest, VALUES } from './field-values.ts'
import type { PriceColumn } from './price-columns.ts'
import { hasWords } from './propose-category.ts'
import { isPriceUnit } from './propose-cost.ts'
import type { ArticleList } from './propose-each.ts'
import { isPastStockName } from './propose-stock.ts'
import { share, type Column, type SampleRows } from './sample-columns.ts'
import { nearness } from './share-of-record.ts'
import { shortNamesAmong } from './short-names.ts'
import { placeColumnsOf, placesOf } from './stock-rows.ts'

// Collects the fields that each column may be, by its name and its values.

/** The least share of values that must fit a field. */
export const FIT_MIN = 0.8
/**
 * The least share of values that can be read as a cost or a quantity, in a column with such a name. Rows with other values will be
 * refused, which is reported.
 */
export const NAMED_FIT_MIN = 0.5
const NAMED_SCORE_MIN = 2.5
const MAY_HAVE_OTHERS: readonly string[] = ['cost', 'quantity']
/** The least share of rows with a distinct value in a column that is called like a key. Lists repeat articles, and end with sums. */
const NAMED_KEY_SHARE = 0.6

/** The fields that each column may be, the best first. */
export async function candidates(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  sample: SampleRows,
  list: ArticleList | undefined,
): Promise<Guessed[]> {
  const rows = sample.length
  const priceOf = new Map(prices.map((price) => [price.column, price]))
  const isPriced = prices.length > 0
  const short = shortNamesAmong(columns)
  const isOfShopify = columns.some(({ name }) => name === 'Option1 Name')
  const all = await mapYielding(columns, (column) => {
    const guesses = guessByName(column.name)
    const inContext = short.get(column.name)
    if (inContext !== undefined && !guesses.some(({ field }) => field === inContext.field)) guesses.push(inContext)
    // addresses of pictures are recognized under any column name
    if (!guesses.some(({ field }) => field === 'images') && share(column.values, isPicture) >= FIT_MIN)
      guesses.push({ field: 'images', languages: [], score: 0 })
    const price = priceOf.get(column.name)
    if (price?.kind === 'purchase' && !guesses.some(({ field }) => field === 'cost'))
      guesses.push({ field: 'cost', languages: [], score: 1 })
    // EANs are recognized by their check digits under any column name
    if (guesses.every(({ score }) => score < NAMED_SCORE_MIN) && isListOfGtins(column))
      guesses.splice(0, Infinity, { field: 'ean', languages: [], score: 0 })
    const isEmptyCost = isPriced && price === undefined && share(column.values, isCostOrOnRequest) < FILLED_MIN
    return (
      guesses
        .map((guess) => (guess.field === 'cost' ? { ...guess, score: costScore(guess.score, price) } : guess))
        .map((guess) => (guess.field === 'cost' && isEmptyCost ? { ...guess, score: guess.score / 100 } : guess))
        .map((guess) =>
          guess.field === 'quantity' && (isSwitch(column) || isState(column))
            ? { ...guess, score: guess.score / 10 }
            : guess,
        )
        .map((guess) =>
          guess.field === 'quantity' && isFree(column) ? { ...guess, score: guess.score + FREE_SCORE } : guess,
        )
        .map((guess) => (guess.field === 'category' && isKind(column) ? { ...guess, score: guess.score / 10 } : guess))
        .filter((guess) => guess.field !== 'category' || !isOneKind(column))
        .filter((guess) => guess.field !== 'sku' || guess.score === 0 || !isFabric(column))
        .filter(
          ({ field }) => field !== 'sku' || !/(?:^|\.)handle\W*$/i.test(column.name) || isOfShopify || isSlugs(column),
        )
        .filter((guess) => guess.field !== 'title' || !isTitleOfOther(column, guess.score))
        .filter((guess) => guess.field !== 'description' || !isPackSize(column))
        // any other column that is called like a title has precedence
        .map((guess) =>
          guess.field === 'title' && isMachineReadable(column) ? { ...guess, score: guess.score / 10 } : guess,
        )
        .filter((guess) => guess.field !== 'quantity' || !isCountOf(column))
        .filter((guess) => guess.field !== 'cost' || !isPriceUnit(column))
        // the stock of a past time counts only if no other column has the current one
        .map((guess) =>
          guess.field === 'quantity' && isPastStockName(column.name) ? { ...guess, score: guess.score / 10 } : guess,
        )
        .map((guess) =>
          guess.field === 'sku' && (hasSeveralWords(column) || isNamesOfArticles(column))
            ? { ...guess, score: wordyScore(guess.score) }
            : guess,
        )
        .map((guess) => ({ ...guess, score: guess.score + nearness(column.name, guess.field, list) }))
        .filter(({ score }) => score >= 0)
        .map((guess) => ({ column, guess, fit: VALUES[guess.field].fits(column, rows) }))
    )
  })
  const places = placeColumnsOf(columns)
  const fits = await mapYielding(all.flat(), (one) => {
    const { column, fit, guess } = one
    if (fit >= fitMin(guess, column, rows)) return [one]
    if (guess.field !== 'sku' || guess.score < NAMED_SCORE_MIN) return []
    // a key may repeat in the rows of several places, which are brought together or asked about
    return placesOf(places, sample, column.name) === undefined ? [] : [one]
  })
  const fitting = fits.flat()
  const hasPictures = fitting.some(
    ({ column, guess }) => guess.field === 'images' && share(column.values, endsLikePicture) >= FIT_MIN,
  )
  const hasOwnEan = fitting.some(({ column, guess }) => guess.field === 'ean' && !isEanOfPack(column))
  return (
    fitting
      // the EAN of a carton identifies another article
      .filter(({ column, guess }) => guess.field !== 'ean' || !hasOwnEan || !isEanOfPack(column))
      // beside addresses of pictures, other addresses such as those of folders are left out
      .filter(({ column, guess }) => guess.field !== 'images' || !hasPictures || column.values.some(endsLikePicture))
      .filter(({ column, guess }) => guess.field !== 'quantity' || !(isOrdered(column, rows) || isContents(column)))
      // ids of categories mean nothing outside of their system
      .filter(({ column, guess }) => guess.field !== 'category' || hasWords(column))
      .toSorted((a, b) => Number(isSure(b)) - Number(isSure(a)) || b.guess.score - a.guess.score || b.fit - a.fit)
  )
}

/** Whether a column that is called like a title has paths of categories, or names of something else. Paths repeat, and titles do not. */
function isTitleOfOther(column: Column, score: number): boolean {
  const isNamed = score >= KEY_SCORE_MIN && new Set(column.values).size >= column.values.length * TITLES_DIFFERENT_MIN
  return (isPaths(column) && !isNamed) || isNameOfOther(column, score)
}
const TITLES_DIFFERENT_MIN = 0.9

function fitMin({ field, score }: Guessed['guess'], { values }: Column, rows: number): number {
  // long texts are no keys if only a part of the name is like that of a key
  if (field === 'sku' && score > 0 && score < 2 && share(values, (value) => value.length > 40) > 0.3) return Infinity
  // rows of pictures and products between those of variants may lack a key
  if (field === 'sku' && score >= KEY_SCORE_MIN && new Set(values).size === values.length)
    return values.length >= rows * KEY_FILLED_MIN ? 0 : NAMED_KEY_SHARE
  if (field === 'sku') return score > 0 ? NAMED_KEY_SHARE : 1
  if (field === 'ean' && score >= NAMED_SCORE_MIN) return NAMED_FIT_MIN
  return MAY_HAVE_OTHERS.includes(field) && score >= NAMED_SCORE_MIN ? NAMED_FIT_MIN : FIT_MIN
}

/** A column with fewer costs above 0 than this share ranks below every other price. */
const FILLED_MIN = 0.2

/** The least score of a name that is certainly that of the key, and the least share of rows with a value in such a column. */
const KEY_SCORE_MIN = 3
const KEY_FILLED_MIN = 0.3

/** The score for a key of a column with words. A name such as `Model` may be that of a title; `SKU` is always that of a key. */
const wordyScore = (score: number) => (score < KEY_SCORE_MIN ? score / 2 : score)

const FREE_SCORE = 0.3
const isSure = ({ guess, fit }: Guessed) => guess.field === 'sku' || fit >= FIT_MIN

/** The score of a price: purchase prices rank above all others, and selling prices below. */
function costScore(score: number, price: PriceColumn | undefined): number {
  return price === undefined ? score : price.kind === 'purchase' ? score + 3 : score / 10
}
