import { expect, test } from 'vitest'
import { shardHash } from './shard-hash.ts'

test('hashes are those of worker_hash on a coordinator', () => {
  // recorded: select n, worker_hash(n::bigint)
  const recorded: [number, number][] = [
    [0, -272_711_505],
    [1, -1_905_060_026],
    [2, 1_134_484_726],
    [17, -917_053_276],
    [4_294_967_295, 385_747_274],
    [4_294_967_296, -1_905_060_026],
    [9_007_199_254_740_991, 2_016_522_077],
    [-1, 385_747_274],
    [-5_000_000_000, 954_517_114],
  ]
  expect(recorded.map(([value]) => [value, shardHash(value)])).toEqual(recorded)
})
