import type { ShopRequest, ShopResponse } from '../../../../routing.ts'

/** Has the shop read changes now, in the process that does the work. */
export async function POST({ scope }: ShopRequest, response: ShopResponse): Promise<void> {
  await scope.resolve('event_bus').emit({ name: 'shelfwire.hinted', data: {} })
  response.status(202).json({})
}
