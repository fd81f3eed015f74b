import { expect, test } from 'vitest'
import { percentOf, shareOf } from '../../panel/resources/percent.ts'
import { timesOf, typedSchedule, WEEK, writtenSchedule } from '../../panel/pages/supplier/schedule.ts'
import {
  changedSourceBody,
  NEW_SOURCE,
  newSourceBody,
  sourceFieldOf,
  typedSource,
} from '../../panel/pages/supplier/source-values.ts'
import type { Source } from '../../panel/api/sources.ts'

// How the form of a source converts a schedule, limits and a stored source.

test('a cron expression that is a time of the day on days of the week is read as one, others are not', () => {
  expect(timesOf('30 5 * * *')).toEqual({ time: '05:30', days: WEEK })
  expect(timesOf('5 23 * * 1-5')).toEqual({ time: '23:05', days: [1, 2, 3, 4, 5] })
  expect(timesOf('0 0 * * 0,3,6')).toEqual({ time: '00:00', days: [3, 6, 0] })
  expect(timesOf('0 0 * * 5-7')).toEqual({ time: '00:00', days: [5, 6, 0] })
  for (const cron of [
    '*/5 * * * *',
    '0 5,17 * * *',
    '0 5 1 * *',
    '0 5 * 6 *',
    '61 5 * * *',
    '0 24 * * *',
    '0 5 * * MON',
    '',
  ])
    expect([cron, timesOf(cron)]).toEqual([cron, null])
})

test('what is typed from a schedule is written as a schedule that means the same', () => {
  for (const cron of ['30 5 * * *', '5 23 * * 1,2,3,4,5', '0 0 * * 3,0', '*/30 8-18 * * 1-5', '0 5 1 * *'])
    expect(writtenSchedule(typedSchedule({ cron, time_zone: 'UTC', every_minutes: null }))).toEqual({
      cron,
      time_zone: 'UTC',
      every_minutes: null,
    })
  expect(writtenSchedule(typedSchedule({ cron: null, time_zone: null, every_minutes: 45 }))).toMatchObject({
    cron: null,
    every_minutes: 45,
  })
  expect(writtenSchedule(typedSchedule({ cron: null, time_zone: null, every_minutes: null }))).toEqual({
    cron: null,
    time_zone: null,
    every_minutes: null,
  })
  // sent as it is, so that the service names the error
  expect(
    writtenSchedule({ ...typedSchedule({ cron: null, time_zone: null, every_minutes: 5 }), every: 'soon' }),
  ).toEqual({ cron: null, time_zone: null, every_minutes: 'soon' })
})

test('a share is typed as a percentage, to the last digit', () => {
  for (const [share, percent] of [
    ['0.5', '50'],
    ['0.125', '12.5'],
    ['0.0501', '5.01'],
    ['1', '100'],
    ['0', '0'],
    ['0.0001', '0.01'],
    ['2', '200'],
  ] as const)
    expect([percentOf(share), shareOf(percent)]).toEqual([percent, share])
  expect([shareOf('12,5'), shareOf('half'), shareOf('-1'), shareOf(' 7 ')]).toEqual(['0.125', 'half', '-1', '0.07'])
})

const source = {
  id: 1,
  name: 'stock',
  kind: 'http',
  url: 'https://files.example/a.csv',
  path: null,
  credentials: { kind: 'bearer' },
  host_key: null,
  mapping: { preset: 'shopify', locale: 'de' },
  mode: 'full',
  cron: '30 5 * * *',
  time_zone: 'UTC',
  every_minutes: null,
  is_active: true,
  status: { next_run_at: null, last_run_at: null, failures: 0, failed_since: null, failure: null },
} as Source

test('only what was typed differently is sent, and what is stored is never sent to another server', () => {
  const typed = typedSource(source)
  expect(changedSourceBody(source, typed)).toEqual({})
  expect(changedSourceBody(source, { ...typed, mode: 'delta', locale: 'pl' })).toEqual({
    mode: 'delta',
    mapping: { preset: 'shopify', locale: 'pl' },
  })
  // only the kind of the credentials: if the address is of another host, the service refuses that instead of silently dropping them
  expect(changedSourceBody(source, { ...typed, url: 'https://other.example/a.csv' })).toEqual({
    url: 'https://other.example/a.csv',
    credentials: { kind: 'bearer' },
  })
  expect(changedSourceBody(source, { ...typed, credentials: '' })).toEqual({ credentials: null })
  expect(changedSourceBody(source, { ...typed, credentials: 'basic', username: 'a', password: 'b' })).toEqual({
    credentials: { kind: 'basic', username: 'a', password: 'b' },
  })
  const own = { ...source, mapping: { preset: 'shopify', fields: { cost: 'EK' } } }
  expect(changedSourceBody(own, { ...typedSource(own), mode: 'delta' })).toEqual({ mode: 'delta' })
})

test('a new source that is mapped next is switched off until then', () => {
  const typed = { ...NEW_SOURCE, name: ' stock ', url: 'https://files.example/a.csv' }
  const later = { fields: { sku: 'sku' } }
  expect(newSourceBody(typed, later, [])).toMatchObject({ name: 'stock', mapping: later, is_active: false })
  const body = newSourceBody({ ...typed, mapping: 'magento2', image_base_url: 'https://a.example' }, later, [])
  expect(body).toMatchObject({ mapping: { preset: 'magento2', imageBaseUrl: 'https://a.example' } })
  expect(body).not.toHaveProperty('is_active')
  // with the mapping of another source; a source that is never fetched automatically is not active
  const own = { ...source, name: 'price-list', mapping: { fields: { sku: 'Nr' } } }
  const taken = newSourceBody({ ...typed, mapping: 'of:price-list' }, later, [source, own])
  expect(taken).toMatchObject({ mapping: { fields: { sku: 'Nr' } } })
  expect(taken).not.toHaveProperty('is_active')
  expect(newSourceBody({ ...typed, kind: 'upload', mapping: 'shopify' }, later, [])).toMatchObject({
    url: null,
    cron: null,
    every_minutes: null,
    is_active: false,
  })
})

test('a fault finds its field', () => {
  expect(
    [
      'credentials.name',
      'credentials.value',
      'credentials.kind',
      'credentials',
      'mapping.fields.sku',
      'credentials.token',
    ].map(sourceFieldOf),
  ).toEqual(['header_name', 'header_value', 'credentials', 'credentials', 'mapping', 'token'])
})
