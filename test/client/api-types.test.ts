import { expect, test } from 'vitest'
import { apiTypes } from './api-types.ts'

test('the types of reads and writes in client/src/api.ts are those of the contract: npm run client-types', async () => {
  await expect(apiTypes()).toMatchFileSnapshot('../../client/src/api.ts')
})
