import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { demoSupplierFiles } from '../catalog/supplier-files.ts'
import { cutFile, dailyFile, jumpedFile } from './daily-files.ts'
import { workshopFile } from './workshop.ts'

const COUNT = 300
const rowsOf = (text: string) =>
  text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(';'))
const known = () => {
  const text = [...demoSupplierFiles(COUNT)[0]!.text()].join('')
  // a proper parser, because texts may contain the separator
  return new Map(
    parse<Record<string, string>>(text, { delimiter: ';', columns: true }).map((row) => [
      row['Artikelnummer']!,
      row['EK']!,
    ]),
  )
}

test('a day’s file is the same every time, names articles of the supplier alone, and differs from another day’s', () => {
  const costs = known()
  const day = dailyFile(COUNT, 3)
  expect(dailyFile(COUNT, 3)).toBe(day)
  expect(dailyFile(COUNT, 4)).not.toBe(day)
  for (const [sku, cost, quantity] of rowsOf(day)) {
    const before = Number(costs.get(sku!)!.replace(',', '.'))
    const factor = Number(cost!.replace(',', '.')) / before
    expect([factor > 0.92 && factor < 1.1, quantity], sku).toEqual([true, expect.stringMatching(/^\d+$/)])
  }
})

test('every fifth file has one row that cannot be read', () => {
  const unread = [5, 6].map((day) => rowsOf(dailyFile(2_000, day)).filter(([, , quantity]) => !/^\d+$/.test(quantity!)))
  expect(unread.map((rows) => rows.length)).toEqual([1, 0])
})

test('a file has four costs that jump, and a file that was cut off a third of the articles', () => {
  const costs = known()
  const jumped = rowsOf(jumpedFile(COUNT)).filter(([sku, cost]) => costs.get(sku!) !== cost)
  expect(
    jumped.map(([sku, cost]) => Number(cost!.replace(',', '.')) / Number(costs.get(sku!)!.replace(',', '.'))),
  ).toEqual([10, 10, 10, 10].map((factor) => expect.closeTo(factor, 1)))
  expect(rowsOf(cutFile(COUNT)).length / costs.size).toBeCloseTo(0.3, 1)
})

test('the small supplier’s file is JSON of articles with keys of their own', () => {
  const articles = JSON.parse(workshopFile()) as { sku: string }[]
  expect(new Set(articles.map(({ sku }) => sku)).size).toBe(articles.length)
})
