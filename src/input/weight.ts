import { measureOf } from './measure.ts'

/** A weight in kilograms: plain decimal text, in kilograms unless a unit follows it (g, kg, lb, oz). */
export const WEIGHT = measureOf(
  [
    ['1', 'kg kgs kilo kilogram kilograms kilogramm'],
    ['0.001', 'g gr gram grams gramm'],
    ['0.45359237', 'lb lbs pound pounds'],
    ['0.028349523125', 'oz ounce ounces'],
  ],
  'must be a weight above 0 and below 1,000,000 kg such as "0.35", "350 g" or "12 oz", with at most 6 decimals',
)
