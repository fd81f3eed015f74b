/**
 * The hash by which Citus distributes a bigint, as `worker_hash` computes it: PostgreSQL's hashint8, signed. Computed
 * here so that the node of an account is known at once, without a statement and without a cache. Rows are stored by it,
 * so it cannot change between versions; src/db/distribution/nodes.ts still compares it with the server's.
 */
export function shardHash(value: number): number {
  const wide = BigInt(value)
  const low = Number(BigInt.asIntN(32, wide))
  const high = Number(BigInt.asIntN(32, wide >> 32n))
  return hashUint32(low ^ (value >= 0 ? high : ~high))
}

/** hash_uint32 of PostgreSQL (src/common/hashfn.c), the final mix of Bob Jenkins' lookup3. */
function hashUint32(key: number): number {
  let a = (0x9e37_79b9 + 4 + 3_923_095) | 0
  let b = a
  let c = a
  a = (a + key) | 0
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))
