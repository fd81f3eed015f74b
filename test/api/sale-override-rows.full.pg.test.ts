import { expect, test } from 'vitest'
import { offers, send, setUp } from './full-access-account.ts'

setUp()

test('rows of a bulk that would leave a sale which ends before it begins are refused, whatever their order; others are written', async () => {
  const [a = 0, b = 0] = await offers('A1', 'A2')
  const row = (product_id: number, field: 'begins' | 'ends', value: string | null) => ({
    product_id,
    field: `sale_${field}_on`,
    value,
  })
  const written = async (...rows: ReturnType<typeof row>[]) => {
    const { status, body } = await send('POST', '/bulk/overrides', { rows })
    expect(status).toBe(200)
    return body.data.map((result: { status: string; errors?: { name: string; reason: string }[] }) =>
      result.status === 'failed'
        ? result.errors?.map(({ name, reason }) => `${name} ${reason}`.slice(0, 42))
        : result.status,
    )
  }
  const refused = ['value must not leave a sale that ends befo']
  expect(await written(row(a, 'begins', '2998-11-20'), row(b, 'begins', '2998-11-20'))).toEqual(['created', 'created'])
  // checked against the stored first day
  expect(await written(row(a, 'ends', '2998-11-19'), row(b, 'ends', '2998-11-20'))).toEqual([refused, 'created'])
  // checked against the other row of the same request
  expect(await written(row(a, 'ends', '2998-12-01'), row(a, 'begins', '2998-12-02'))).toEqual([refused, refused])
  // a sale is moved: each of the two days alone would be refused
  expect(await written(row(b, 'begins', '2999-01-02'), row(b, 'ends', '2999-01-03'))).toEqual(['changed', 'changed'])
  expect(await written(row(b, 'ends', '2998-06-02'), row(b, 'begins', '2998-06-01'))).toEqual(['changed', 'changed'])
  expect(await written(row(a, 'begins', null), row(a, 'ends', '2998-11-19'))).toEqual(['changed', 'created'])
  const own = async (id: number) => {
    const { sale_begins_on, sale_ends_on } = (await send('GET', `/products/${id}`)).body.data
    return [sale_begins_on, sale_ends_on]
  }
  expect([await own(a), await own(b)]).toEqual([
    [null, '2998-11-19'],
    ['2998-06-01', '2998-06-02'],
  ])
})
