import { expect } from 'vitest'
import { must } from '../../src/platform/must.ts'
import type { Client } from '../harness/service.ts'

// An account with everything that a shop can show: variants, categories on two levels, list prices, prices by quantity, two customer groups, tax.

/** Writes to an account; each resolves when the stores can read it. */
export interface Writer {
  write(method: string, path: string, body?: object): Promise<void>
  putOffer(sku: string, more: object): Promise<void>
  patchOffer(sku: string, more: object): Promise<void>
}

export function writerOf(http: Client): Writer {
  const write = async (method: string, path: string, body?: object) => {
    const answer = await http(`/v1/account${path}`, {
      method,
      headers: { 'content-type': 'application/json', prefer: 'wait=20' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  }
  return {
    write,
    putOffer: (sku, more) => write('PUT', `/suppliers/north/offers/${sku}`, { cost: '10', quantity: 5, ...more }),
    patchOffer: (sku, more) => write('PATCH', `/suppliers/north/offers/${sku}`, more),
  }
}

const SIZES = ['S', 'M', 'L']
const COLOURS = ['red', 'navy']
const EANS = ['4001234500003', '4001234500010', '4001234500027', '4001234500034', '4001234500041', '4001234500058']
export const pictureOf = (name: string) => `https://pictures.example/${name}.jpg`

/** A shirt in sizes and colours, a cup in two sizes, and articles without variants; categories on two levels. @param picture the URL of a picture by name */
export async function fillAccount(
  { write, putOffer }: Writer,
  wholesaleGroupId: number,
  picture = pictureOf,
): Promise<void> {
  await write('PATCH', '', { additional_members: ['slug', 'prices_is_default'] })
  await write('PUT', '/attributes/size', { labels: { en: 'Size' } })
  const of = (percent: string) => [{ country: 'DE', valid_from: '2021-01-01', percent }]
  await write('PUT', '/tax-classes/standard', { name: 'Standard', is_default: true, rates: of('19') })
  await write('PUT', '/tax-classes/reduced', { name: 'Reduced', rates: of('7') })
  await write('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })
  const tiers = [
    { quantity: 5, percent_off: '5' },
    { quantity: 20, percent_off: '10' },
  ]
  await write('POST', '/pricing-rules', { name: 'By quantity', action: 'markup', percent: '25', priority: 1, tiers })
  await write('PATCH', `/groups/${wholesaleGroupId}`, { prices_include_tax: false })
  await write('POST', '/categories', { path: 'Clothing', external_id: 'C-1' })
  await write('POST', '/categories', { path: 'Clothing/Shirts', supplier_paths: ['Apparel/Tees'] })
  await write('POST', '/categories', { path: 'Kitchen', supplier_paths: ['Kitchen'], tax_class: 'reduced' })
  let position = 0
  for (const colour of COLOURS)
    for (const size of SIZES)
      await putOffer(`TEE-${colour}-${size}`, {
        cost: size === 'L' ? '12.5' : '10',
        quantity: position,
        eans: [must(EANS[position])],
        category: 'Apparel/Tees',
        weight: `0.${position + 1}`,
        country_of_origin: 'PT',
        hs_code: '610910',
        texts: { en: { title: `Tee, ${colour}, ${size}`, description: `<p>Cotton, ${colour}.</p>` } },
        images: [picture(`tee-${colour}`), picture('tee-label')],
        group: {
          key: 'TEE',
          title: { en: 'Tee' },
          position: (position += 1),
          options: [
            { key: 'size', label: 'Size', value: size },
            { key: 'colour', label: 'Colour', value: colour },
          ],
        },
      })
  for (const [at, size] of ['200 ml', '300 ml'].entries())
    await putOffer(`CUP-${at}`, {
      category: 'Kitchen',
      texts: { en: { title: `Cup ${size}` } },
      images: [picture('cup')],
      group: {
        key: 'CUP',
        title: { en: 'Cup' },
        position: at,
        options: [{ key: 'volume', label: 'Volume', value: size }],
      },
    })
  for (const name of ['Spade', 'Rake', 'Bucket'])
    await putOffer(name, {
      texts: { en: { title: name } },
      images: [picture(name.toLowerCase())],
      ...(name === 'Bucket' ? {} : { list_price: '49.95' }),
    })
}

/** Sets up tax in Poland, which the prices of `pl` include. */
export async function sellInPoland({ write }: Writer): Promise<void> {
  const rates = [
    { country: 'DE', valid_from: '2021-01-01', percent: '19' },
    { country: 'PL', valid_from: '2021-01-01', percent: '23' },
  ]
  await write('PUT', '/tax-classes/standard', { name: 'Standard', is_default: true, rates })
  await write('PATCH', '/stores/pl', { tax_country: 'PL', prices_include_tax: true })
}
